"use strict";
// Cursor, keys and zoom over the pictures of a page. The drawings and all sentences come from the
// command; this file looks values up and moves marks.

const SVG = "http://www.w3.org/2000/svg";

/// One run of the page: its pictures, its panel and the numbers behind them.
class Run {
  constructor(section) {
    this.section = section;
    this.figure = section.querySelector("figure.picture");
    this.hint = section.querySelector(".hint");
    this.rows = [...section.querySelectorAll(".decisions tbody tr")];
    this.zoom = { from: 0, span: 1 };
    this.read(JSON.parse(section.querySelector("script.data").textContent));
    this.prepare();
  }

  read(data) {
    this.data = data;
    this.end = data.ended;
    this.time = data.began ?? data.asked ?? 0;
    this.stops = [...new Set([0, ...data.decisions.map((d) => d[0]), data.ended])]
      .sort((a, b) => a - b);
  }

  /// Makes the figure a slider, and gives each drawing a layer for the cursor.
  prepare() {
    const figure = this.figure;
    figure.tabIndex = 0;
    figure.setAttribute("role", "slider");
    figure.setAttribute("aria-label", "Time of the run");
    figure.setAttribute("aria-valuemin", "0");
    this.hint.hidden = false;
    this.hint.textContent = "← → move · , . decision · g moment · s stall · + − 0 zoom";
    this.layers = [...figure.querySelectorAll("svg.run")].map((svg) => this.layer(svg));
    if (this.isReady) return this.show(this.time, true);
    this.isReady = true;
    figure.addEventListener("keydown", (event) => this.key(event));
    figure.addEventListener("pointerdown", (event) => this.point(event));
    figure.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse" || event.buttons) this.point(event);
    });
    this.show(this.time, true);
  }

  layer(svg) {
    const plot = svg.dataset.plot.split(" ").map(Number);
    const group = document.createElementNS(SVG, "g");
    const marks = {};
    for (const kind of ["missing", "whatif", "cursor"]) {
      marks[kind] = document.createElementNS(SVG, "path");
      marks[kind].setAttribute("class", kind);
      group.append(marks[kind]);
    }
    svg.append(group);
    const height = svg.viewBox.baseVal.height;
    // A zoom scales the shapes over the time axis and moves the words; margins cover the rest.
    const content = svg.querySelector(":scope > g");
    const ofLegend = (node) => node.closest(".legend") !== null;
    const shapes = [...content.querySelectorAll("path")].filter((node) => !ofLegend(node));
    const words = [...content.querySelectorAll("text.tick, text.on, text.gold, circle")]
      .filter((node) => !ofLegend(node));
    const covers = ["0", String(plot[1])].map((x, index) => {
      const cover = document.createElementNS(SVG, "rect");
      cover.setAttribute("class", "paper cover");
      cover.setAttribute("x", x);
      cover.setAttribute("y", "0");
      cover.setAttribute("width", String(index === 0 ? plot[0] : 9999));
      cover.setAttribute("height", String(height - 450));
      content.append(cover);
      return cover;
    });
    for (const node of [...content.querySelectorAll("text")]) {
      if (!ofLegend(node)) content.append(node);
    }
    return { svg, plot, marks, height, shapes, words, covers };
  }

  // MARK: - Places

  x(layer, time) {
    const [left, right, end] = layer.plot;
    const share = (time / end - this.zoom.from) / this.zoom.span;
    return left + Math.min(Math.max(share, 0), 1) * (right - left);
  }

  y(layer, media) {
    const [, , , bottom, top, low, high] = layer.plot;
    return bottom + Math.min(Math.max((media - low) / (high - low), 0), 1) * (top - bottom);
  }

  timeAt(event) {
    const layer = this.layers.find((layer) => layer.svg.getClientRects().length > 0);
    const box = layer.svg.getBoundingClientRect();
    const [left, right, end] = layer.plot;
    const x = ((event.clientX - box.left) / box.width) * layer.svg.viewBox.baseVal.width;
    const share = Math.min(Math.max((x - left) / (right - left), 0), 1);
    return Math.round((this.zoom.from + share * this.zoom.span) * end);
  }

  point(event) {
    this.show(this.timeAt(event), false);
  }

  // MARK: - Keys

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = (this.end * this.zoom.span) / (event.shiftKey ? 20 : 200);
    const actions = {
      ArrowLeft: () => this.time - step, ArrowDown: () => this.time - step,
      ArrowRight: () => this.time + step, ArrowUp: () => this.time + step,
      PageDown: () => this.time - 10 * step, PageUp: () => this.time + 10 * step,
      Home: () => 0, End: () => this.end,
      ",": () => this.stops.findLast((stop) => stop < this.time) ?? 0,
      ".": () => this.stops.find((stop) => stop > this.time) ?? this.end,
      g: () => Math.max(0, this.data.moment ?? this.time),
      s: () => this.data.stalls.find((stall) => stall > this.time) ?? this.data.stalls[0],
      "+": () => this.zoomBy(0.5), "=": () => this.zoomBy(0.5), "-": () => this.zoomBy(2),
      0: () => this.zoomBy(Infinity),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    const time = action();
    if (time !== undefined) this.show(time, true);
  }

  zoomBy(factor) {
    const span = Math.min(1, Math.max(this.zoom.span * factor, 1 / 512));
    const middle = this.time / this.end;
    this.zoom = { span, from: Math.min(Math.max(middle - span / 2, 0), 1 - span) };
    for (const layer of this.layers) this.zoomLayer(layer);
    this.show(this.time, true);
  }

  zoomLayer(layer) {
    const [left, right] = layer.plot;
    const { from, span } = this.zoom;
    const moved = (x) => Math.round(left + (x - left - from * (right - left)) / span);
    for (const node of layer.shapes) {
      node.dataset.d ??= node.getAttribute("d");
      const shape = node.dataset.d.replace(/([ML])(-?[0-9]+) /g, (_, step, x) =>
        `${step}${moved(Number(x))} `);
      node.setAttribute("d", span < 1 ? shape : node.dataset.d);
    }
    layer.svg.classList.toggle("zoomed", span < 1);
    for (const node of layer.words) {
      const name = node.localName === "circle" ? "cx" : "x";
      node.dataset.x ??= node.getAttribute(name);
      const x = moved(Number(node.dataset.x));
      node.setAttribute(name, String(x));
      node.style.visibility = x < left - 1 || x > right + 60 ? "hidden" : "";
    }
  }

  // MARK: - Values

  value(line, time) {
    let [low, high] = [0, line.length / 2];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (line[2 * middle] <= time) low = middle + 1; else high = middle;
    }
    if (low === 0) return line[1] ?? 0;
    const [t0, m0] = [line[2 * low - 2], line[2 * low - 1]];
    if (2 * low >= line.length) return m0;
    const [t1, m1] = [line[2 * low], line[2 * low + 1]];
    return m0 + ((m1 - m0) * (time - t0)) / (t1 - t0);
  }

  last(list, time) {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle][0] <= time) low = middle + 1; else high = middle;
    }
    return low - 1;
  }

  /// The nine properties at an instant, in the order of the stage.
  properties(time) {
    const { data } = this;
    const panel = data.panels[Math.max(0, this.last(data.panels, time))];
    if (!panel) return [];
    const text = data.texts[panel[1]];
    const now = this.value(data.playhead, time);
    const end = Math.max(now, this.value(data.loadedEnd, time));
    let ranges = panel[2] < 0 ? "" : `[${tenths(panel[2])}, ${tenths(end)}]`;
    if (panel[3]) ranges = ranges ? `${ranges}, ${panel[3].slice(1, -1)}` : panel[3].slice(1, -1);
    return [...text.slice(0, 4), tenths(now), `[${ranges}]`, ...text.slice(4)];
  }

  /// The time by which a start would be too soon, and the first late media; null after the start.
  lateness(time) {
    const { moment, began, first, last, rate, loadedEnd: line } = this.data;
    if (moment === undefined || time >= moment || time >= (began ?? Infinity)) return null;
    const pace = rate[0] / rate[1];
    for (let index = 2; index < line.length; index += 2) {
      const [t0, m0, t1, m1] = line.slice(index - 2, index + 2);
      if (m1 <= m0 || m1 <= first || m0 >= last) continue;
      const gap = (t, m) => t - (m - first) / pace - time;
      const [a, b] = [gap(t0, Math.max(m0, first)), gap(t1, Math.min(m1, last))];
      if (a > 0) return { late: moment - time, due: time + (Math.max(m0, first) - first) / pace };
      if (b > 0) {
        const media = m0 + ((m1 - m0) * -a) / (b - a || 1);
        return { late: moment - time, due: time + (media - first) / pace };
      }
    }
    return null;
  }

  // MARK: - Showing

  show(time, isByKey) {
    const { data } = this;
    this.time = Math.min(Math.max(Math.round(time), 0), this.end);
    const share = this.time / this.end;
    const { from, span } = this.zoom;
    if (span < 1 && (share < from || share > from + span)) {
      this.zoom.from = Math.min(Math.max(share - span / 2, 0), 1 - span);
      for (const layer of this.layers) this.zoomLayer(layer);
    }
    const place = this.last(data.decisions, this.time);
    const why = place < 0 ? "" : data.decisions[place][1] + ".";
    const late = this.lateness(this.time);
    const whatIf = !late ? "" : data.words.late
      .replace("{late}", seconds(late.late)).replace("{due}", seconds(late.due));
    const at = data.words.at.replace("{at}", seconds(this.time));
    this.section.querySelector(".at").textContent = at;
    this.section.querySelector(".why").textContent = why;
    this.section.querySelector(".whatif-words").textContent = whatIf;
    const cells = this.section.querySelectorAll(".panel td");
    this.properties(this.time).forEach((value, index) => { cells[index].textContent = value; });
    this.figure.setAttribute("aria-valuemax", String(this.end / 1e9));
    this.figure.setAttribute("aria-valuenow", String(this.time / 1e9));
    this.figure.setAttribute("aria-valuetext", [at + ":", why, whatIf].filter(Boolean).join(" "));
    this.rows.forEach((row, index) => row.classList.toggle("now", index === place));
    if (isByKey && this.rows[place]) {
      const scroll = this.rows[place].closest(".scroll");
      scroll.scrollTop = this.rows[place].offsetTop - scroll.clientHeight / 2;
    }
    for (const layer of this.layers) this.mark(layer, late);
  }

  mark(layer, late) {
    const x = this.x(layer, this.time);
    layer.marks.cursor.setAttribute("d", `M${x} 20V${layer.height - 260}`);
    const { first, last, rate } = this.data;
    if (!late) {
      layer.marks.whatif.removeAttribute("d");
      layer.marks.missing.removeAttribute("d");
      return;
    }
    const pace = rate[0] / rate[1];
    const end = Math.min(this.end, this.time + (last - first) / pace);
    const reached = (time) => first + (time - this.time) * pace;
    const to = `${this.x(layer, end)} ${this.y(layer, reached(end))}`;
    layer.marks.whatif.setAttribute("d", `M${x} ${this.y(layer, first)}L${to}`);
    // The wedge of media that would be missing, between this start and the loaded edge.
    let shape = "";
    const samples = 160;
    const upper = [];
    const lower = [];
    for (let index = 0; index <= samples; index += 1) {
      const time = late.due + ((end - late.due) * index) / samples;
      const loaded = this.value(this.data.loadedEnd, time);
      const wanted = reached(time);
      upper.push(`${this.x(layer, time)} ${this.y(layer, wanted)}`);
      lower.unshift(`${this.x(layer, time)} ${this.y(layer, Math.min(loaded, wanted))}`);
    }
    shape = `M${upper.join("L")}L${lower.join("L")}Z`;
    layer.marks.missing.setAttribute("d", shape);
  }
}

