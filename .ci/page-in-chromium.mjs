// Opens pages in Chromium and uses them as a person would.
//
//   node page-in-chromium.mjs GOLDILOCKS MODULE OUT [CHANGES]
//
// Each page makes no request and breaks no policy, is readable without JavaScript, has a cursor by
// keys and no sideways scrolling at 360 px; CHANGES seeded changes through its controls give the
// digest and figures that the command gives for the exported scenario. GOLDILOCKS_SEED draws them.
// The runs behind the sliders, a pinned run, the handles of an outage and the address that keeps
// the changes are used once a page. Made-up runs show a zoom that leaves the panel readable, the
// panel that 'run --at' prints, sliders at the scenario's own values, and nothing stale.
//
// Exit codes: 0 all held; 1 something did not; 64 wrong arguments; 66 there is no Chromium.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { closeBrowser, Tab } from "./chromium.mjs";
import { openMadeUpPages } from "./made-up-pages.mjs";

const scenarios = [
  "demo/demo-2-slow-server-play", "files/vbr-heavy-tail", "variants/hls-goes-down-before-it-stalls",
  "live/hls-live-stall-at-the-edge", "links/outage-stalls-and-resumes-tcp",
  "queues-and-loops/queue-own-assets",
];

const [goldilocks, wasm, out, changes = "204"] = process.argv.slice(2);
if (out === undefined) {
  console.error("usage: page-in-chromium.mjs GOLDILOCKS MODULE OUT [CHANGES]");
  process.exit(64);
}
let failures = 0;
function check(holds, words) {
  if (holds) return;
  failures += 1;
  console.error(`FAILED: ${words}`);
}

// MARK: - What a page must do

/// SplitMix64, so that a seed names the same changes everywhere.
function draws(seed) {
  let state = BigInt(seed);
  const mask = (1n << 64n) - 1n;
  return (bound) => {
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let mixed = state;
    mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & mask;
    return Number(((mixed ^ (mixed >> 31n)) & mask) % BigInt(bound));
  };
}

function command(...rest) {
  const stdio = ["ignore", "pipe", "ignore"];
  return execFileSync(goldilocks, rest, { maxBuffer: 1 << 28, stdio });
}

async function reads(tab, page, name) {
  await tab.send("Emulation.setScriptExecutionDisabled", { value: true });
  await tab.size(1280);
  await tab.go(page);
  check(await tab.value("document.querySelector('.verdict').textContent.length > 20"),
    `${name}: a verdict without JavaScript`);
  const isSeen = await tab.value(`[...document.querySelectorAll("svg.run")]
    .some((svg) => svg.getBoundingClientRect().width > 300)`);
  check(isSeen, `${name}: a picture without JavaScript`);
  check(await tab.value("document.querySelectorAll('.decisions tbody tr').length > 0"),
    `${name}: decisions without JavaScript`);
  await tab.send("Emulation.setScriptExecutionDisabled", { value: false });
}

async function moves(tab, page, name) {
  for (const width of [360, 390, 1280]) {
    await tab.size(width);
    await tab.go(page);
    const wide = await tab.value("document.documentElement.scrollWidth");
    check(wide <= width, `${name}: ${wide} px wide in a window of ${width} px`);
  }
  const figure = "document.querySelector('figure.picture')";
  const valueText = `${figure}.getAttribute("aria-valuetext")`;
  await tab.value(`${figure}.focus()`);
  check(await tab.value(`${figure}.getAttribute("role") === "slider"`),
    `${name}: the picture is a slider`);
  await tab.key("Home");
  const begin = await tab.value(valueText);
  for (const key of [".", ".", "ArrowRight", "g", "s", "+", "+", "0", ","]) await tab.key(key);
  await tab.key("End");
  const end = await tab.value(valueText);
  check(begin !== end && /^At [0-9.]+ s: /.test(end),
    `${name}: keys move the cursor: ${begin} → ${end}`);
  check(await tab.value("document.querySelector('.panel td').textContent.length > 0"),
    `${name}: nine properties at the cursor`);
}

const isLive = "runs[0].controls?.engine.isReady";

/// Where this was measured, a yardstick is a third of a second, and a start 0.6 to 0.9 of one.
const mostYardsticks = 2;
const packed = readFileSync(wasm).toString("base64");

