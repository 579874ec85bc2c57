// Pages of runs that are made up for what they show, opened in Chromium by page-in-chromium.mjs.

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

/// The check and the command of the script that opens the pages, and its files.
let check, command, isLive, out, scenarios, wasm;

export async function openMadeUpPages(tab, script) {
  ({ check, command, isLive, out, scenarios, wasm } = script);
  for (const part of [zooms, agrees, stands, names, keeps, restores, fails]) await part(tab);
}

const play = { at: "0 s", do: "play" };
const media = { progressive: { duration: "30 s", bitrate: "2 Mbit/s" } };
const short = { progressive: { duration: "9 s", bitrate: "2 Mbit/s" } };

/// A page of a scenario that is written for it, with the engine or without.
async function written(tab, name, parts, ...rest) {
  const [file, page] = [resolve(out, `${name}.json`), resolve(out, `${name}.html`)];
  const scenario = { scenario: name, about: "x", link: { bandwidth: "3 Mbit/s" }, media };
  writeFileSync(file, JSON.stringify({ ...scenario, script: [play], ...parts }));
  command("run", file, "--quiet", "--html", page, ...rest);
  await tab.go("/dev/null");
  await tab.go(page);
  await tab.until("runs.length > 0");
  return file;
}

/// A zoom clips the drawing to its plot, moves every label of the axis and breaks on no run.
async function zooms(tab) {
  for (const width of [768, 1280]) {
    await tab.size(width);
    await written(tab, "zoomed", { link: { bandwidth: "1.65 Mbit/s" } });
    const label = `[...document.querySelectorAll("svg.w1 text")]
      .filter((node) => /^[0-9.]+ s$/.test(node.textContent))
      .map((node) => node.getAttribute("x"))`;
    const before = await tab.value(label);
    await tab.value("document.querySelector('figure.picture').focus()");
    for (const key of ["+", "+"]) await tab.key(key);
    const spilt = await tab.value(`(() => {
      const [left, right] = document.querySelector("svg.w1").dataset.plot.split(" ").map(Number);
      return runs[0].layers[0].shapes.filter((node) => {
        const box = node.getBBox();
        const name = node.getAttribute("clip-path")?.slice(5, -1);
        const clip = name && document.getElementById(name)?.firstChild.getBBox();
        const from = Math.max(box.x, clip ? clip.x : -Infinity);
        const to = Math.min(box.x + box.width, clip ? clip.x + clip.width : Infinity);
        return to > from && (from < left || to > right);
      }).length;
    })()`);
    check(spilt === 0, `a zoom at ${width} px: ${spilt} shapes spill over the plot`);
    const isSeen = await tab.value(`(() => {
      const cell = document.querySelector(".panel td");
      cell.scrollIntoView();
      const box = cell.getBoundingClientRect();
      return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === cell;
    })()`);
    check(isSeen, `a zoom at ${width} px: the panel is covered`);
    const after = await tab.value(label);
    check(before.length > 3 && before.every((x, place) => place === 0 || x !== after[place]),
      `a zoom at ${width} px: labels of the axis stay behind: ${before} ${after}`);
    await tab.key("0");
    const again = await tab.value(label);
    check(String(again) === String(before), "labels of the axis come back");
  }
  const outages = [{ from: "1 s", for: "2 s" }];
  const link = { bandwidth: "3 Mbit/s", outages };
  await written(tab, "handles", { link }, "--engine", wasm);
  await tab.until(isLive);
  const handles = `[...document.querySelectorAll("svg.w1 .handle")]
    .map((node) => node.classList[1])`;
  for (const [time, seen] of [[0, "of-tap,of-body,of-end,of-end"], [28e9, ""],
    [2.4e9, "of-body,of-end,of-end"]]) {
    await tab.value(`runs[0].zoomBy(Infinity), runs[0].show(${time}, false),
      runs[0].zoomBy(1 / 8)`);
    check(String(await tab.value(handles)) === seen, `handles in a zoom at ${time}: ${seen}`);
  }
  const local = { media: { local: { duration: "10 s", bitrate: "1 Mbit/s" } }, script: [] };
  await written(tab, "over-at-once", local);
  check(await tab.value("runs[0].data.ended") === 0, "a run that ends at once");
  await tab.value("document.querySelector('figure.picture').focus()");
  for (const key of ["End", "+", "ArrowLeft", "g", "0", "-"]) await tab.key(key);
  check(!await tab.value("document.querySelector('figure.picture').outerHTML.includes('NaN')"),
    "a run of no length has places");
}