/// Seconds to the millisecond, half up, as the command has them.
function seconds(nanoseconds) {
  return (Math.round(nanoseconds / 1e6) / 1e3).toFixed(3) + " s";
}

/// Seconds to one decimal, half up, as on stage.
function tenths(nanoseconds) {
  return (Math.floor(nanoseconds / 1e8 + 0.5) / 10).toFixed(1) + "s";
}

const runs = [...document.querySelectorAll("section.run")]
  .filter((section) => section.querySelector("script.data"))
  .map((section) => new Run(section));

// MARK: - The engine

/// Asks the engine in its worker, one question at a time; of those that wait the newest of a kind
/// is kept.
class Engine {
  constructor(worker, module) {
    const bytes = Uint8Array.from(atob(module), (letter) => letter.charCodeAt(0));
    const source = new Blob([atob(worker)], { type: "text/javascript" });
    this.worker = new Worker(URL.createObjectURL(source));
    this.waiting = [];
    this.current = null;
    this.worker.onmessage = ({ data }) => this.receive(data);
    this.current = { then: () => {} };
    this.worker.postMessage({ module: bytes }, [bytes.buffer]);
  }

  ask(kind, question, then) {
    this.waiting = this.waiting.filter((other) => other.kind !== kind);
    this.waiting.push({ kind, question, then });
    this.waiting.sort((a, b) => (a.kind < b.kind ? -1 : 1));
    this.next();
  }

