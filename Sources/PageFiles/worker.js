"use strict";
// The engine in a page. Its module comes once, then questions; each answer carries its question's
// number.

let engine;

async function load(bytes) {
  let module = bytes;
  if (module[0] === 0x1f && module[1] === 0x8b) {
    const stream = new Blob([module]).stream().pipeThrough(new DecompressionStream("gzip"));
    module = new Uint8Array(await new Response(stream).arrayBuffer());
  }
  const { instance } = await WebAssembly.instantiate(module, {});
  if (!instance.exports.goldilocks_page) throw new Error("it is another module");
  engine = instance.exports;
}

/// The answer to a question: a line of JSON, and a section of the page where one was asked for.
function ask(text) {
  const question = new TextEncoder().encode(text);
  const room = engine.goldilocks_reserve(question.length) >>> 0;
  new Uint8Array(engine.memory.buffer, room, question.length).set(question);
  const length = engine.goldilocks_page(question.length);
  // The memory may have grown, so its buffer is asked for again.
  const start = engine.goldilocks_result() >>> 0;
  const [line, ...section] = new TextDecoder()
    .decode(new Uint8Array(engine.memory.buffer, start, length)).split(/\n(.*)/s);
  return { ...JSON.parse(line), section: section[0] };
}

onmessage = async ({ data }) => {
  try {
    if (data.module) {
      await load(data.module);
      postMessage({ ready: true });
    } else {
      const began = performance.now();
      const answer = ask(data.question);
      postMessage({ number: data.number, answer, took: performance.now() - began });
    }
  } catch (error) {
    postMessage({ number: data.number, answer: { error: String(error) } });
  }
};
