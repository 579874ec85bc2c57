// Pages for people who see colours differently, read by screen reader, on a phone or on paper.
//
//   node page-for-everybody.mjs GOLDILOCKS MODULE OUT AXE
//
// AXE is the file axe.min.js. axe finds nothing at 390 and 1280 px, light and dark, in pages of
// runs and of a comparison; marks stand out from the paper by 3 : 1 and states are apart under
// three simulated colour deficiencies or by texture; every control is reached by keyboard; a page
// on paper has picture and tables and no controls.
//
// Exit codes: 0 all held; 1 something did not; 64 wrong arguments; 66 there is no Chromium.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { closeBrowser, Tab } from "./chromium.mjs";

const scenarios = [
  "demo/demo-2-slow-server-play", "variants/hls-goes-down-before-it-stalls",
  "live/hls-live-stall-at-the-edge", "queues-and-loops/queue-own-assets",
  "sharing-a-link/two-players-share-the-link",
];

const [goldilocks, wasm, out, axe] = process.argv.slice(2);
if (axe === undefined) {
  console.error("usage: page-for-everybody.mjs GOLDILOCKS MODULE OUT AXE");
  process.exit(64);
}

let failures = 0;
function check(holds, words) {
  if (holds) return;
  failures += 1;
  console.error(`FAILED: ${words}`);
}

