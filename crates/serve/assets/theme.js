// Sets the colours that the user chose, before the page is drawn.
"use strict";
(() => {
  let theme = "";
  try {
    theme = localStorage.getItem("theme") || "";
  } catch {
    // Storage may be switched off.
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