  next() {
    if (this.current || this.waiting.length === 0) return;
    this.current = this.waiting.shift();
    this.worker.postMessage({ number: 0, question: JSON.stringify(this.current.question) });
  }

  receive(data) {
    const { then } = this.current;
    this.current = null;
    if (data.answer) then(data.answer, data.took);
    this.next();
  }
}

const profiles = ["3G", "Edge", "DSL", "LTE", "Wi-Fi", "Very Bad Network"];

/// The settings that a page can change: a path, and values over a slider or in a list.

class Controls {
  constructor(run, engine, question) {
    this.run = run;
    this.engine = engine;
    this.question = question;
    this.edits = new Map();
    this.pinned = null;
    this.build();
  }

  build() {
    const form = document.createElement("form");
    form.addEventListener("submit", (event) => event.preventDefault());
    form.append(element("h3", "Change it"));
    const { scenario } = this.question;
    const link = scenario.link ?? {};
    const own = rateOf(link.bandwidth) ?? 2000;
    this.slider(form, "Bandwidth", "link.bandwidth", own, 7, (step) =>
      [Math.max(1, Math.round(own * 2 ** ((step - 50) / 12.5))), "kbit/s"]);
    this.slider(form, "Delay, one way", "link.delay", timeOf(link.delay) ?? 0, 1, (step) =>
      [Math.round((timeOf(link.delay) ?? 0) + (step - 50) * 5), "ms"], 0);
    if (scenario.media?.hls) {
      this.slider(form, "Forward buffer", "player.preferredForwardBufferDuration", 30, 1,
        (step) => [Math.max(1, Math.round(2 ** ((step - 50) / 8 + 4.9))), "s"]);
    }
    const tap = scenario.script?.findIndex(
      (step) => (step.do === "play" || step.do === "playImmediately") && step.at !== undefined);
    if (tap >= 0) {
      const at = timeOf(scenario.script[tap].at);
      this.slider(form, "Play at", `script.${tap}.at`, at, 1,
        (step) => [Math.round(at + (step - 50) * Math.max(20, this.run.end / 1e6 / 200)), "ms"], 0);
      this.choice(form, "How it starts", `script.${tap}.do`, ["play", "playImmediately"]);
    }
    this.choice(form, "Profile", "link.profile", ["", ...profiles]);
    this.choice(form, "Policy", "player.policy", ["", ...this.question.policies]);
    const reset = element("button", "As it was");
    reset.type = "button";
    reset.addEventListener("click", () => this.reset());
    const copy = element("button", "Scenario");
    copy.type = "button";
    copy.addEventListener("click", () => this.showScenario());
    this.note = element("p", "");
    this.note.setAttribute("role", "status");
    this.text = document.createElement("textarea");
    this.text.readOnly = true;
    this.text.rows = 6;
    this.text.hidden = true;
    this.text.setAttribute("aria-label", "The scenario with the changes");
    form.append(reset, " ", copy, this.note, this.text);
    this.form = form;
    this.run.section.querySelector("aside").append(form);
  }