function command(...rest) {
  execFileSync(goldilocks, rest, { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
}

const theme = (value) => [{ name: "prefers-color-scheme", value }];

// MARK: - axe

async function asked(tab, page, name) {
  const source = readFileSync(axe, "utf8");
  for (const width of [390, 1280]) {
    for (const mode of ["light", "dark"]) {
      await tab.size(width, 900, theme(mode));
      await tab.go(page);
      await tab.until("!document.querySelector('script.question') || runs[0].controls.isFilled");
      await tab.value(`${source}; undefined`);
      const found = await tab.value(`axe.run(document, { resultTypes: ["violations"] })
        .then(({ violations }) => violations.map(({ id, nodes }) =>
          \`\${id}: \${nodes.slice(0, 3).map(({ html }) => html.slice(0, 120)).join(" | ")}\`))`);
      check(found.length === 0, `${name}, ${width} px, ${mode}: axe: ${found.join("; ")}`);
    }
  }
}

// MARK: - Colours

/// Red, green and blue of a style variable, each linear from 0 to 1.
async function colours(tab, names) {
  const texts = await tab.value(`(() => {
    const style = getComputedStyle(document.querySelector("svg.run"));
    return ${JSON.stringify(names)}.map((name) => style.getPropertyValue("--" + name).trim());
  })()`);
  return new Map(names.map((name, place) => {
    const digits = texts[place].slice(1);
    const parts = digits.length === 3 ? [...digits].map((d) => d + d) : digits.match(/../g);
    return [name, parts.map((part) => {
      const share = parseInt(part, 16) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    })];
  }));
}

const product = (matrix, colour) => matrix.map((row) =>
  row.reduce((sum, factor, place) => sum + factor * colour[place], 0));
const luminance = ([red, green, blue]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

function contrast(one, other) {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

/// Machado, Oliveira and Fernandes (2009), at full severity, over linear light.
const deficiencies = {
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039]],
};

function lab(colour) {
  const seen = colour.map((part) => Math.min(Math.max(part, 0), 1));
  const xyz = product(
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]], seen);
  const [x, y, z] = [xyz[0] / 0.9505, xyz[1], xyz[2] / 1.089].map((part) =>
    (part > 216 / 24389 ? Math.cbrt(part) : (24389 / 27 * part + 16) / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const distance = (one, other) =>
  Math.hypot(...lab(one).map((part, place) => part - lab(other)[place]));

/// Marks without an outline of another colour, and outlines of the pale ones.
const marks = ["ink", "faint", "blue", "green", "play", "gold", "red", "amber", "line"];
/// Pairs that have the same texture: filled, or a line.
const pairs = [["grey", "play"], ["grey", "v3"], ["blue", "green"], ["blue", "red"],
  ["green", "red"], ["blue", "line"]];

async function seen(tab, page) {
  for (const mode of ["light", "dark"]) {
    await tab.size(1280, 900, theme(mode));
    await tab.go(page);
    const names = [...new Set(["paper", ...marks, ...pairs.flat()])];
    const found = await colours(tab, names);
    for (const name of marks) {
      const ratio = contrast(found.get(name), found.get("paper"));
      check(ratio >= 3, `${mode}: ${name} on paper has ${ratio.toFixed(2)} : 1`);
    }
    for (const [one, other] of pairs) {
      for (const [name, matrix] of Object.entries(deficiencies)) {
        const [a, b] = [one, other].map((key) => product(matrix, found.get(key)));
        check(distance(a, b) >= 10,
          `${mode}: ${one} and ${other} under ${name} are apart by ${distance(a, b).toFixed(1)}`);
      }
    }
  }
}

// MARK: - Keyboard

/// Tab comes to every control that a pointer can use.
async function reached(tab, page, name) {
  await tab.size(1280);
  await tab.go(page);
  await tab.until("!document.querySelector('script.question') || runs[0].controls");
  const all = `[...document.querySelectorAll(
    "a[href], button, select, input, textarea:not([hidden]), summary, figure.picture, .scroll")]
    .filter((node) => node.getClientRects().length > 0)`;
  const count = await tab.value(`${all}.length`);
  const been = new Set();
  for (let turn = 0; turn < count + 5; turn += 1) {
    await tab.send("Input.dispatchKeyEvent", { type: "keyDown", key: "Tab", code: "Tab",
      windowsVirtualKeyCode: 9 });
    await tab.send("Input.dispatchKeyEvent", { type: "keyUp", key: "Tab", code: "Tab",
      windowsVirtualKeyCode: 9 });
    been.add(await tab.value(`${all}.indexOf(document.activeElement)`));
  }
  been.delete(-1);
  check(been.size === count, `${name}: Tab reaches ${been.size} of ${count} controls`);
}

// MARK: - Paper

async function printed(tab, page, name) {
  await tab.size(794, 1123);
  await tab.send("Emulation.setEmulatedMedia", { media: "print" });
  await tab.go(page);
  const isShown = (selector) => tab.value(`[...document.querySelectorAll("${selector}")]
    .some((node) => node.getBoundingClientRect().height > 10)`);
  const parts = name === "comparison" ? ["svg.front", "table.results"]
    : ["svg.run", ".figures", ".panel", ".decisions"];
  for (const part of parts) check(await isShown(part), `${name}: ${part} is printed`);
  check(!await isShown("form"), `${name}: no controls are printed`);
  const wide = await tab.value("document.documentElement.scrollWidth");
  check(wide <= 794, `${name}: ${wide} px wide on paper of 794 px`);
  await tab.send("Emulation.setEmulatedMedia", { media: "" });
}

mkdirSync(out, { recursive: true });
try {
  const tab = await new Tab().open();
  const pages = scenarios.map((name) => [name, resolve(out, `${name.split("/").pop()}.html`)]);
  for (const [name, page] of pages) {
    command("run", `Scenarios/${name}.json`, "--quiet", "--html", page, "--engine", wasm);
  }
  const comparison = resolve(out, "comparison.html");
  command("compare", "Scenarios/variants/hls-goes-down-before-it-stalls.json",
    "Scenarios/files/vbr-heavy-tail.json", "--policies", "avfoundation,BOLA,hls.js 1.6",
    "--links", "3G,LTE", "--vary", "player.preferredForwardBufferDuration=8s,20s", "--seeds", "2",
    "--html", comparison, "--engine", wasm);
  for (const [name, page] of [...pages, ["comparison", comparison]]) {
    await asked(tab, page, name);
    await reached(tab, page, name);
    await printed(tab, page, name);
  }
  await seen(tab, pages[1][1]);
  console.log(`${pages.length + 1} pages passed the accessibility checks`);
} finally {
  await closeBrowser();
}
process.exit(failures === 0 ? 0 : 1);
