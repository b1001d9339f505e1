// The worker in which torchdoctor runs: it gets what was pasted, and answers with a part of a page.
const folder = new URL("../python/", import.meta.url).href;

// The memory of Python when torchdoctor is ready, from an earlier visit: starting from it takes a fraction of the time.
const memories = "python-of-torchdoctor";

const setUp = `
from pathlib import Path
from torchdoctor.commands.paste import Desk
from torchdoctor.core.usage import UsageError

desk = Desk("entries/{}/")

def answer():
    try:
        return desk.answer(Path("/tmp/pasted")).to_json()
    except UsageError as error:
        return str(error).removeprefix("/tmp/pasted: ")

# What an answer imports is imported now.
Path("/tmp/pasted").write_text("OSError: [WinError 1455] The paging file is too small")
answer()
None
`;

const get = async (name) => {
  const response = await fetch(folder + name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response;
};

const findMemory = async (version) => {
  try {
    const kept = await (await caches.open(memories)).match(folder + version);
    return kept && new Uint8Array(await kept.arrayBuffer());
  } catch {
    return undefined; // Some browsers keep nothing in private windows.
  }
};

const keepMemory = async (version, memory) => {
  try {
    const cache = await caches.open(memories);
    for (const old of await cache.keys()) await cache.delete(old);
    await cache.put(folder + version, new Response(memory));
  } catch {
    // A full disk: the next visit takes as long as this one.
  }
};

const forgetMemory = async () => {
  try {
    await caches.delete(memories);
  } catch {
    // It could not be read either.
  }
};

// Pyodide waits for ever for a file that cannot be fetched, as where a proxy blocks programs.
const fetchProgram = async () => { await (await get("pyodide.asm.wasm")).arrayBuffer(); };

const begin = async () => {
  const wheel = get("torchdoctor.whl").then((response) => response.arrayBuffer());
  const version = (await (await get("version.txt")).text()).trim();
  const [{ loadPyodide }, memory] = await Promise.all([import(`${folder}pyodide.mjs`), findMemory(version)]);
  if (memory) {
    try {
      const python = await loadPyodide({ indexURL: folder, _loadSnapshot: memory });
      // The files are not in the memory; what is imported later is read from them.
      python.unpackArchive(await wheel, "wheel");
      return python;
    } catch {
      await forgetMemory();
    }
  }
  const python = await loadPyodide({ indexURL: folder, _makeSnapshot: true });
  python.unpackArchive(await wheel, "wheel");
  python.runPython(setUp);
  const made = python.makeMemorySnapshot();
  setTimeout(() => keepMemory(version, made), 2000);
  return python;
};

const fail = (error) => postMessage({ failed: String(error?.message ?? error) });
// A file of Pyodide that is not there rejects a promise for which nobody waits.
addEventListener("unhandledrejection", (event) => fail(event.reason));

fetchProgram().catch(fail);
const started = begin().then((python) => ({ python, answer: python.runPython("answer") }));
started.then(() => postMessage({ ready: true }), fail);

addEventListener("message", async (event) => {
  const { number, content, markdown } = event.data;
  const { python, answer } = await started;
  try {
    if (markdown) {
      postMessage({ number, markdown: python.runPython("desk.describe_for_issue()") });
      return;
    }
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(await content.arrayBuffer());
    python.FS.writeFile("/tmp/pasted", bytes);
    const said = answer();
    postMessage(said.startsWith("{") ? { number, answer: JSON.parse(said) } : { number, problem: said });
  } catch (error) {
    const lines = String(error?.message ?? error).trim().split("\n");
    postMessage({ number, problem: `torchdoctor failed: ${lines.at(-1)}` });
  }
});