/// Milliseconds in which this browser unpacks the engine and goes through its bytes: they tell of
/// the machine and of what else it does now, and nothing of the page.
async function yardstick(tab) {
  await tab.go("/dev/null");
  return tab.value(`(async (text) => {
    const begin = performance.now();
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    let sum = 0;
    for (const byte of new Uint8Array(await new Response(stream).arrayBuffer())) {
      for (let round = 0; round < 10; round += 1) sum = Math.imul(sum ^ byte, 16777619);
    }
    return sum === 0.5 ? 0 : performance.now() - begin;
  })("${packed}")`);
}

/// The fastest of at most eight starts, in yardsticks: a second is another on each machine, and
/// what else the machine does can only add to a start.
async function fastestStart(tab, page) {
  let ready = false;
  let live = Infinity;
  let stick = Infinity;
  for (let start = 0; start < 8 && live >= mostYardsticks * stick; start += 1) {
    stick = Math.min(stick, await yardstick(tab));
    await tab.go(page);
    ready = await tab.until(isLive);
    if (!ready) break;
    live = Math.min(live, await tab.value("performance.now()"));
  }
  return [ready, live / stick];
}

async function changesOf(tab, page, name, count, seed) {
  const draw = draws(seed);
  await tab.size(1280);
  const [ready, live] = await fastestStart(tab, page);
  check(ready, `${name}: the engine is there`);
  check(live < mostYardsticks, `${name}: live after ${live.toFixed(2)} yardsticks`);
  if (!ready) return [0, 0];
  await tab.value(`runs[0].controls.receive = function (answer, took) {
    Controls.prototype.receive.call(this, answer, took);
    this.answered = answer;
  }`);
  let same = 0;
  let refused = 0;
  for (let change = 0; change < count; change += 1) {
    const [which, place] = [draw(1_000_000), draw(101)];
    await tab.value(`(() => {
      const controls = [...runs[0].controls.form.querySelectorAll("[data-path]")];
      const control = controls[${which} % controls.length];
      runs[0].controls.answered = false;
      if (control.localName === "select") {
        control.selectedIndex = ${place} % control.options.length;
        control.dispatchEvent(new Event("change"));
      } else {
        control.value = ${place};
        control.dispatchEvent(new Event("input"));
      }
    })()`);
    if (!await tab.until("runs[0].controls.answered")) {
      check(false, `${name}: no answer to change ${change}`);
      return [same, refused];
    }
    const answer = await tab.value("({ ...runs[0].controls.answered, section: undefined })");
    if (answer.error) {
      refused += 1;
      await tab.value("runs[0].controls.answered = false; runs[0].controls.reset()");
      await tab.until("runs[0].controls.answered");
      continue;
    }
    const file = resolve("Scenarios", name, "..", `.page-${process.pid}.json`);
    writeFileSync(file, answer.scenario);
    const run = JSON.parse(command("run", file, "--format", "json")).scenarios[0];
    rmSync(file);
    const player = run.players?.[0] ?? run;
    const figures = JSON.stringify([run.digest, player.startupDelaySeconds, player.stalledSeconds]);
    const own = JSON.stringify([answer.digest, answer.startupDelaySeconds, answer.stalledSeconds]);
    check(figures === own, `${name}, seed ${seed}, change ${change}: ` +
      `${own} in the page, ${figures} on the command line`);
    if (figures === own) same += 1;
  }
  return [same, refused];
}

