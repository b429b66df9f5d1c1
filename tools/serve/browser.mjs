// The browser part of tools/serve-test: node browser.mjs PLAYWRIGHT CHROMIUM STRINGENT FOLDER
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [modules, chromium, stringent, folder] = process.argv.slice(2);
const { chromium: playwright } = createRequire(import.meta.url)(modules);
const pictures = process.env.PICTURES;
if (pictures) mkdirSync(pictures, { recursive: true });

const check = (is_so, what) => {
  if (!is_so) throw new Error(what);
};
const started = [];
const start = (program, args) => {
  const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  started.push(child);
  return child;
};

const serve = async (port) => {
  const server = start(stringent, ["serve", "stores", "--port", port]);
  const base = await new Promise((resolve) => createInterface(server.stdout).once("line", resolve));
  return [server, base];
};
const [server, base] = await serve("0");
const browser = await playwright.launch({ executablePath: chromium, args: ["--no-sandbox"] });
let failed = false;

const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, permissions: ["clipboard-read", "clipboard-write"] });
const page = await context.newPage();
const complaints = [];
page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
page.on("pageerror", (error) => complaints.push(String(error)));
page.on("request", (request) => {
  if (!request.url().startsWith(base)) complaints.push(`request to ${request.url()}`);
});
const clean = async (where) => {
  // Scripts that are run would make this the title; names of files have the word too.
  check((await page.title()) !== "hacked", `${where}: a script was run`);
  check((await page.locator("img").count()) === 0, `${where}: an image was made of a text`);
  check(complaints.length === 0, `${where}: ${complaints.join("; ")}`);
};
const narrow_enough = async (where) => {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  check(wide <= 0, `${where}: ${wide} pixels too wide`);
};
const picture = async (name) => {
  if (!pictures) return;
  await page.evaluate(() => scrollTo(0, 0));
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.screenshot({ path: `${pictures}/${name}-${scheme}.png`, fullPage: true });
  }
  await page.emulateMedia({ colorScheme: "light" });
};

const step = async (name, work) => {
  try {
    await work();
    await clean(name);
    console.log(`ok ${name}`);
  } catch (error) {
    failed = true;
    console.log(`FAILED ${name}: ${error.message}`);
    if (pictures) await page.screenshot({ path: `${pictures}/failed.png`, fullPage: true });
    complaints.length = 0;
  }
};

await step("overview", async () => {
  await page.goto(base);
  await page.getByRole("link", { name: "first", exact: true }).waitFor();
  await page.locator("#campaign-second .s-done").waitFor({ timeout: 20000 });
  await page.locator('#live[data-state="live"]').waitFor();
  await picture("overview");
});

await step("a campaign that begins and grows", async () => {
  const [program, ...args] = process.env.LIVE.split("\n");
  start(program, args);
  await page.getByRole("link", { name: "live", exact: true }).click({ timeout: 30000 });
  const runs = async () => Number((await page.locator("#status .figures").textContent()).split(" of ")[0].replaceAll(",", ""));
  await page.waitForFunction(() => parseInt(document.querySelector("#status .figures")?.textContent, 10) > 0, null, { timeout: 30000 });
  const before = await runs();
  await page.waitForFunction((n) => parseInt(document.querySelector("#status .figures").textContent.replaceAll(",", ""), 10) > n, before, { timeout: 30000 });
  await page.locator("#status .s-run").waitFor({ timeout: 30000 });
  check(/runs\/s · about .* left/.test(await page.locator("#status .figures").textContent()), "no rate and time left");
  await page.locator('[data-plot="cactus"] path.line').first().waitFor();
  await picture("running");
  await page.locator("#live").click();
  const paused = await runs();
  await page.waitForTimeout(3500);
  check((await runs()) === paused, "it goes on while it is paused");
  await page.locator("#live").click();
  await page.waitForFunction((n) => parseInt(document.querySelector("#status .figures").textContent.replaceAll(",", ""), 10) > n, paused, { timeout: 30000 });
});

await step("a campaign", async () => {
  await page.goto(`${base}/c/first`);
  await page.locator("#failures table").waitFor();
  await page.locator('[data-plot="cactus"] path.line').first().waitFor();
  await page.locator('[data-plot="scatter"]').scrollIntoViewIfNeeded();
  await page.locator('[data-plot="scatter"] path.dot').first().waitFor();
  await picture("campaign");
});

await step("plots: hover, zoom, keys", async () => {
  const plot = page.locator('[data-plot="cactus"]');
  await plot.evaluate((figure) => figure.scrollIntoView({ block: "center" }));
  const box = await plot.locator("svg[role=img]").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  check(/mine: \d+ solved/.test(await plot.locator(".plot-tip").textContent()), "no values at the pointer");
  const shape = () => plot.locator("path.line").first().getAttribute("d");
  const whole = await shape();
  await page.mouse.move(box.x + box.width * 0.3, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 200, { steps: 5 });
  await page.mouse.up();
  check((await shape()) !== whole, "no zoom by the pointer");
  await plot.getByRole("button", { name: "Show all" }).click();
  check((await shape()) === whole, "not all is shown again");
  await plot.locator("svg[role=img]").focus();
  await page.keyboard.press("+");
  check((await shape()) !== whole, "no zoom by keys");
  await page.keyboard.press("0");
  await page.keyboard.press("ArrowRight");
  check(await plot.locator(".plot-tip").isVisible(), "no values by keys");
  const dots = page.locator('[data-plot="scatter"]');
  check((await dots.locator(".note").textContent()).includes("Both solve"), "no words about the plot");
});

