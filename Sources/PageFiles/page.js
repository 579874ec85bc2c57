"use strict";
// Cursor, keys, zoom and playing over the pictures of a page. The drawings and all sentences come
// from the command; this file looks values up and moves marks.

const isNarrow = matchMedia("(max-width: 640px)");
const SVG = "http://www.w3.org/2000/svg";

/// One run of the page: its pictures, its panel and the numbers behind them.
class Run {
  constructor(section) {
    this.section = section;
    this.figure = section.querySelector("figure.picture");
    this.hint = section.querySelector(".hint");
    this.rows = [...section.querySelectorAll(".decisions tbody tr")];
    /// The drawings as the command made them: those of the engine have no lanes of resilience.
    this.drawn = [...this.figure.querySelectorAll("svg.run")].map((svg) => svg.cloneNode(true));
    this.zoom = { from: 0, span: 1 };
    this.read(JSON.parse(section.querySelector("script.data").textContent));
    this.prepare();
  }

  read(data) {
    this.data = data;
    // A run that ends at once has a drawing of a nanosecond, as its data-plot says.
    this.end = Math.max(1, data.ended);
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
    this.hint.textContent ||= "← → move · Space plays · ? all keys";
    // The drawing that the window shows; the style sheet has the same width.
    const drawing = `svg.run[class*=" ${isNarrow.matches ? "n" : "w"}"]`;
    this.layers = [...figure.querySelectorAll(drawing)].map((svg) => svg.layer ??= this.layer(svg));
    for (const layer of this.layers) this.overlay(layer);
    // Nothing is scrolled here: it would have the page laid out at once.
    if (this.isReady) return this.show(this.time, false);
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
    for (const kind of ["pinned", "parts", "missing", "whatif", "cursor"]) {
      marks[kind] = document.createElementNS(SVG, "path");
      marks[kind].setAttribute("class", kind);
      group.append(marks[kind]);
    }
    // Marks of the cursor end at the time axis: its labels stand 14 px below it.
    const bottom = Number(svg.querySelector(".axis text")?.getAttribute("y") ?? 140) - 140;
    // A zoom scales the shapes over the time axis and moves the words; the plot clips the former,
    // and the drawing both.
    const { width, height } = svg.viewBox.baseVal;
    const name = `${svg.classList[1]}-plot`;
    this.clip(svg, name, plot[0], plot[1] - plot[0], bottom);
    this.clip(svg, `${name}-words`, 0, width, height);
    const content = svg.querySelector(":scope > g");
    const ofLegend = (node) => node.closest(".legend") !== null;
    const shapes = [...content.querySelectorAll("path")].filter((node) => !ofLegend(node));
    const words = [...content.querySelectorAll(".axis text, text.on, text.gold, circle")]
      .filter((node) => !ofLegend(node));
    for (const node of words) {
      // The last label of the axis ends at the drawing's edge; its tick stands before it.
      if (node.matches(".axis .value")) node.dataset.last = "true";
      node.dataset.x = node.dataset.last
        ? plot[0] + ((parseFloat(node.textContent) * 1e9) / plot[2]) * (plot[1] - plot[0])
        : node.getAttribute(node.localName === "circle" ? "cx" : "x");
    }
    // Words lie over the marks.
    content.append(group);
    for (const node of [...content.querySelectorAll("text")]) {
      if (!ofLegend(node)) content.append(node);
    }
    return { svg, plot, marks, bottom, shapes, words, name, width };
  }

  clip(svg, name, x, width, height) {
    const clip = document.createElementNS(SVG, "clipPath");
    const box = document.createElementNS(SVG, "rect");
    clip.id = name;
    for (const [key, value] of Object.entries({ x, y: 0, width, height })) {
      box.setAttribute(key, String(value));
    }
    clip.append(box);
    svg.querySelector("defs").append(clip);
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
    this.pause();
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
      " ": () => this.play(),
      p: () => this.controls?.pin(),
      "?": () => { this.hint.textContent = allKeys; },
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    if (event.key !== " ") this.pause();
    const time = action();
    if (time !== undefined) this.show(time, true);
  }