/// The series behind the sliders, the pin, a handle, the address and playing.
async function uses(tab, page, name) {
  await tab.size(1280, 2000);
  await tab.go("/dev/null");
  await tab.go(page);
  check(await tab.until("runs[0].controls?.isFilled", 60_000),
    `${name}: the runs behind the sliders`);
  const axes = await tab.value(`[...document.querySelectorAll(".bars")]
    .map((bars) => bars.getAttribute("aria-label"))`);
  check(axes.every((words) => / (starts after|stalls|no value)/.test(words)),
    `${name}: a sentence for each axis: ${axes}`);
  await tab.value("runs[0].controls.pin()");
  const move = (slider, step) => tab.value(`(() => {
    const { controls } = runs[0];
    controls.answer = null;
    controls.slide(controls.sliders.find((slider) => slider.name === "${slider}"), ${step});
  })()`);
  await move("Outage for", 60);
  check(await tab.until("runs[0].controls.answer"), `${name}: an outage is answered`);
  check(await tab.value("/^(Parts from|Decides as)/.test(runs[0].controls.note.textContent)"),
    `${name}: the decision at which a run parts from the pinned one`);
  check(await tab.value("document.querySelector('path.pinned').getAttribute('d').length > 10"),
    `${name}: the pinned run is drawn`);
  const before = await tab.value("runs[0].controls.outage.from");
  const { x, y } = await tab.value(`(() => {
    const box = document.querySelector(".handle.of-body").getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  })()`);
  await tab.value("runs[0].controls.answer = null");
  for (const [type, moved] of [["mousePressed", 0], ["mouseMoved", 40], ["mouseReleased", 40]]) {
    await tab.send("Input.dispatchMouseEvent",
      { type, x: x + moved, y, button: "left", buttons: 1, clickCount: 1 });
  }
  check(await tab.until("runs[0].controls.answer"), `${name}: a dragged outage is answered`);
  check(await tab.value("runs[0].controls.outage.from") > before, `${name}: an outage is dragged`);
  check(await tab.until("decodeURIComponent(location.hash).includes('link.outages')"),
    `${name}: the changes stand in the address`);
  await new Promise((done) => setTimeout(done, 300));
  const [digest, address] = await tab.value("[runs[0].section.dataset.digest, location.href]");
  await tab.visit(address);
  check(await tab.until("runs[0].section.dataset.digest"), `${name}: the address is read`);
  check(await tab.value("runs[0].section.dataset.digest") === digest,
    `${name}: the address keeps the changes`);
  await tab.value("document.querySelector('figure.picture').focus(); runs[0].show(0, true)");
  await tab.key(" ");
  check(await tab.until("runs[0].time > 3e8"), `${name}: plays in real time`);
  await tab.key(" ");
}

/// Columns of figures without a bound, and of settings with units, sort by what they are.
async function sorts(tab) {
  const page = resolve(out, "columns.html");
  const expected = { 1: ["500ms", "2s", "1min"], 2: ["900 kbit/s", "1 Mbit/s"] };
  const file = resolve(out, "columns.json");
  const link = { bandwidth: "3 Mbit/s", outages: [{ from: "0 s", for: "1 h" }] };
  const ladder = [{ bitrate: "500 kbit/s" }];
  writeFileSync(file, JSON.stringify({ scenario: "columns", about: "x", link, horizon: "60 s",
    media: { hls: { duration: "20 s", segmentDuration: "4 s", ladder } },
    script: [{ at: "0 s", do: "play" }] }));
  command("compare", file, "Scenarios/files/vbr-heavy-tail.json", "--policies", "avfoundation,BOLA",
    "--vary", `player.preferredForwardBufferDuration=${expected[1]}`,
    "--vary", `player.preferredPeakBitRate=${expected[2]}`, "--html", page);
  await tab.go("/dev/null");
  await tab.go(page);
  const column = (place) => tab.value(`(() => {
    const table = document.querySelector("table.results");
    table.querySelectorAll("th button")[${place}].click();
    return [...table.tBodies[0].rows].map((row) => row.cells[${place}].textContent);
  })()`);
  for (const [place, values] of Object.entries(expected)) {
    const found = [...new Set(await column(place))];
    check(String(found) === String(values), `a column of settings sorts to ${found}`);
  }
  const means = await column(5);
  const numbers = means.map((text) => Number(text.slice(1)));
  check(means.every((text) => text[0] === "≥") && String(numbers)
    === String([...numbers].sort((a, b) => a - b)), `a column of bounds sorts to ${means}`);
}

