// Opens pages in Firefox and uses their engine.
//
//   node page-in-firefox.mjs GOLDILOCKS MODULE OUT [CHANGES]
//
// Each page loads nothing and has its picture and a cursor by keys; CHANGES changes through its
// controls give the digest that the command gives for the exported scenario.
//
// Exit codes: 0 all held; 1 something did not; 64 wrong arguments; 66 there is no Firefox.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const scenarios = [
  "demo/demo-2-slow-server-play", "variants/hls-goes-down-before-it-stalls",
  "live/hls-live-stall-at-the-edge", "links/outage-stalls-and-resumes-tcp",
];

const [goldilocks, wasm, out, changes = "20"] = process.argv.slice(2);
if (out === undefined) {
  console.error("usage: page-in-firefox.mjs GOLDILOCKS MODULE OUT [CHANGES]");
  process.exit(64);
}
const firefox = ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find(existsSync);
if (!firefox) {
  console.error("no Firefox: install Debian's package firefox-esr");
  process.exit(66);
}

let failures = 0;
function check(holds, words) {
  if (holds) return;
  failures += 1;
  console.error(`FAILED: ${words}`);
}

const pause = (time) => new Promise((done) => setTimeout(done, time));

// MARK: - A browser behind a port

const profile = mkdtempSync(join(tmpdir(), "firefox-"));
writeFileSync(join(profile, "user.js"), 'user_pref("marionette.port", 0);\n');
const browser = spawn(firefox,
  ["--headless", "--marionette", "--no-remote", "--profile", profile, "about:blank"],
  { stdio: "ignore", env: { ...process.env, HOME: profile } });

/// Marionette writes the port that it took into the profile.
async function port() {
  const file = join(profile, "MarionetteActivePort");
  for (let turn = 0; turn < 600; turn += 1) {
    if (existsSync(file)) {
      const text = readFileSync(file, "utf8").trim();
      if (text) return Number(text);
    }
    await pause(100);
  }
  throw new Error("Firefox does not answer");
}

const pending = new Map();
let counter = 0;
let rest = Buffer.alloc(0);
let socket;

/// A message is its length in digits, a colon and JSON: `[1, number, error, result]`.
function receive(data) {
  rest = Buffer.concat([rest, data]);
  for (let colon = rest.indexOf(":"); colon >= 0; colon = rest.indexOf(":")) {
    const end = colon + 1 + Number(rest.subarray(0, colon).toString());
    if (rest.length < end) return;
    const message = JSON.parse(rest.subarray(colon + 1, end).toString());
    rest = rest.subarray(end);
    if (!Array.isArray(message)) continue;
    const [, number, error, result] = message;
    const { done, fail } = pending.get(number);
    pending.delete(number);
    if (error) fail(new Error(error.message)); else done(result);
  }
}

function send(name, parameters = {}) {
  counter += 1;
  const text = JSON.stringify([0, counter, name, parameters]);
  socket.write(`${Buffer.byteLength(text)}:${text}`);
  return new Promise((done, fail) => pending.set(counter, { done, fail }));
}

async function value(expression) {
  const script = `return (${expression});`;
  // The names of the page's script are not properties of its window.
  const { value } = await send("WebDriver:ExecuteScript", { script, args: [], sandbox: null });
  return value;
}

async function until(expression, limit = 30_000) {
  for (const begin = Date.now(); Date.now() - begin < limit;) {
    if (await value(expression).catch(() => false)) return true;
    await pause(20);
  }
  return false;
}

// MARK: - Pages

async function use(name, count) {
  const page = resolve(out, `${name.split("/").pop()}.html`);
  const stdio = ["ignore", "pipe", "ignore"];
  execFileSync(goldilocks,
    ["run", `Scenarios/${name}.json`, "--quiet", "--html", page, "--engine", wasm], { stdio });
  await send("WebDriver:Navigate", { url: `file://${page}` });
  const section = "document.querySelector('section.run')";
  check(await value(`[...document.querySelectorAll("svg.run")]
    .some((svg) => svg.getBoundingClientRect().width > 300)`), `${name}: a picture`);
  const figure = `${section}.querySelector("figure.picture")`;
  const begin = await value(`${figure}.getAttribute("aria-valuetext")`);
  await value(`["End", ",", "ArrowLeft"].forEach((key) =>
    ${figure}.dispatchEvent(new KeyboardEvent("keydown", { key })))`);
  check(await value(`${figure}.getAttribute("aria-valuetext")`) !== begin,
    `${name}: keys move the cursor`);
  check(await until(`${section}.querySelectorAll("form [data-path]").length > 3`),
    `${name}: the controls are there`);
  for (let change = 0; change < count; change += 1) {
    const place = (change * 37 + 11) % 101;
    await value(`(() => {
      const controls = [...document.querySelectorAll("form input[type=range]")];
      const control = controls[${change} % controls.length];
      delete ${section}.dataset.digest;
      control.value = ${place};
      control.dispatchEvent(new Event("input"));
    })()`);
    check(await until(`${section}.dataset.digest`), `${name}: an answer to change ${change}`);
    const digest = await value(`${section}.dataset.digest`);
    await value(`[...document.querySelectorAll("form button")]
      .find((button) => button.textContent === "Scenario").click()`);
    const file = resolve("Scenarios", name, "..", `.firefox-${process.pid}.json`);
    writeFileSync(file, await value(`${section}.querySelector("textarea").value`));
    const run = JSON.parse(execFileSync(goldilocks, ["run", file, "--format", "json"], { stdio }));
    rmSync(file);
    check(run.scenarios[0].digest === digest,
      `${name}, change ${change}: ${digest} in the page, ` +
        `${run.scenarios[0].digest} by the command`);
  }
  const loaded = await value(`performance.getEntriesByType("resource").map((entry) => entry.name)
    .filter((name) => !name.startsWith("blob:"))`);
  check(loaded.length === 0, `${name}: nothing is loaded: ${loaded}`);
}

mkdirSync(out, { recursive: true });
const begin = Date.now();
try {
  socket = connect(await port(), "127.0.0.1");
  socket.on("data", receive);
  await send("WebDriver:NewSession", {});
  for (const name of scenarios) await use(name, Math.ceil(Number(changes) / scenarios.length));
  console.log(`Firefox: ${changes} changes in ${((Date.now() - begin) / 1000).toFixed(0)} s`);
} finally {
  browser.kill();
  socket?.destroy();
  await Promise.race([new Promise((done) => browser.once("exit", done)), pause(5000)]);
  rmSync(profile, { recursive: true, force: true, maxRetries: 20 });
}
process.exit(failures === 0 ? 0 : 1);
