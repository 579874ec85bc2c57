// Holds the page's 128-bit integers (Sources/BrowserRuntime/WideIntegers.c) against JavaScript's.
// The traces of scenarios hardly ever divide by more than 64 bits; these numbers do.
//
//   node wide-integers.mjs CLANG      from the repository's folder
//
// Exit codes: 0 all the same; 1 a result differs.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const random = 20_000;
const signed = (value) => BigInt.asIntN(128, value);
const unsigned = (value) => BigInt.asUintN(128, value);

/// By the name that the compiler calls, the operands as it takes them and the result.
const divisions = {
  __udivti3: (a, b) => unsigned(a) / unsigned(b),
  __umodti3: (a, b) => unsigned(a) % unsigned(b),
  __divti3: (a, b) => signed(a) / signed(b),
  __modti3: (a, b) => signed(a) % signed(b),
};
const shifts = {
  __ashlti3: (a, count) => a << count,
  __lshrti3: (a, count) => unsigned(a) >> count,
  __ashrti3: (a, count) => signed(a) >> count,
};
const all = { __multi3: (a, b) => a * b, ...divisions, ...shifts };

const runtime = await build(process.argv[2]);
const memory = new DataView(runtime.memory.buffer);
const place = runtime.__heap_base.value;

let checked = 0;
for (const a of edges()) {
  for (const b of edges()) check(a, b);
  for (let count = 0n; count < 128n; count += 1n) checkShifts(a, count);
}
let state = 1n;
for (let round = 0; round < random; round += 1) {
  const [a, b] = [sized(), sized()];
  check(a, b);
  checkShifts(a, next() & 127n);
}
console.log(`${checked} results of 128-bit arithmetic are JavaScript's.`);

async function build(clang) {
  const folder = mkdtempSync(join(tmpdir(), "wide-integers-"));
  const module = join(folder, "module.wasm");
  const exported = [...Object.keys(all), "__heap_base"].map((name) => `-Wl,--export=${name}`);
  execFileSync(clang, [
    "--target=wasm32-unknown-none-wasm", "-O2", "-nostdlib", "-Wl,--no-entry", ...exported,
    "-ISources/BrowserRuntime/include", "Sources/BrowserRuntime/WideIntegers.c", "-o", module,
  ], { stdio: "inherit" });
  const { instance } = await WebAssembly.instantiate(readFileSync(module), {});
  rmSync(folder, { recursive: true });
  return instance.exports;
}

/// Both ends of every size of word, and their neighbours.
function edges() {
  const powers = [0n, 1n, 31n, 32n, 33n, 63n, 64n, 65n, 95n, 96n, 126n, 127n].map((n) => 1n << n);
  const near = powers.flatMap((power) => [power - 1n, power, power + 1n]);
  return near.flatMap((value) => [signed(value), signed(-value)]);
}

/// SplitMix64.
function next() {
  state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
  let mixed = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
  mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
  return mixed ^ (mixed >> 31n);
}

/// A number of any magnitude: small ones are as likely as large ones.
function sized() {
  const count = next() & 127n;
  return signed((next() << 64n) | next()) >> count;
}

function check(a, b) {
  compare("__multi3", a, b, ...halves(b));
  if (b === 0n) return;
  for (const name of Object.keys(divisions)) compare(name, a, b, ...halves(b));
}

function checkShifts(a, count) {
  for (const name of Object.keys(shifts)) compare(name, a, count, Number(count));
}

function compare(name, a, b, ...operand) {
  runtime[name](place, ...halves(a), ...operand);
  const result = memory.getBigInt64(place + 8, true) << 64n | memory.getBigUint64(place, true);
  checked += 1;
  if (signed(result) === signed(all[name](a, b))) return;
  console.error(`${name}(${a}, ${b}) is ${result}, not ${signed(all[name](a, b))}`);
  process.exit(1);
}

/// The low and the high half.
function halves(value) {
  return [BigInt.asIntN(64, value), BigInt.asIntN(64, value >> 64n)];
}
