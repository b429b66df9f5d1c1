// Puts new parts of the page in place as they come, copies texts, and switches colours. The page works without it.
"use strict";

// Colours.
(() => {
  const button = document.getElementById("theme");
  if (!button) return;
  const root = document.documentElement;
  const order = ["", "light", "dark"];
  const show = () => {
    const name = { "": "automatic", light: "light", dark: "dark" }[root.dataset.theme || ""];
    button.textContent = `Colours: ${name}`;
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    const next = order[(order.indexOf(root.dataset.theme || "") + 1) % order.length];
    if (next) root.dataset.theme = next;
    else delete root.dataset.theme;
    try {
      localStorage.setItem("theme", next);
    } catch {
      // It is kept for this page only.
    }
    show();
  });
  show();
})();

// Copies. The buttons of parts that arrive later work too.
(() => {
  const by_selection = (text) => {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Without encryption or permission.
      return by_selection(text);
    }
  };
  for (const button of document.querySelectorAll("button.copy")) button.hidden = false;
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("button.copy");
    if (!button) return;
    const done = await copy(button.previousElementSibling.textContent);
    button.textContent = done ? "copied" : "failed";
    setTimeout(() => (button.textContent = "copy"), 1500);
  });
})();

// Parts that change.
(() => {
  const main = document.getElementById("main");
  const button = document.getElementById("live");
  const source_address = main?.dataset.events;
  if (!source_address || !window.EventSource) return;

  // Makes a node like another one. What did not change keeps its focus and selection.
  const same = (node, next) => {
    if (node.isEqualNode(next)) return;
    if (node.nodeType !== Node.ELEMENT_NODE) {
      node.data = next.data;
      return;
    }
    for (const { name, value } of next.attributes) {
      if (node.getAttribute(name) !== value) node.setAttribute(name, value);
    }
    for (const { name } of [...node.attributes]) {
      const is_of_user = node.nodeName === "DETAILS" && name === "open";
      if (!next.hasAttribute(name) && !is_of_user) node.removeAttribute(name);
    }
    same_children(node, next);
  };
  const same_children = (node, next) => {
    const old = [...node.childNodes];
    const all = [...next.childNodes];
    all.forEach((child, at) => {
      const there = old[at];
      if (!there) node.append(child);
      else if (there.nodeName === child.nodeName) same(there, child);
      else there.replaceWith(child);
    });
    old.slice(all.length).forEach((child) => child.remove());
  };

  // Says what matters to those who do not see it, and not more often than every 20 seconds.
  const announce = document.getElementById("announce");
  let said = null;
  let when = 0;
  const say = () => {
    const line = document.querySelector("#status .conclusion")?.textContent || "";
    const state = document.querySelector("#status .state")?.textContent || "";
    const text = [state, line.split(/[:.]/)[0]].filter(Boolean).join(": ");
    if (said === null) said = text;
    if (text === said || Date.now() - when < 20000) return;
    said = text;
    when = Date.now();
    announce.textContent = text;
  };

  const put = (parts) => {
    for (const [id, html] of Object.entries(parts)) {
      const node = document.getElementById(id);
      if (!node) continue;
      // The text comes from our server, which escapes everything; the parser runs no scripts.
      same_children(node, new DOMParser().parseFromString(html, "text/html").body);
      node.dispatchEvent(new CustomEvent("part", { bubbles: true }));
    }
    say();
  };

  let source = null;
  let paused = false;
  const show = (state) => {
    button.dataset.state = state;
    button.textContent = { live: "Live", paused: "Paused", lost: "Connecting …" }[state];
    button.setAttribute("aria-pressed", String(paused));
    button.title = paused ? "Show changes as they come" : "Stop the updates of this page";
  };
  const close = () => {
    source?.close();
    source = null;
  };
  const open = () => {
    if (source || paused || document.hidden) return;
    source = new EventSource(source_address);
    source.addEventListener("open", () => show("live"));
    source.addEventListener("error", () => {
      show("lost");
      // A browser does not try again after a reply such as 404.
      if (source?.readyState === EventSource.CLOSED) {
        close();
        setTimeout(open, 5000);
      }
    });
    source.addEventListener("parts", (event) => put(JSON.parse(event.data)));
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    paused = !paused;
    if (paused) close();
    show(paused ? "paused" : "lost");
    open();
  });
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  show("lost");
  open();
})();

// A comparison that is being made.
(() => {
  const node = document.getElementById("changes");
  if (!node?.querySelector("[data-busy]")) return;
  const ask = async () => {
    try {
      const reply = await fetch(node.dataset.source);
      if (reply.status === 200) {
        const page = new DOMParser().parseFromString(await reply.text(), "text/html");
        node.replaceChildren(...page.body.childNodes);
        return;
      }
    } catch {
      // The server may be restarting.
    }
    setTimeout(ask, 1000);
  };
  setTimeout(ask, 300);
})();
