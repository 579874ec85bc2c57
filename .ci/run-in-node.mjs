// Runs the engine's WebAssembly build under Node, as a web page would.
//
//   node run-in-node.mjs MODULE SCENARIO          the scenario's trace on standard output
//   node run-in-node.mjs MODULE --all FOLDER OUT  every scenario below a folder, a trace each in
//                                                 OUT, named as `goldilocks run --trace` does
//   node run-in-node.mjs MODULE --drawn FOLDER COMMAND
//                                                 draws every scenario below a folder, and compares
//                                                 with the page that the command writes of it
//
// Exit codes: 0 done; 1 a page that lives on does not answer the same, leaks, or is drawn otherwise
// by the command; 64 wrong arguments; 66 a file is not there; 70 the engine trapped; 74 a file
// cannot be written.

import { spawnSync } from "node:child_process";
import {
  mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync, writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";

/// A page lives long: what it has run before must change no later answer and hold no memory.
const rounds = 5;

const [modulePath, work, ...rest] = process.argv.slice(2);
if (work === undefined || rest.length !== (/^--(all|drawn)$/.test(work) ? 2 : 0)) {
  fail(64, "usage: run-in-node.mjs MODULE (SCENARIO | --all FOLDER OUT | --drawn FOLDER COMMAND)");
}

const engine = await load(modulePath);
if (work === "--all") {
  runAll(...rest);
} else if (work === "--drawn") {
  compareDrawings(...rest);
} else {
  write(ask("goldilocks_run", question(work)));
}

/// Instantiates a module; it asks its host for nothing.
async function load(path) {
  const { instance } = await WebAssembly.instantiate(read(path), {});
  return instance.exports;
}

/// Hands the bytes over, calls one export by name, and copies the answer out.
function ask(name, question) {
  if (engine[name] === undefined) fail(70, `${modulePath} does not export ${name}`);
  try {
    const room = engine.goldilocks_reserve(question.length) >>> 0;
    new Uint8Array(engine.memory.buffer, room, question.length).set(question);
    const length = engine[name](question.length);
    // The memory may have grown, so its buffer is asked for again.
    const start = engine.goldilocks_result() >>> 0;
    return Buffer.from(engine.memory.buffer.slice(start, start + length));
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) fail(70, `the engine trapped: ${error.stack}`);
    throw error;
  }
}

/// Runs every scenario several times in this one page; writes the first answers.
function runAll(folder, out) {
  const names = scenarioNames(folder);
  const questions = names.map((name) => question(join(folder, name)));
  const answers = questions.map((question) => ask("goldilocks_run", question));

  // The second pass still meets the holes that the first one left; from then on nothing may grow.
  let held = 0;
  const begin = performance.now();
  for (let round = 1; round < rounds; round += 1) {
    if (round === 2) held = engine.memory.buffer.byteLength;
    questions.forEach((question, index) => {
      if (ask("goldilocks_run", question).equals(answers[index])) return;
      fail(1, `${names[index]}: run again in the same page, it has another trace`);
    });
  }
  const mean = (performance.now() - begin) / ((rounds - 1) * Math.max(1, names.length));
  const grown = engine.memory.buffer.byteLength - held;
  if (grown > 0) fail(1, `the engine keeps ${grown} bytes after runs it has done before`);

  names.forEach((name, index) => {
    save(join(out, `${name.slice(0, -".json".length)}.trace.jsonl`), answers[index]);
  });
  console.error(
    `${names.length} scenarios in one page: ${mean.toFixed(2)} ms a run, ${held >> 10} KB held`);
}

/// Draws every scenario, and looks for the same bytes in the page of the command.
function compareDrawings(folder, command) {
  const names = scenarioNames(folder);
  const place = mkdtempSync(join(tmpdir(), "drawn-"));
  for (const name of names) {
    const page = join(place, "page.html");
    spawnSync(command, ["run", join(folder, name), "--html", page, "--quiet"]);
    const asked = JSON.parse(question(join(folder, name)).toString());
    const { files, scenario } = asked.trace === undefined ? { scenario: asked } : asked;
    const answer = ask(
      "goldilocks_page", Buffer.from(JSON.stringify({ scenario, files, drawn: true })));
    const section = answer.subarray(answer.indexOf("\n") + 1);
    if (section.length < 1_000 || !read(page).includes(section)) {
      fail(1, `${name}: the page draws it otherwise than the command`);
    }
  }
  rmSync(place, { recursive: true });
  console.error(`${names.length} scenarios drawn by page and command: the same bytes`);
}

/// A scenario as it is; one that names a recorded link or playlists as the header of a trace, which
/// embeds them.
function question(path) {
  const text = read(path);
  const scenario = JSON.parse(text.toString());
  const names = playlistNames(dirname(path), scenario.media?.hls?.playlists);
  if (scenario.link?.trace?.file !== undefined) names.push(scenario.link.trace.file);
  if (names.length === 0) return text;
  const files = Object.fromEntries(
    names.map((name) => [name, read(join(dirname(path), name)).toString()]));
  return Buffer.from(JSON.stringify({ trace: 3, files, scenario }));
}

/// Every playlist in the folder of the one that is named, or in the folder that is named.
function playlistNames(base, playlists) {
  if (playlists === undefined) return [];
  const folder = playlists.endsWith(".m3u8") ? dirname(playlists) : playlists;
  return readdirSync(join(base, folder), { recursive: true })
    .filter((name) => name.endsWith(".m3u8"))
    .map((name) => join(folder, name))
    .sort();
}

function scenarioNames(folder) {
  try {
    return readdirSync(folder, { recursive: true })
      .filter((name) => name.endsWith(".json"))
      .filter((name) => !name.split(sep).some((part) => part.startsWith(".")))
      .sort();
  } catch (error) {
    fail(66, `${folder}: ${error.message}`);
  }
}

function read(path) {
  try {
    return readFileSync(path);
  } catch (error) {
    fail(66, `${path}: ${error.message}`);
  }
}

function save(path, bytes) {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  } catch (error) {
    fail(74, `${path}: ${error.message}`);
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