/// The nine properties under the cursor are those of the command at that time.
async function agrees(tab) {
  const hours = { progressive: { duration: "8 h", bitrate: "1 Mbit/s" } };
  const seeks = [["30 s", "100 s"], ["45 s", "10 s"], ["60 s", "60 s"], ["61 s", "0 s"]];
  const ladder = [{ bitrate: "500 kbit/s" }, { bitrate: "2 Mbit/s" }];
  const cases = {
    hours: { media: hours, script: [{ at: "3 s", do: "play" }], horizon: "9 h" },
    live: {
      link: { bandwidth: "3 Mbit/s", delay: "40 ms" }, horizon: "60 s",
      media: { hls: { duration: "10 min", segmentDuration: "4 s", ladder,
        live: { window: "60 s" } } },
    },
    seeks: {
      link: { bandwidth: "2.5 Mbit/s" }, player: { preferredForwardBufferDuration: "10 s" },
      media: { progressive: { duration: "120 s", bitrate: "2 Mbit/s" } },
      script: [play, ...seeks.map(([at, to]) => ({ at, do: "seek", to }))],
    },
    within: {
      link: { bandwidth: "2 Mbit/s" }, horizon: "8 s",
      media: { progressive: { duration: "20 s", bitrate: "1 Mbit/s" } },
      script: [play, { at: "4 s", do: "seek", to: "15 s" }, { at: "6 s", do: "seek", to: "2 s" }],
    },
  };
  // Time goes on past what was loaded.
  const past = { actionAtItemEnd: "none", forwardPlaybackEndTime: "5 s" };
  cases.past = { player: past, script: [play, { at: "8 s", do: "setRate", rate: 1 }] };
  for (const [name, parts] of Object.entries(cases)) {
    const file = await written(tab, name, parts);
    const stops = await tab.value("runs[0].stops.slice(0, 16)");
    const end = await tab.value("runs[0].end");
    for (const stop of [...stops, ...stops.map((stop) => stop + 1e6), 3e8, 6.5e9, 37.8e9, 62.4e9]) {
      if (stop > end) continue;
      const at = `${(stop / 1e9).toFixed(9)}s`;
      const said = command("run", file, "--at", at).toString();
      const rows = await tab.value(`(runs[0].show(${stop}, false),
        [...document.querySelectorAll(".panel tr")].map((row) =>
          [row.cells[0].textContent, row.cells[1].textContent]))`);
      for (const [property, value] of rows) {
        const line = said.split("\n").find((line) => line.startsWith(`${property} `)) ?? "";
        const own = line.slice(property.length).trim();
        check(own === value, `${name} at ${at}: ${property} is ${own}, and ${value} in the page`);
      }
    }
  }
}

