"use strict";
// The page is complete without this: it adds copying, filtering, and unfolding for print.
(() => {
  const status = document.getElementById("status");
  const say = (text) => { status.textContent = ""; setTimeout(() => { status.textContent = text; }, 50); };
  for (const box of document.querySelectorAll(".code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy: " + box.dataset.label);
    button.addEventListener("click", async () => {
      const text = box.querySelector("pre").textContent;
      let done = false;
      try {
        await navigator.clipboard.writeText(text);
        done = true;
      } catch {
        // A page opened from a file may not have the clipboard: select the text in its place.
        const selection = window.getSelection();
        const range = document.createRange();
        range.selectNodeContents(box.querySelector("pre"));
        selection.removeAllRanges();
        selection.addRange(range);
        done = document.execCommand("copy");
      }
      button.textContent = done ? "Copied" : "Selected";
      say(done ? "Copied" : "Selected: press Ctrl+C");
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    box.append(button);
  }
  const field = document.getElementById("filter");
  if (field) {
    field.closest(".filter").hidden = false;
    const items = [...document.querySelectorAll("[data-item]")];
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const item of items) {
        const text = item.textContent.toLowerCase();
        item.hidden = !words.every((word) => text.includes(word));
        if (!item.hidden) shown += 1;
      }
      for (const fold of document.querySelectorAll("details.list")) {
        if (words.length) fold.open = [...fold.querySelectorAll("[data-item]")].some((item) => !item.hidden);
      }
      say(shown + " of " + items.length + " shown");
    });
  }
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    const body = table.tBodies[0];
    const read = (row, column) => row.cells[column].dataset.sort ?? row.cells[column].textContent;
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const last = head.getAttribute("aria-sort") ?? (head.dataset.first ? "ascending" : "");
        const direction = last === "ascending" ? -1 : 1;
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
        const compare = new Intl.Collator("en", { numeric: true }).compare;
        const number = (text) => (/^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : NaN);
        const rows = [...body.rows].map((row) => [read(row, column), row]);
        rows.sort(([one], [other]) => {
          const difference = number(one) - number(other);
          return direction * (Number.isNaN(difference) ? compare(one, other) : difference);
        });
        body.append(...rows.map(([, row]) => row));
        say("Sorted by " + button.textContent);
      });
    });
  }
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const each of folded) each.open = true;
  });
  window.addEventListener("afterprint", () => { for (const each of folded) each.open = false; });
})();