/// A comparison: its tables sort, and sessions that are opened give the figures of their rows.
async function compares(tab, count, seed) {
  const page = resolve(out, "comparison.html");
  command("compare", "Scenarios/variants/hls-goes-down-before-it-stalls.json",
    "Scenarios/files/vbr-heavy-tail.json", "--policies", "avfoundation,BOLA,hls.js 1.6",
    "--links", "3G,LTE", "--vary", "player.preferredForwardBufferDuration=8s,20s", "--seeds", "4",
    "--html", page, "--engine", wasm);
  await sorts(tab);
  const draw = draws(seed);
  for (const width of [320, 360, 1280]) {
    await tab.size(width);
    await tab.go(page);
    const wide = await tab.value("document.documentElement.scrollWidth");
    check(wide <= width, `comparison: ${wide} px wide in a window of ${width} px`);
    const cut = await tab.value(`[...document.querySelectorAll(".results thead button")]
      .filter((button) => button.getBoundingClientRect().right
        > button.closest("th").getBoundingClientRect().right + 1)
      .map((button) => button.textContent)`);
    const ticks = await tab.value(`[...document.querySelectorAll("svg.front .tick")]
      .map((node) => node.getBoundingClientRect()).filter(({ width }) => width > 0)
      .map(({ left, right }) => [left, right])`);
    check(ticks.length > 1 && ticks.every(([left], place) => place === 0
      || left > ticks[place - 1][1]), `comparison: labels of the axis at ${width} px: ${ticks}`);
    check(cut.length === 0, `comparison: headings over their columns at ${width} px: ${cut}`);
  }
  const first = "document.querySelector('table.results tbody th').textContent";
  await tab.value("document.querySelectorAll('table.results th button')[1].click()");
  const least = await tab.value(first);
  await tab.value("document.querySelectorAll('table.results th button')[1].click()");
  check(await tab.value(first) !== least, "comparison: a heading sorts both ways");
  await tab.value("document.querySelectorAll('table.results th button')[0].click()");
  const sorted = await tab.value(`[...document.querySelector("table.results").tBodies[0].rows]
    .map((row) => row.cells[0].textContent)`);
  check(String(sorted) === String([...sorted].sort((a, b) => a.localeCompare(b))),
    `comparison: policies sort by name: ${sorted}`);
  const sessions = await tab.value("document.querySelectorAll('div.sessions tbody tr').length");
  for (let turn = 0; turn < count; turn += 1) {
    const place = draw(sessions);
    await tab.value(`document.querySelector("section.run")?.remove();
      document.querySelectorAll("div.sessions tbody button")[${place}].click()`);
    check(await tab.until("document.querySelector('section.run')?.dataset.digest"),
      `comparison: session ${place} is opened`);
    const same = await tab.value(`(() => {
      const { digest, startup, stalled } = document.querySelector("section.run").dataset;
      const cells = document.querySelectorAll("div.sessions tbody tr")[${place}].cells;
      const near = (a, b) => Math.abs(Number(a) - Number(b)) < 0.0011;
      const own = cells[8].textContent;
      return own.length === 16 && digest.startsWith(own)
        && near(startup, cells[5].textContent) && near(stalled, cells[6].textContent);
    })()`);
    check(same, `comparison: session ${place} gives the digest and the figures of its row`);
  }
  console.log(`comparison: ${readFileSync(page).length} bytes, ${count} sessions opened`);
}

mkdirSync(out, { recursive: true });
const seed = Number(process.env.GOLDILOCKS_SEED ?? Date.now() % 1_000_000);
const begin = Date.now();
try {
  const tab = await new Tab().open();
  let same = 0;
  for (const [number, name] of scenarios.entries()) {
    const page = resolve(out, `${name.split("/").pop()}.html`);
    command("run", `Scenarios/${name}.json`, "--quiet", "--html", page, "--engine", wasm);
    await reads(tab, page, name);
    await moves(tab, page, name);
    await uses(tab, page, name);
    const [held, refused] = await changesOf(
      tab, page, name, Math.ceil(Number(changes) / scenarios.length), seed + number);
    same += held;
    const size = readFileSync(page).length;
    check(size <= 2_000_000, `${name}: a page of ${size} bytes with the engine`);
    console.log(`${name}: ${size} bytes, ${held} changes alike, ${refused} refused`);
  }
  const plain = resolve(out, "plain.html");
  command("run", `Scenarios/${scenarios[0]}.json`, "--quiet", "--html", plain);
  check(readFileSync(plain).length <= 150_000, "a page without the engine is small");
  await openMadeUpPages(tab, { check, command, isLive, out, scenarios, wasm });
  await compares(tab, 50, seed);
  check(tab.noted.length === 0, `no request, no broken policy: ${tab.noted.join("; ")}`);
  console.log(`seed ${seed}: ${same} changes in ${((Date.now() - begin) / 1000).toFixed(0)} s`);
} finally {
  await closeBrowser();
}
process.exit(failures === 0 ? 0 : 1);