/// Sliders stand where the scenario does, and a changed run leaves nothing of the old one.
async function stands(tab) {
  const hls = { hls: { duration: "20 s", segmentDuration: "4 s",
    ladder: [{ bitrate: "500 kbit/s" }, { bitrate: "2 Mbit/s" }] } };
  const player = { preferredForwardBufferDuration: "10 s" };
  const link = { profile: "3G", outages: [{ from: "0.0001 days", for: "0.5 min" }] };
  await written(tab, "own-values", { link, media: hls, player }, "--engine", wasm);
  await tab.until(isLive);
  for (const [name, value] of [["Bandwidth", "780 kbit/s"], ["Delay, one way", "100 ms"],
    ["Outage from", "8640 ms"], ["Outage for", "30000 ms"], ["Forward buffer", "10 s"],
    ["Play at", "0 ms"]]) {
    const own = await tab.value(`(() => {
      const slider = runs[0].controls.sliders.find(({ name }) => name === "${name}");
      return slider?.text(slider.place);
    })()`);
    check(own === value, `the slider ${name} stands at ${own}, the scenario at ${value}`);
  }
  const digest = await tab.value("runs[0].data.digest");
  await tab.value(`(() => {
    const { controls } = runs[0];
    controls.answer = null;
    for (const { path, text } of controls.sliders.slice(0, 2)) controls.edits.set(path, text(50));
    controls.ask();
  })()`);
  await tab.until("runs[0].controls.answer");
  check(await tab.value("runs[0].data.digest") !== undefined && digest !== undefined,
    "a run at its own values is answered");
  const figures = await tab.value("runs[0].controls.answer.startupDelaySeconds");
  const own = JSON.parse(command("run", resolve(out, "own-values.json"), "--format", "json"));
  check(own.scenarios[0].startupDelaySeconds === figures, "own values change nothing");
  const start = 'script.0={"at":"0 s","do":"playImmediately","rate":1.500}';
  await written(tab, "digits", { link: { profile: "Edge" } }, "--engine", wasm,
    "--set", "seed=9007199254740993", "--set", start);
  await tab.until(isLive);
  const inCommand = await tab.value("runs[0].controls.ask(), runs[0].data.digest");
  check(await tab.until(`runs[0].section.dataset.digest === "${inCommand}"`),
    "numbers reach the engine as they are written");
  for (const [place, comparison] of [[90, "!=="], [50, "==="]]) {
    await tab.value(`runs[0].controls.slide(runs[0].controls.sliders.find(({ name }) =>
      name === "Delay, one way"), ${place})`);
    check(await tab.until(`runs[0].section.dataset.digest ${comparison} "${inCommand}"`),
      "a slider goes back to the delays of a profile");
  }
  await written(tab, "no-values", { link: {}, media: hls }, "--engine", wasm);
  await tab.until(isLive);
  for (const [name, line] of [["Bandwidth", "link.bandwidth=2000 kbit/s"],
    ["Forward buffer", "player.preferredForwardBufferDuration=30 s"]]) {
    const lines = await tab.value(`(() => {
      const { controls } = runs[0];
      const slider = controls.sliders.find(({ name }) => name === "${name}");
      for (const step of [60, 50]) controls.slide(slider, step);
      return controls.lines();
    })()`);
    check(lines.includes(line), `${name} at a value that the scenario lacks: ${lines}`);
  }
  const fast = "1000000000 kbit/s";
  await written(tab, "refused", { link: { bandwidth: fast } }, "--engine", wasm);
  await tab.until(isLive);
  const most = await tab.value("runs[0].controls.sliders[0].text(100)");
  check(most === fast, `the slider for the rate ends at ${most}`);
  for (const [delay, words] of [["70 ms", "ran in"], ["70 apples", "link.delay"]]) {
    await tab.value(`runs[0].controls.edits.set("link.delay", "${delay}"), runs[0].controls.ask()`);
    check(await tab.until(`runs[0].controls.note.textContent.includes("${words}")`),
      `the answer to a delay of ${delay}`);
  }
  const kept = await tab.value(`(() => {
    const { controls } = runs[0];
    controls.showScenario();
    return [JSON.parse(controls.text.value).link.delay, controls.lineList.textContent].join();
  })()`);
  check(kept === "70 ms,--set 'link.delay=70 ms'", `the scenario after a refusal: ${kept}`);
  for (const [file, count] of [["profile-from-a-file", 0], ["recorded-trace-as-link", 1]]) {
    const page = resolve(out, `${file}.html`);
    command("run", `Scenarios/links/${file}.json`, "--quiet", "--html", page, "--engine", wasm);
    await tab.go("/dev/null");
    await tab.go(page);
    await tab.until(isLive);
    const lists = await tab.value(`document.querySelectorAll("[data-path='link.profile']").length`);
    check(lists === count, `${file}: ${lists} lists of profiles`);
  }
  const beside = { heuristic: "thresholds 2 s/2 s", adaptation: "throughput" };
  const immediately = [{ at: "0 s", do: "playImmediately", rate: 2 }];
  await written(tab, "beside", { media: hls, player: beside, script: immediately },
    "--engine", wasm);
  await tab.until(isLive);
  await tab.value(`for (const select of document.querySelectorAll("form select")) {
    const value = { "player.policy": "BOLA", "script.0.do": "play" }[select.dataset.path];
    if (!value) continue;
    select.value = value;
    select.dispatchEvent(new Event("change"));
  }`);
  check(await tab.until("runs[0].controls.answer"), "a list drops keys that its choice excludes");
  const schedule = { steps: [{ for: "9 s", bandwidth: "3 Mbit/s" }], then: "hold" };
  const script = [{ when: "loaded >= 0.5 s", do: "play" },
    { at: { after: "play", by: "3 s" }, do: "pause" },
    { at: { after: "pause", by: "3 s" }, do: "play", name: "again" }];
  await written(tab, "bound", { link: { schedule }, script }, "--engine", wasm);
  await tab.until(isLive);
  const names = await tab.value("runs[0].controls.sliders.map(({ name }) => name)");
  check(!names.includes("Bandwidth") && !names.includes("Play at"),
    `sliders without an effect or a value: ${names}`);
  check(await tab.value("document.querySelector('.of-tap') === null"), "no handle for such a step");
  const steps = Array.from({ length: 400 }, (_, place) =>
    ({ at: `${place / 10} s`, do: place % 2 ? "pause" : "play" }));
  const expect = [{ stallCount: 7 }];
  const file = await written(tab, "stale", { script: steps, expect }, "--engine", wasm);
  const page = resolve(out, "stale.html");
  try {
    command("test", file, "--html", page, "--engine", wasm);
  } catch {
    // The expectation fails.
  }
  await tab.go("/dev/null");
  await tab.go(page);
  await tab.until(isLive);
  const shown = `[...document.querySelectorAll(".problem, .scroll + p")]
    .filter((node) => !node.hidden).map((node) => node.textContent)`;
  const stale = await tab.value(shown);
  check(stale.length === 2, `a failed expectation and the number of decisions: ${stale}`);
  await tab.value(`(() => {
    const { controls } = runs[0];
    controls.answer = null;
    controls.edits.set("script", '[{"at":"0 s","do":"play"}]');
    controls.ask();
  })()`);
  await tab.until("runs[0].controls.answer");
  const left = await tab.value(shown);
  check(left.length === 0, `stale text after a change: ${left}`);
  await tab.value("runs[0].controls.answer = null; runs[0].controls.edits.clear()");
  await tab.value("runs[0].controls.ask()");
  await tab.until("runs[0].controls.answer");
  check(String(await tab.value(shown)) === String(stale), "the texts come back");
}

