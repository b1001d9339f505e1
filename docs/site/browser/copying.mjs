// Buttons that copy the code of a page.
export const makeButton = (text, act) => {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", textContent: text, className: "paste-button" });
  button.addEventListener("click", () => act(button));
  return button;
};

// Copies a text; `say` is told what came of it.
export const copy = async (text, button, say) => {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    say("Copied.");
  } catch {
    say("This browser lets no page copy: select the text, and press Ctrl+C.");
  }
  setTimeout(() => { button.textContent = before; }, 1500);
};

export const addCopying = (box, say) => {
  const code = box.querySelector("pre");
  const button = makeButton("Copy", () => copy(code.textContent, button, say));
  const label = box.dataset.label ?? code.textContent.trim().split("\n")[0].slice(0, 60);
  button.setAttribute("aria-label", `Copy: ${label}`);
  box.append(button);
};