  /// Moves the cursor with the clock, from the beginning where it stands at the end; or pauses.
  play() {
    if (this.frame) return this.pause();
    if (this.time >= this.end) this.show(0, true);
    let last = performance.now();
    const step = (now) => {
      const time = this.time + (now - last) * 1e6;
      last = now;
      this.show(time, true);
      this.frame = this.time < this.end ? requestAnimationFrame(step) : null;
    };
    this.frame = requestAnimationFrame(step);
    return undefined;
  }

  pause() {
    if (this.frame) cancelAnimationFrame(this.frame);
    this.frame = null;
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
    const clip = (node, name) => {
      if (span < 1) node.setAttribute("clip-path", `url(#${name})`);
      else node.removeAttribute("clip-path");
    };
    for (const node of layer.shapes) {
      clip(node, layer.name);
      node.dataset.d ??= node.getAttribute("d");
      const shape = node.dataset.d.replace(/([ML])(-?[0-9]+) /g, (_, step, x) =>
        `${step}${moved(Number(x))} `);
      node.setAttribute("d", span < 1 ? shape : node.dataset.d);
    }
    layer.svg.classList.toggle("zoomed", span < 1);
    for (const node of layer.words) {
      clip(node, `${layer.name}-words`);
      const x = moved(Number(node.dataset.x));
      const place = node.dataset.last && span === 1 ? layer.width : x;
      if (node.dataset.last) node.setAttribute("class", span < 1 ? "tick" : "value");
      node.setAttribute(node.localName === "circle" ? "cx" : "x", String(place));
      node.style.visibility = x < left - 1 || x > right + 60 ? "hidden" : "";
    }
    this.overlay(layer);
  }

  // MARK: - A pinned run

  /// Keeps a run as a dotted line, or lets go of it.
  pin(kept) {
    this.pinned = kept;
    for (const layer of this.layers) this.overlay(layer);
    this.compare();
  }

  /// The playhead of the pinned run, and a tick where the two first decide otherwise.
  overlay(layer) {
    const line = this.pinned?.data.playhead;
    if (line) layer.marks.pinned.setAttribute("d", this.path(layer, line));
    else layer.marks.pinned.removeAttribute("d");
    const parts = this.parting();
    if (parts) {
      const x = this.x(layer, parts.time);
      const low = layer.bottom;
      layer.marks.parts.setAttribute("d", `M${x - 60} ${low}H${x + 60}L${x} ${low - 110}Z`);
    } else {
      layer.marks.parts.removeAttribute("d");
    }
    this.controls?.placeHandles(layer);
  }

  /// A line of times and media in turn, as far as it lies in what is shown.
  path(layer, line) {
    const end = layer.plot[2];
    const [low, high] = [this.zoom.from * end, (this.zoom.from + this.zoom.span) * end];
    const place = (time, media) => `${this.x(layer, time)} ${this.y(layer, media)}`;
    const points = [place(low, this.value(line, low))];
    for (let index = 0; index < line.length; index += 2) {
      if (line[index] > low && line[index] < high) points.push(place(line[index], line[index + 1]));
    }
    const last = Math.min(high, line[line.length - 2]);
    if (last > low) points.push(place(last, this.value(line, last)));
    return `M${points.join("L")}`;
  }

  /// The first decision at which this run and the pinned one part.
  parting() {
    if (!this.pinned) return null;
    const [mine, other] = [this.data.decisions, this.pinned.data.decisions];
    // To the millisecond: the same decision a little later is no other one.
    const same = (own, was) => was && seconds(own[0]) === seconds(was[0]) && own[1] === was[1];
    const index = mine.findIndex((own, place) => !same(own, other[place]));
    if (index < 0 && mine.length >= other.length) return null;
    const place = index < 0 ? mine.length : index;
    const [own, was] = [mine[place], other[place]];
    return { time: Math.min(own?.[0] ?? Infinity, was?.[0] ?? Infinity), own, was };
  }