/// A slider is named and says its value: at first, when it is moved, and when it is put back.
async function names(tab) {
  const ladder = [{ bitrate: "1 Mbit/s" }];
  const hls = { duration: "20 s", segmentDuration: "4 s", ladder };
  await written(tab, "names", { media: { hls } }, "--engine", wasm);
  await tab.until(isLive);
  const sliders = async () => {
    const { nodes } = await tab.send("Accessibility.getFullAXTree");
    const texts = await tab.value(`[...document.querySelectorAll("form input")]
      .map((input) => input.getAttribute("aria-valuetext")).join()`);
    const found = nodes.filter(({ role }) => role?.value === "slider");
    return [found.slice(1).map(({ name }) => name.value).join(), texts];
  };
  const words = await tab.value(`Controls.prototype.axisWords({ name: "x", text: String },
    [[0, null, 0], [4, null, 0], [8, 2, 1]].map(([step, startupDelaySeconds, stalledSeconds]) =>
      ({ step, startupDelaySeconds, stalledSeconds })))`);
  check(words === "x, 0 to 8; starts after 2.000 to 2.000 s; never starts at 2 of 3 values, 0 to 4"
    + "; stalls at 1 of 3 values, 8 to 8", `the sentence of an axis: ${words}`);
  const names = "Bandwidth,Delay, one way,Outage from,Outage for,Forward buffer,Play at";
  const moved = "runs[0].controls.slide(runs[0].controls.sliders[1], 60)";
  for (const [act, delay] of [["0", 0], [moved, 50], ["runs[0].controls.reset()", 0]]) {
    await tab.value(act);
    const end = await tab.value("Math.round(runs[0].controls.width / 4)");
    const values = `3000 kbit/s,${delay} ms,${end} ms,0 ms,as in the scenario,0 ms`;
    const found = await sliders();
    check(String(found) === String([names, values]), `sliders after ${act}: ${found}`);
  }
}

