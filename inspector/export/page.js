"use strict";
(() => {
  const tools = document.getElementById("tools");
  const all = [...document.querySelectorAll(".entry, tbody tr")];
  const texts = new Map();
  const folded = [...document.querySelectorAll("details")];
  const make = (name, text) => {
    const element = document.createElement(name);
    element.textContent = text;
    return tools.appendChild(element);
  };

  const box = make("input", "");
  box.type = "search";
  box.placeholder = "Search";
  box.setAttribute("aria-label", "Search");
  const count = make("span", "");
  count.className = "note";
  count.setAttribute("role", "status");
  make("button", "Open all").addEventListener("click", () => fold(true));
  make("button", "Fold all").addEventListener("click", () => fold(false));

  const fold = open => {
    for (const d of folded) {
      if (!d.classList.contains("json") || !open) d.open = open;
    }
  };

  const textOf = element => {
    let text = texts.get(element);
    if (text === undefined) {
      text = element.textContent.toLowerCase();
      texts.set(element, text);
    }
    return text;
  };

  const search = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const element of all) {
      const text = words.length ? textOf(element) : "";
      element.hidden = !words.every(word => text.includes(word));
      if (!element.hidden) found++;
    }
    if (words.length) {
      for (const d of document.querySelectorAll("details.section")) d.open = true;
    }
    count.textContent = words.length ? `${found} of ${all.length}` : "";
  };

  let due = 0;
  box.addEventListener("input", () => {
    clearTimeout(due);
    due = setTimeout(search, 120);
  });
  document.addEventListener("keydown", event => {
    if (event.key === "/" && document.activeElement !== box) {
      event.preventDefault();
      box.focus();
    }
    if (event.key === "Escape" && document.activeElement === box) {
      box.value = "";
      search();
    }
  });
})();
