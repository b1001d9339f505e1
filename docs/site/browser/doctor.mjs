// The worker in which torchdoctor runs: it gets what was pasted, and answers with a part of a page.
const folder = new URL("../python/", import.meta.url).href;

const start = async () => {
  const wheel = fetch(`${folder}torchdoctor.whl`).then((response) => {
    if (!response.ok) throw new Error(`torchdoctor.whl: ${response.status}`);
    return response.arrayBuffer();
  });
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  const python = await loadPyodide({ indexURL: folder });
  python.unpackArchive(await wheel, "wheel");
  const desk = python.runPython(`
from pathlib import Path
from torchdoctor.commands.paste import Desk
from torchdoctor.core.usage import UsageError

desk = Desk("entries/{}/")

def answer():
    try:
        return desk.answer(Path("/tmp/pasted")).to_json()
    except UsageError as error:
        return str(error).removeprefix("/tmp/pasted: ")

answer
`);
  return { python, desk };
};

const fail = (error) => postMessage({ failed: String(error?.message ?? error) });
// A file of Pyodide that is not there rejects a promise for which nobody waits.
addEventListener("unhandledrejection", (event) => fail(event.reason));

const started = start();
started.then(() => postMessage({ ready: true }), fail);

addEventListener("message", async (event) => {
  const { number, content, markdown } = event.data;
  const { python, desk } = await started;
  try {
    if (markdown) {
      postMessage({ number, markdown: python.runPython("desk.describe_for_issue()") });
      return;
    }
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(await content.arrayBuffer());
    python.FS.writeFile("/tmp/pasted", bytes);
    const said = desk();
    postMessage(said.startsWith("{") ? { number, answer: JSON.parse(said) } : { number, problem: said });
  } catch (error) {
    const lines = String(error?.message ?? error).trim().split("\n");
    postMessage({ number, problem: `torchdoctor failed: ${lines.at(-1)}` });
  }
});