let link = "";
await step("filter", async () => {
  await page.getByLabel("Verdict").selectOption("wrong-unsat");
  await page.getByLabel("Solver").selectOption("mine");
  await page.getByRole("button", { name: "Find" }).click();
  await page.waitForURL(/verdict=wrong-unsat/);
  await page.locator("#found").waitFor();
  const rows = page.locator("table.runs tbody tr");
  check((await rows.count()) > 3, `${await rows.count()} wrong results`);
  check((await page.locator("#found").textContent()).startsWith(`${await rows.count()} runs`), "the count is another one");
  await picture("runs");
  await page.getByLabel("Text").fill("no such name");
  await page.getByRole("button", { name: "Find" }).click();
  await page.waitForURL(/q=no/);
  await page.locator("#found").waitFor();
  check((await rows.count()) === 0, "text is not looked for");
});

await step("failures, and a script in the output of a solver", async () => {
  await page.goto(`${base}/c/first`);
  await page.locator("#failures a").first().click();
  await page.getByRole("heading", { name: "The smallest" }).waitFor();
  await picture("group");
  await page.getByRole("heading", { name: "The smallest" }).getByRole("link").click();
  await page.getByRole("heading", { name: "Reproduce" }).waitFor();
  link = page.url();
  check((await page.locator("pre.smt").textContent()).includes("<script>"), "the text of the formula is not shown");
  await picture("run");
  await page.goto(`${base}/c/first/runs?verdict=error&q=img`);
  await page.locator("table.runs a").first().waitFor().catch(() => {});
  await page.goto(`${base}/c/first/runs?verdict=error`);
  await page.locator("table.runs a").first().click();
  check((await page.locator("main").textContent()).includes("<script>document.title='hacked'</script>"), "the output is not shown as it is");
});

await step("copy a command", async () => {
  await page.goto(link);
  const command = page.locator(".copied", { hasText: "stringent repro" });
  await command.getByRole("button").click();
  await command.getByRole("button", { name: "copied" }).waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  check(text === (await command.locator("pre").textContent()) && text.startsWith("stringent repro "), text);
});

await step("a permanent link", async () => {
  await page.reload();
  await page.getByRole("heading", { name: "Reproduce" }).waitFor();
  await page.goto(`${base}/c/first`);
  const other = await page.getByLabel("Across").locator("option").last().getAttribute("value");
  await page.goto(`${base}/c/first?a=${encodeURIComponent(other)}&b=mine`);
  await page.locator('[data-plot="scatter"]').scrollIntoViewIfNeeded();
  check((await page.getByLabel("Across").inputValue()) === other, "the link does not keep the solvers of the plot");
});

await step("compare", async () => {
  await page.goto(base);
  await page.getByLabel("Then").selectOption("first");
  await page.getByLabel("Now").selectOption("second");
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByRole("heading", { name: "Totals" }).waitFor();
  await page.getByRole("heading", { name: "Comparison" }).waitFor({ timeout: 30000 });
  await picture("compare");
});

await step("colours", async () => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const button = page.locator("#theme");
  await button.click();
  const light = await ground();
  await button.click();
  check((await ground()) !== light, "the colours stay");
  const dark = await ground();
  await page.reload();
  check((await ground()) === dark, "the colours are forgotten");
  await page.locator("#theme").click();
});

await step("keys and names", async () => {
  await page.goto(`${base}/c/first`);
  await page.keyboard.press("Tab");
  check((await page.evaluate(() => document.activeElement.className)) === "skip", "no way past the navigation");
  for (const role of ["main", "banner", "contentinfo", "search"]) check((await page.getByRole(role).count()) >= 1, `no ${role}`);
  const bare = await page.evaluate(() =>
    [...document.querySelectorAll("input, select, button, svg[role=img], progress")].filter(
      (e) => !e.closest("[hidden]") && !e.labels?.length && !e.getAttribute("aria-label") && !e.textContent.trim(),
    ).length);
  check(bare === 0, `${bare} controls or pictures without a name`);
});

await step("a server that is started again", async () => {
  await page.goto(`${base}/c/first`);
  await page.locator('#live[data-state="live"]').waitFor();
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGINT");
  await ended;
  await page.locator('#live[data-state="lost"]').waitFor({ timeout: 30000 });
  const [, again] = await serve(new URL(base).port);
  check(again === base, `it is at ${again}`);
  await page.locator('#live[data-state="live"]').waitFor({ timeout: 30000 });
  // The browser reports each attempt that failed.
  complaints.length = 0;
  await page.goto(link);
  await page.getByRole("heading", { name: "Reproduce" }).waitFor();
});

await step("400 pixels", async () => {
  await page.setViewportSize({ width: 400, height: 800 });
  const pages = [["overview", "/"], ["campaign", "/c/first"], ["runs", "/c/first/runs?verdict=failures"], ["compare", "/compare?old=first&new=second"], ["run", link.replace(base, "")]];
  for (const [name, path] of pages) {
    await page.goto(base + path);
    await page.waitForTimeout(300);
    await narrow_enough(name);
    if (pictures) {
      await page.locator("figure.plot").last().scrollIntoViewIfNeeded().catch(() => {});
      await page.waitForTimeout(300);
      await page.screenshot({ path: `${pictures}/${name}-400.png`, fullPage: true });
    }
  }
});

await browser.close();
for (const child of started) child.kill("SIGINT");
process.exit(failed ? 1 : 0);
