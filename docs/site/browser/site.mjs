// On each page: a button for each block of code.
import { addCopying } from "./copying.mjs";

for (const box of document.querySelectorAll(".md-content .code, .md-content .highlight")) addCopying(box, () => {});