  slider(form, name, path, own, digits, value, least = 1) {
    const label = document.createElement("label");
    const output = document.createElement("output");
    const input = document.createElement("input");
    Object.assign(input, { type: "range", min: 0, max: 100, value: 50 });
    input.dataset.path = path;
    const text = () => {
      const [number, unit] = value(Number(input.value));
      return `${Math.max(least, number)} ${unit}`;
    };
    input.addEventListener("input", () => {
      output.textContent = text();
      input.setAttribute("aria-valuetext", text());
      if (path === "link.bandwidth") this.clear("link.profile");
      this.set(path, text());
    });
    label.append(element("span", name), output, input);
    form.append(label);
  }

  choice(form, name, path, values) {
    if (values.length < 2) return;
    const label = document.createElement("label");
    const select = document.createElement("select");
    select.dataset.path = path;
    for (const value of values) {
      const option = element("option", value || "as in the scenario");
      option.value = value;
      select.append(option);
    }
    if (path.endsWith(".do")) {
      select.value = this.question.scenario.script[Number(path.split(".")[1])].do;
    }
    select.addEventListener("change", () => {
      if (path === "link.profile") this.clear("link.bandwidth");
      if (select.value === "") this.unset(path); else this.set(path, select.value);
    });
    label.append(element("span", name), element("span", ""), select);
    form.append(label);
  }