  /// Shows the figures of the pinned run beside those that differ.
  compare() {
    for (const old of this.section.querySelectorAll(".figures small")) old.remove();
    if (!this.pinned) return;
    for (const [name, cell] of figuresOf(this.section)) {
      const was = this.pinned.figures.get(name);
      if (was === undefined || was === cell.textContent) continue;
      cell.append(element("small", ` was ${was}`));
    }
  }

  // MARK: - Values

  /// The number of points of a line up to a time.
  count(line, time) {
    let [low, high] = [0, line.length / 2];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (line[2 * middle] <= time) low = middle + 1; else high = middle;
    }
    return low;
  }

  value(line, time) {
    const low = this.count(line, time);
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
    if (text.length === 9) return text;
    const now = this.value(data.playhead, time);
    const { loadedEnd: line } = data;
    const reached = this.value(line, time);
    // A playhead that goes on past its range takes the line along, not the range.
    const end = reached - now < 2e5 ? line[2 * this.count(line, time) - 1] ?? 0 : reached;
    const [, start, ...others] = data.ranges[this.last(data.ranges, time)] ?? [0, -1];
    const own = start < 0 ? "" : `[${tenths(Math.min(start, end))}, ${tenths(end)}]`;
    // The ranges before that under the playhead, and those after it.
    const [before, after] = others.map((ranges) => ranges.slice(1, -1));
    const ranges = [before, own, after].filter(Boolean).join(", ");
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

  /// How late the worst byte would be by the player's last forecast; 0 where none holds.
  forecast(time) {
    const all = this.data.forecasts;
    const [start, end, late] = all[this.last(all, time)] ?? [0, 0, 0];
    return time < end ? late - (time - start) : 0;
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
    const forecast = this.forecast(this.time);
    const at = data.words.at.replace("{at}", seconds(this.time));
    this.section.querySelector(".at").textContent = at;
    const reason = this.section.querySelector(".why");
    reason.textContent = why;
    const source = this.rows[place]?.cells[2]?.textContent;
    if (source) reason.append(" ", element("code", source));
    const belief = forecast > 0 ? data.words.forecast.replace("{late}", seconds(forecast)) : "";
    const words = [whatIf, belief].filter(Boolean).join(" ");
    this.section.querySelector(".whatif-words").textContent = words;
    const cells = this.section.querySelectorAll(".panel td");
    this.properties(this.time).forEach((value, index) => { cells[index].textContent = value; });
    this.figure.setAttribute("aria-valuemax", String(this.end / 1e9));
    this.figure.setAttribute("aria-valuenow", String(this.time / 1e9));
    this.figure.setAttribute("aria-valuetext", [at + ":", why, words].filter(Boolean).join(" "));
    this.rows.forEach((row, index) => row.classList.toggle("now", index === place));
    if (isByKey && this.rows[place]) {
      const scroll = this.rows[place].closest(".scroll");
      scroll.scrollTop = this.rows[place].offsetTop - scroll.clientHeight / 2;
    }
    for (const layer of this.layers) this.mark(layer, late);
  }

  mark(layer, late) {
    const x = this.x(layer, this.time);
    layer.marks.cursor.setAttribute("d", `M${x} 20V${layer.bottom}`);
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

/// Seconds to one decimal, half up, as on stage; a place on a line is no whole nanosecond.
function tenths(nanoseconds) {
  return (Math.floor(Math.round(nanoseconds) / 1e8 + 0.5) / 10).toFixed(1) + "s";
}

function element(name, text) {
  const node = document.createElement(name);
  node.textContent = text;
  return node;
}

/// The cells of a run's figures by name.
function figuresOf(section) {
  return new Map([...section.querySelectorAll(".figures > div")]
    .map((part) => [part.querySelector("dt").textContent, part.querySelector("dd")]));
}

const allKeys = "← → move, with Shift further · , . previous and next decision · g the moment · "
  + "s next stall · Home End · + − 0 zoom · Space plays in real time · p pins";

const runs = [...document.querySelectorAll("section.run")]
  .filter((section) => section.querySelector("script.data"))
  .map((section) => new Run(section));
isNarrow.addEventListener("change", () => {
  for (const run of runs) {
    run.prepare();
    run.zoomBy(1);
  }
});