/// A change of each run of a page is answered, and the address keeps them all.
async function keeps(tab) {
  const page = resolve(out, "several.html");
  const files = scenarios.slice(0, 3).map((name) => `Scenarios/${name}.json`);
  command("run", ...files, "--quiet", "--html", page, "--engine", wasm);
  await tab.go("/dev/null");
  await tab.go(page);
  await tab.until(isLive);
  const bars = "runs.map(({ controls }) => Boolean(controls.isFilled)).join()";
  check(await tab.until(`${bars} === "true,false,false"`), "the bars of what is seen");
  await tab.value("runs[2].section.scrollIntoView()");
  check(await tab.until(`${bars} === "true,false,true"`), "the bars of what comes into view");
  await tab.value(`for (const { controls } of runs) {
    controls.slide(controls.sliders.find(({ name }) => name === "Delay, one way"), 70);
  }`);
  check(await tab.until("runs.length === 3 && runs.every(({ controls }) => controls.answer)"),
    "a change of each run is answered");
  check(await tab.until("location.hash.match(/run-[0-9]&link.delay/g)?.length === 3"),
    "the changes of each run stand in the address");
  const digests = "runs.map(({ section }) => section.dataset.digest).join()";
  const [all, address] = await tab.value(`[${digests}, location.href]`);
  await tab.visit(address);
  check(await tab.until(`${digests} === "${all}"`), "the address keeps the changes of each run");
  await tab.value("document.querySelector('nav a[href=\"#run-2\"]').click()");
  check(await tab.until(`location.hash === "#run-2&${address.split("#")[1]}"`),
    "a link to a run keeps the changes in the address");
  await tab.visit(await tab.value("location.href"));
  check(await tab.until(`${digests} === "${all}"`), "the address of a link keeps the changes");
  await tab.value("runs[1].controls.slide(runs[1].controls.sliders[1], 90)");
  check(await tab.until(`/^#run-2&run-1&/.test(location.hash) && ${digests} !== "${all}"
    && decodeURIComponent(location.hash).includes("&run-2&" + runs[1].controls.lines()[0])`),
    "a change behind a link to a run stands in the address");
  const changed = await tab.value(digests);
  await tab.visit(await tab.value("location.href"));
  check(await tab.until(`${digests} === "${changed}"`), "a change behind a link to a run is read");
  await tab.value("location.hash = '#run-2&link.delay=70%20ms'");
  check(await tab.until(`runs.map(({ controls }) => controls.lines().join()).join("|")
    === "|link.delay=70 ms|"`), "an address that is put in is read");
  for (const [edit, words] of [
    ["%zz", "cannot be read"], ["link.outages=foo", "expected a list"], ["seed=7", "ran in"]]) {
    await tab.visit(`file://${page}#run-1&${edit}`);
    const note = "document.querySelector('#run-1 [role=status]').textContent";
    check(await tab.until(`${note}.includes("${words}")`), `the address is ${edit}`);
    await tab.value("runs[0].controls.reset()");
    check(await tab.until(`${note} === "" && runs[0].controls.answer`), `no ${edit} after a reset`);
  }
}

/// A run that is as it was has the lanes that only the command draws.
async function restores(tab) {
  const file = await written(tab, "resilience", { media: short });
  const page = resolve(out, "resilience.html");
  command("resilience", file, "--every", "3s", "--html", page, "--engine", wasm);
  await tab.go("/dev/null");
  await tab.go(page);
  await tab.until(isLive);
  const lanes = `["w1", "n1"].map((name) => [...document.querySelectorAll("svg." + name + " text")]
    .filter((node) => /rate of a dip|shortest outage/.test(node.textContent)).length)`;
  const own = await tab.value(lanes);
  check(String(own) === "2,2", `lanes of resilience: ${own}`);
  for (const [change, left] of [["slide(runs[0].controls.sliders[1], 70)", "0,0"],
    ["reset()", "2,2"]]) {
    await tab.value(`runs[0].controls.${change}`);
    check(await tab.until(`String(${lanes}) === "${left}"`), `lanes of resilience after ${change}`);
  }
}

/// A page whose engine cannot be loaded says so, at once and after a change.
async function fails(tab) {
  const module = resolve(out, "damaged.wasm.gz");
  writeFileSync(module, readFileSync(wasm).subarray(0, 1_000_000));
  await written(tab, "damaged", {}, "--engine", module);
  const note = "runs[0].controls.note.textContent";
  check(await tab.until(`${note}.includes("cannot be used")`), "a damaged engine is named");
  await tab.value(`${note} = "", runs[0].controls.reset()`);
  check(await tab.value(`${note}.includes("cannot be used") && !(${isLive})`),
    "a damaged engine answers nothing");
}
