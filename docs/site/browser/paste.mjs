// The page that answers: takes a text or a file, gives it to the worker, and shows the answer.
import { addCopying, copy, makeButton } from "./copying.mjs";

const at = (id) => document.getElementById(id);
const form = at("paste"), field = at("paste-text"), file = at("paste-file"), status = at("paste-status");
const answer = at("paste-answer"), early = at("paste-early"), attached = at("paste-attached");
const site = new URL("../", import.meta.url);

// The time until the page says that something is wrong; the first visit takes minutes on a slow line.
const patience = 180_000;
// What is in the field is kept until this tab is closed, so that going back or loading again does not lose it.
const keptText = "torchdoctor-text";
// A field with a long text makes the browser slow: such a text is kept beside it.
const longText = 200_000;
let attachment = null;
let number = 0;
let isReady = false;
let waiting = null;
let doctor = null;

const say = (text) => { status.textContent = text; };
const describeSize = (bytes) => (bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} KB` : `${(bytes / 1e6).toFixed(1)} MB`);

const startDoctor = () => {
  if (doctor) return;
  say("torchdoctor is loading in this page. You can paste already.");
  // A worker of a blob has the policy of this page: it can reach no other site.
  const source = new Blob([`import ${JSON.stringify(new URL("doctor.mjs", import.meta.url).href)};`], { type: "text/javascript" });
  doctor = new Worker(URL.createObjectURL(source), { type: "module" });
  doctor.addEventListener("message", receive);
  doctor.addEventListener("error", () => fail("the worker could not be started"));
  setTimeout(() => fail("it took too long"), patience);
};

const fail = (reason) => {
  if (isReady) return;
  say(`torchdoctor could not be loaded in this browser (${reason}). The search of this site finds error numbers and texts.`);
  status.append(" ", makeButton("Try again", () => location.reload()));
  showEarly(true);
};

const receive = ({ data }) => {
  if (data.failed) return fail(data.failed);
  if (data.ready) {
    isReady = true;
    document.documentElement.dataset.doctor = "ready";
    if (!waiting) say("Ready. What you paste stays in this page.");
    keepOffline();
    return;
  }
  if (data.markdown !== undefined) {
    if (data.number === number) copy(data.markdown, at("paste-markdown"), say);
    return;
  }
  if (data.number !== number) return;
  waiting = null;
  early.hidden = true;
  if (data.problem) {
    say(data.problem);
    answer.replaceChildren();
    document.documentElement.dataset.answered = String(number);
    return;
  }
  show(data.answer);
};

const show = (found) => {
  // torchdoctor has escaped every text in it; the policy of this page lets no script in it run.
  answer.innerHTML = found.html;
  for (const box of answer.querySelectorAll(".code")) addCopying(box, say);
  for (const table of answer.querySelectorAll("table")) {
    const frame = document.createElement("div");
    frame.className = "paste-scroll";
    table.replaceWith(frame);
    frame.append(table);
  }
  const tools = document.createElement("p");
  tools.className = "paste-tools";
  const markdown = makeButton("Copy for an issue (Markdown)", askForMarkdown);
  markdown.id = "paste-markdown";
  tools.append(markdown);
  if (found.is_answered) {
    const link = makeButton("Copy a link to this problem", (button) => copyLink(found.names[0], button));
    link.id = "paste-link";
    tools.append(link);
  }
  answer.prepend(tools);
  answer.dataset.names = JSON.stringify(found.names);
  const isGuessed = found.names.length && !found.is_answered;
  say(isGuessed ? `${found.title}. The closest problems are below.` : "The answer is below.");
  answer.hidden = false;
  answer.focus({ preventScroll: true });
  answer.scrollIntoView({ block: "start" });
  document.documentElement.dataset.answered = String(number);
};

const askForMarkdown = () => doctor.postMessage({ number, markdown: true });
const copyLink = (name, button) => copy(new URL(`entries/${name}/`, site).href, button, say);

const explain = () => {
  const content = attachment ?? field.value;
  if (typeof content === "string" && !content.trim()) {
    say("Paste the text of the error first.");
    answer.replaceChildren();
    field.focus();
    return;
  }
  startDoctor();
  keepText(typeof content === "string" ? content : "");
  number += 1;
  waiting = content;
  say(isReady ? "Reading the text …" : "torchdoctor is loading; the answer comes by itself.");
  if (!isReady) showEarly(false);
  doctor.postMessage({ number, content });
};

const keepText = (text) => {
  try {
    sessionStorage.setItem(keptText, text.length > longText ? "" : text);
  } catch {
    // Some browsers keep nothing.
  }
};

const findText = () => {
  try {
    return sessionStorage.getItem(keptText) ?? "";
  } catch {
    return "";
  }
};

const attach = (content, name) => {
  attachment = content;
  field.value = "";
  attached.textContent = `${name}, ${describeSize(content.size)}`;
  attached.hidden = false;
  explain();
};

const detach = () => {
  attachment = null;
  attached.hidden = true;
};

const takeFiles = (files) => {
  if (files.length > 1) return say("One file at a time, please: the one with the error.");
  if (files.length) attach(files[0], files[0].name);
};

form.addEventListener("submit", (event) => { event.preventDefault(); explain(); });
form.addEventListener("reset", () => {
  detach();
  keepText("");
  number += 1;
  waiting = null;
  answer.replaceChildren();
  early.hidden = true;
  say(isReady ? "Ready. What you paste stays in this page." : "torchdoctor is loading in this page.");
});
field.addEventListener("input", () => { if (field.value) detach(); startDoctor(); });
field.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) explain(); });
field.addEventListener("paste", (event) => {
  const files = event.clipboardData.files;
  const text = event.clipboardData.getData("text/plain");
  if (files.length && !text) {
    event.preventDefault();
    takeFiles(files);
  } else if (text.length > longText) {
    event.preventDefault();
    attach(new Blob([text]), "Pasted text");
  } else {
    setTimeout(explain);
  }
});
at("paste-choose").addEventListener("click", () => file.click());
file.addEventListener("change", () => { takeFiles(file.files); file.value = ""; });
addEventListener("dragover", (event) => { event.preventDefault(); form.classList.add("dragged"); });
addEventListener("dragleave", () => form.classList.remove("dragged"));
addEventListener("drop", (event) => {
  event.preventDefault();
  form.classList.remove("dragged");
  if (event.dataTransfer.files.length) return takeFiles(event.dataTransfer.files);
  const text = event.dataTransfer.getData("text/plain");
  if (text) attach(new Blob([text]), "Dropped text");
});

// Until Python is there, error numbers and texts are looked up in a small index.
let entries = null;
// A shorter text occurs in many errors.
const longEnough = 10;
const loadEntries = async () => (entries ??= fetch(new URL("entries.json", import.meta.url)).then((response) => response.json()));
const showEarly = async (isFinal) => {
  const asked = number;
  const content = attachment ? await attachment.slice(0, longText).text() : field.value;
  const text = content.slice(0, longText).toLowerCase();
  // A number counts where the text calls it an error, or where it is as long as an exit code.
  const numbers = new Set([...text.matchAll(/0x[0-9a-f]{8}|-?\d{9,10}|(?:error|errno|exit|code)\D{0,12}?(\d{2,6})/g)].map((match) => match[1] ?? match[0]));
  const rate = (entry) => Math.max(
    0, ...entry.texts.filter((each) => text.includes(each)).map((each) => each.length),
    ...(entry.numbers.some((each) => numbers.has(each.toLowerCase())) ? [longEnough] : []));
  const rated = (await loadEntries()).map((entry) => ({ ...entry, rate: rate(entry) }));
  const found = rated.filter((entry) => entry.rate >= longEnough).sort((one, other) => other.rate - one.rate);
  if (asked !== number || (isReady && !isFinal && !waiting)) return;
  const items = found.slice(0, 5).map((entry) => {
    const item = document.createElement("li"), link = document.createElement("a");
    link.href = new URL(`entries/${entry.name}/`, site).href;
    link.textContent = entry.title;
    item.append(link);
    return item;
  });
  early.querySelector("ul").replaceChildren(...items);
  early.hidden = !items.length;
};

const keepOffline = async () => {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register(new URL("service_worker.js", site));
    (await navigator.serviceWorker.ready).active.postMessage("keep the rest");
    document.documentElement.dataset.offline = "ready";
  } catch {
    // Without it, the page works with a network only.
  }
};

if (!field.value) field.value = findText();
if (navigator.connection?.saveData) {
  say("torchdoctor loads (9 MB) when you paste something.");
} else {
  startDoctor();
}
