// Runs the engine's WebAssembly build under Node, as a web page would.
//
//   node run-in-node.mjs MODULE SCENARIO       the scenario's trace on standard output
//   node run-in-node.mjs MODULE --self-check   results to compare with those of a native build
//
// Exit codes: 0 done; 64 wrong arguments; 66 a file is not there; 70 the engine trapped.

import { readFileSync, writeSync } from "node:fs";

const selfCheckSeed = "goldilocks";

const [modulePath, input, ...rest] = process.argv.slice(2);
if (input === undefined || rest.length > 0) {
  fail(64, "usage: run-in-node.mjs MODULE (SCENARIO | --self-check)");
}

const engine = await load(modulePath);
const selfCheck = input === "--self-check";
const question = selfCheck ? new TextEncoder().encode(selfCheckSeed) : read(input);
const work = selfCheck ? "goldilocks_self_check" : "goldilocks_run";
if (engine[work] === undefined) fail(70, `${modulePath} does not export ${work}`);
write(ask(engine, work, question));

/// Instantiates a module; it asks its host for nothing.
async function load(path) {
  const { instance } = await WebAssembly.instantiate(read(path), {});
  return instance.exports;
}

/// Hands the bytes over, calls one export by name, and copies the answer out.
function ask(engine, work, question) {
  try {
    const room = engine.goldilocks_reserve(question.length) >>> 0;
    new Uint8Array(engine.memory.buffer, room, question.length).set(question);
    const length = engine[work](question.length);
    // The memory may have grown, so its buffer is asked for again.
    const start = engine.goldilocks_result() >>> 0;
    return new Uint8Array(engine.memory.buffer, start, length).slice();
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) fail(70, `the engine trapped: ${error.stack}`);
    throw error;
  }
}

function read(path) {
  try {
    return readFileSync(path);
  } catch (error) {
    fail(66, `${path}: ${error.message}`);
  }
}

/// A pipe may take only a part at a time.
function write(bytes) {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(1, bytes, done);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

function fail(code, message) {
  console.error(message);
  process.exit(code);
}