  clear(path) {
    this.edits.delete(path);
    const control = this.form.querySelector(`[data-path="${path}"]`);
    if (control) control.value = control.localName === "select" ? "" : "50";
    const output = control?.parentNode.querySelector("output");
    if (output) output.textContent = "";
  }

  /// The edits as the command line takes them.
  lines() {
    const lines = [...this.edits].map(([path, value]) => `${path}=${value}`);
    // A profile and a bandwidth exclude each other.
    const { link } = this.question.scenario;
    if (this.edits.has("link.bandwidth") && link?.profile) lines.unshift("link.profile=");
    if (this.edits.has("link.profile")) {
      for (const key of ["bandwidth", "delay", "uplink", "downlink"]) {
        if (link?.[key] !== undefined && !this.edits.has(`link.${key}`)) {
          lines.unshift(`link.${key}=`);
        }
      }
    }
    return lines;
  }

  set(path, value) {
    this.edits.set(path, value);
    this.ask();
  }

  unset(path) {
    this.edits.delete(path);
    this.ask();
  }

  reset() {
    for (const { dataset } of this.form.querySelectorAll("[data-path]")) this.clear(dataset.path);
    this.edits.clear();
    this.ask();
  }

  ask() {
    const question = { ...this.question, edits: this.lines(), drawn: true };
    this.engine.ask("0 drawn", question, (answer, took) => this.receive(answer, took));
  }

  receive(answer, took) {
    if (answer.error) {
      this.note.textContent = answer.error;
      return;
    }
    this.answer = answer;
    this.note.textContent = this.edits.size === 0 ? "" : `ran in ${took.toFixed(1)} ms`;
    if (!this.text.hidden) this.showScenario();
    this.run.replace(answer.section);
    this.run.section.dataset.digest = answer.digest;
    const hash = this.lines().map(encodeURIComponent).join("&");
    history.replaceState(null, "", hash ? `#${this.run.section.id}&${hash}` : "#");
  }

  showScenario() {
    this.text.hidden = false;
    const { scenario } = this.answer ?? { scenario: JSON.stringify(this.question.scenario) };
    this.text.value = scenario;
    this.text.dataset.lines = JSON.stringify(this.lines());
  }
}

/// Kilobits per second of a quantity.
function rateOf(text) {
  const match = /^([0-9.]+) *([kMG]?)bit\/s$/.exec(text ?? "");
  return match ? Number(match[1]) * { "": 0.001, k: 1, M: 1000, G: 1e6 }[match[2]] : null;
}

/// Milliseconds of a quantity.
function timeOf(text) {
  const match = /^([0-9.]+) *(ms|s|min)$/.exec(text ?? "");
  return match ? Number(match[1]) * { ms: 1, s: 1000, min: 60000 }[match[2]] : null;
}

function element(name, text) {
  const node = document.createElement(name);
  node.textContent = text;
  return node;
}

/// Puts a drawn answer in the place of what a section shows.
Run.prototype.replace = function replace(html) {
  const answer = new DOMParser().parseFromString(html, "text/html");
  for (const part of [".head", ".decisions tbody", "details"]) {
    const [old, now] = [this.section.querySelector(part), answer.querySelector(part)];
    if (old && now) old.replaceChildren(...now.childNodes);
  }
  const svgs = [...this.figure.querySelectorAll("svg.run")];
  [...answer.querySelectorAll("svg.run")].forEach((svg, index) => svgs[index].replaceWith(svg));
  this.rows = [...this.section.querySelectorAll(".decisions tbody tr")];
  const time = this.time;
  this.read(JSON.parse(answer.querySelector("script.data").textContent));
  this.zoom = { from: 0, span: 1 };
  this.time = Math.min(time, this.end);
  this.prepare();
};

const module = document.getElementById("engine");
if (module) {
  const engine = new Engine(document.getElementById("worker").textContent, module.textContent);
  for (const run of runs) {
    const question = run.section.nextElementSibling;
    if (question?.matches("script.question")) {
      run.controls = new Controls(run, engine, JSON.parse(question.textContent));
    }
  }
}
