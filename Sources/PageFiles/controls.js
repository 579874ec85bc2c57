
// MARK: - The engine

/// Asks the engine in its worker, one question at a time; of those that wait the newest of a kind
/// is kept. Each run has kinds of its own.
class Engine {
  constructor(worker, module) {
    const bytes = unpacked(module);
    const source = new Blob([atob(worker)], { type: "text/javascript" });
    this.worker = new Worker(URL.createObjectURL(source));
    this.waiting = [];
    this.worker.onmessage = ({ data }) => this.receive(data);
    this.isReady = false;
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
    if (this.problem) {
      for (const { then } of this.waiting.splice(0)) then({ error: this.problem });
    }
    if (this.current || this.waiting.length === 0) return;
    this.current = this.waiting.shift();
    this.worker.postMessage({ number: 0, question: json(this.current.question) });
  }

  /// Takes an answer; the first message says whether the module was loaded.
  receive({ ready, answer, took }) {
    if (!ready && !this.isReady) return this.fail(answer.error);
    const { then } = this.current;
    this.current = null;
    this.isReady = true;
    if (answer) then(answer, took);
    return this.next();
  }

  /// Says at each run that there is no engine, and answers every question so.
  fail(reason) {
    this.problem = `The engine in this page cannot be used, its file may be damaged: ${reason}`;
    for (const note of document.querySelectorAll("[role=status]")) note.textContent = this.problem;
    this.next();
  }
}

const profiles = ["3G", "Edge", "DSL", "LTE", "Wi-Fi", "Very Bad Network"];
const outagesPath = "link.outages";
/// Bits per second that a link carries at most.
const mostRate = 1e12;

/// The settings that a page can change: a path, and values over a slider or in a list.
class Controls {
  constructor(run, engine, question) {
    this.run = run;
    this.engine = engine;
    this.question = question;
    this.edits = new Map();
    this.sliders = [];
    /// The number of the series of runs behind the sliders.
    this.series = 0;
    /// The length of the run as it was, in milliseconds.
    this.width = this.run.end / 1e6;
    this.build();
    this.readAddress();
    // Each axis is a hundred runs: only a section that is looked at has its own.
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      this.isSeen = true;
      this.fillBars();
    });
    observer.observe(this.run.section);
  }

  // MARK: - The form

  build() {
    const form = document.createElement("form");
    form.addEventListener("submit", (event) => event.preventDefault());
    form.append(element("h3", "Change it"));
    this.form = form;
    this.buildSliders();
    // A recording that is a profile leaves no room for another one.
    const { files, scenario } = this.question;
    if (!files?.[scenario.link?.trace?.file]?.includes("<plist")) {
      this.choice("Profile", "link.profile", ["", ...profiles]);
    }
    this.choice("Policy", "player.policy", ["", ...this.question.policies]);
    const buttons = document.createElement("p");
    form.append(buttons);
    const button = (name, act) => {
      const made = element("button", name);
      made.type = "button";
      made.addEventListener("click", act);
      buttons.append(made, " ");
      return made;
    };
    button("As it was", () => this.reset());
    this.pinButton = button("Pin", () => this.pin());
    button("Scenario", () => this.showScenario());
    button("Play", () => this.run.play());
    this.note = element("p", "");
    this.note.setAttribute("role", "status");
    this.lineList = element("pre", "");
    this.text = document.createElement("textarea");
    Object.assign(this.text, { readOnly: true, rows: 6, hidden: true });
    this.text.setAttribute("aria-label", "The scenario with the changes");
    form.append(this.note, this.lineList, this.text);
    this.run.section.querySelector(".stage").append(form);
    for (const layer of this.run.layers) this.placeHandles(layer);
  }

  buildSliders() {
    const { scenario, bandwidth, delay } = this.question;
    const link = scenario.link ?? {};
    const { width } = this;
    // The rates of a schedule, a recording or a direction take the place of the link's own, and so
    // does the delay of a direction.
    if (!link.schedule && !link.trace && link.downlink?.bandwidth === undefined) {
      const rate = bandwidth ?? 2_000_000;
      const slider = this.slider("Bandwidth", "link.bandwidth", (step) =>
        rateText(step === 50 ? rate : Math.min(mostRate, rate * 2 ** ((step - 50) / 12.5)),
          step === 50));
      if (bandwidth === undefined) this.leaveOpen(slider);
    }
    if (link.downlink?.delay === undefined) {
      this.slider("Delay, one way", "link.delay", (step) =>
        `${Math.max(0, rounded(delay / 1e6 + (step - 50) * 5))} ms`);
    }
    this.outage = this.ownOutage();
    this.longest = Math.max(20_000, 2 * this.outage.span, width / 2);
    const own = { ...this.outage, ...this.outagePlaces() };
    const from = (step) => (step === own.first ? own.from : (step * width) / 100);
    const span = (step) => (step === own.length ? own.span : this.longest * (step / 100) ** 2);
    this.slider("Outage from", outagesPath, (step) => `${Math.round(from(step))} ms`, own.first,
      (step) => ({ ...this.outage, from: from(step) }));
    this.slider("Outage for", outagesPath, (step) => `${Math.round(span(step))} ms`, own.length,
      (step) => ({ ...this.outage, span: span(step) }));
    if (scenario.media?.hls) {
      const own = timeOf(scenario.player?.preferredForwardBufferDuration);
      const length = (own || 30_000) / 1000;
      const slider = this.slider("Forward buffer", "player.preferredForwardBufferDuration",
        (step) => (step === 50 ? `${length} s`
          : `${Math.max(1, Math.round(length * 2 ** ((step - 50) / 8)))} s`));
      if (!own) this.leaveOpen(slider);
    }
    const tap = scenario.script?.findIndex(
      (step) => step.do === "play" || step.do === "playImmediately");
    if (tap >= 0) {
      const at = timeOf(scenario.script[tap].at);
      const grain = Math.max(20, width / 200);
      // A step that waits for another one, or for a condition, has no time of its own.
      if (at !== null) {
        this.tap = this.slider("Play at", `script.${tap}.at`, (step) =>
          `${Math.max(0, rounded(at + (step - 50) * grain))} ms`);
        this.tap.stepOf = (time) => (time - at) / grain + 50;
      }
      this.choice("How it starts", `script.${tap}.do`, ["play", "playImmediately"]);
    }
  }

  /// The first outage of the scenario in milliseconds, or none at a quarter of the run.
  ownOutage() {
    const { from, for: span } = this.question.scenario.link?.outages?.[0] ?? {};
    return { from: timeOf(from) ?? this.width / 4, span: timeOf(span) ?? 0 };
  }

  /// The steps of the two sliders for the present outage: a short one is never at step 0.
  outagePlaces() {
    const { from, span } = this.outage;
    const step = (share) => Math.round(100 * Math.min(Math.max(share, 0), 1));
    const least = span > 0 ? 1 : 0;
    return {
      first: step(from / this.width),
      length: Math.max(least, step(Math.sqrt(span / this.longest))),
    };
  }

  /// The edit that replaces the scenario's first outage; a start or length that stays keeps its
  /// text.
  outageText({ from, span }) {
    const [first, ...others] = this.question.scenario.link?.outages ?? [];
    const own = this.ownOutage();
    const text = (time, was, as) => (first && time === was ? as : `${Math.round(time)} ms`);
    const outage = {
      ...first, from: text(from, own.from, first?.from), for: text(span, own.span, first?.for),
    };
    return json(span > 0 ? [outage, ...others] : others);
  }

  /// A range of a hundred steps; the scenario's own value stands at one of them.
  slider(name, path, text, own = 50, outage = null) {
    const label = document.createElement("label");
    // An output would be the control of the label.
    const output = document.createElement("span");
    const input = document.createElement("input");
    const place = Math.round(Math.min(Math.max(own, 0), 100));
    Object.assign(input, { type: "range", min: 0, max: 100, value: place });
    input.dataset.path = path;
    input.setAttribute("aria-label", name);
    const bars = document.createElementNS(SVG, "svg");
    bars.setAttribute("class", "bars");
    bars.setAttribute("viewBox", "-1 0 102 24");
    bars.setAttribute("preserveAspectRatio", "none");
    bars.setAttribute("role", "img");
    const value = outage ? (step) => this.outageText(outage(step)) : text;
    const slider = {
      name, path, text, value, own: value(place), outage, place, input, output, bars,
    };
    input.addEventListener("input", () => this.moved(slider));
    label.append(element("span", name), output, bars, input);
    this.form.append(label);
    this.sliders.push(slider);
    this.say(slider, text(place));
    return slider;
  }

  /// Lets a slider stand for a value that the scenario does not have.
  leaveOpen(slider) {
    slider.own = null;
    this.clear(slider.path);
  }

  /// Tells the value of a slider, which is not written beside it where it is the scenario's own.
  say({ input, output }, text, isShown = false) {
    output.textContent = isShown ? text : "";
    input.setAttribute("aria-valuetext", text);
  }

  moved(slider) {
    const step = Number(slider.input.value);
    this.say(slider, slider.text(step), true);
    if (slider.path === "link.bandwidth") this.clear("link.profile");
    if (slider.outage) this.outage = slider.outage(step);
    const value = slider.value(step);
    // The scenario's own value is no edit, since its delays may differ by direction; beside a
    // profile that was chosen it is one. A scenario without a value has none at any step.
    if (value === slider.own && !this.edits.has("link.profile")) this.edits.delete(slider.path);
    else this.edits.set(slider.path, value);
    this.ask();
  }

  choice(name, path, values) {
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
      if (select.value === "") this.clear(path); else this.edits.set(path, select.value);
      this.ask();
    });
    label.append(element("span", name), element("span", ""), select);
    this.form.append(label);
  }

  /// Puts a setting back to what the scenario says.
  clear(path) {
    this.edits.delete(path);
    for (const select of this.form.querySelectorAll(`select[data-path="${path}"]`)) {
      select.value = path.endsWith(".do")
        ? this.question.scenario.script[Number(path.split(".")[1])].do : "";
    }
    for (const slider of this.sliders.filter((slider) => slider.path === path)) {
      slider.input.value = slider.place;
      this.say(slider, slider.own === null ? "as in the scenario" : slider.text(slider.place));
    }
    if (path === outagesPath) this.outage = this.ownOutage();
    if (path === "link.profile") this.forgetOwn();
  }

  /// Without a profile that was chosen the scenario's own values are no edits.
  forgetOwn() {
    for (const { path, own } of this.sliders) {
      if (this.edits.get(path) === own) this.edits.delete(path);
    }
  }

  reset() {
    this.putBack();
    this.ask();
  }

  /// Puts all settings back to what the scenario says.
  putBack() {
    // An edit of the address may have no control.
    this.edits.clear();
    for (const { dataset } of this.form.querySelectorAll("[data-path]")) this.clear(dataset.path);
  }

  // MARK: - Questions

  /// Edits as the command line takes them; first those that remove keys which the others exclude.
  lines(edits = this.edits) {
    const lines = [...edits].map(([path, value]) => `${path}=${value}`);
    const { link, player, script = [] } = this.question.scenario;
    const drop = (part, at, keys) => {
      for (const key of keys) {
        const path = `${at}.${key}`;
        if (part?.[key] !== undefined && !edits.has(path)) lines.unshift(`${path}=`);
      }
    };
    if (edits.has("link.profile")) {
      drop(link, "link", ["bandwidth", "relativeBandwidth", "delay", "uplink", "downlink"]);
    } else if (edits.has("link.bandwidth")) {
      drop(link, "link", ["relativeBandwidth"]);
    }
    if (edits.has("player.policy")) {
      drop(player, "player", ["heuristic", "adaptation", "startsOnFirstEligibleVariant"]);
    }
    script.forEach((step, place) => {
      if (edits.get(`script.${place}.do`) === "play") drop(step, `script.${place}`, ["rate"]);
    });
    return lines;
  }

  ask() {
    const size = isNarrow.matches ? "narrow" : "wide";
    const edits = this.lines();
    const question = { ...this.question, edits, drawn: true, size };
    this.series += 1;
    const { series } = this;
    const { id } = this.run.section;
    this.engine.ask(`0 drawn ${id}`, question, (answer, took) =>
      this.receive({ ...answer, edits }, took));
    clearTimeout(this.otherTimer);
    if (edits.length === 0) return;
    // The drawing that the window does not show is for paper, or for a window of another width.
    this.otherTimer = setTimeout(() => {
      const other = { ...question, size: size === "wide" ? "narrow" : "wide" };
      this.engine.ask(`0 other ${id}`, other, ({ section }) => {
        if (series !== this.series) return;
        this.run.replaceDrawings(parsed(section).querySelectorAll("svg.run"));
        this.run.prepare();
      });
    }, 300);
  }

  receive(answer, took) {
    if (answer.error) {
      this.note.textContent = answer.error;
      return;
    }
    this.answer = answer;
    this.note.textContent = this.edits.size === 0 ? "" : `ran in ${took.toFixed(1)} ms`;
    if (!this.text.hidden) this.showScenario();
    this.run.replace(answer.section, answer.edits.length === 0);
    this.run.section.dataset.digest = answer.digest;
    // Browsers refuse an address that changes with every step of a slider.
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(() => this.writeAddress(), 200);
    this.fillBars();
    this.sayParting();
  }

  /// Writes the changes of all runs, each behind the name of its run; the name of a run to which a
  /// link led stays before them.
  writeAddress() {
    const [first, second] = addressParts();
    const shown = isRun(first) && (second === undefined || isRun(second)) ? [first] : [];
    const parts = runs.filter(({ controls }) => controls?.edits.size > 0)
      .flatMap(({ section, controls }) =>
        [section.id, ...controls.lines().map(encodeURIComponent)]);
    history.replaceState(null, "", `#${[...shown, ...parts].join("&")}`);
  }

  /// Takes the changes that the address names.
  readAddress() {
    const parts = addressParts();
    const { id } = this.run.section;
    const place = parts.lastIndexOf(id);
    const rest = place < 0 ? [] : parts.slice(place + 1);
    const next = rest.findIndex(isRun);
    const lines = next < 0 ? rest : rest.slice(0, next);
    if (parts[0] === id && parts.length > 1) this.run.section.scrollIntoView();
    if (lines.length === 0 && this.edits.size === 0) return;
    let edits;
    try {
      edits = lines.map((line) => /^([^=]+)=(.*)$/s.exec(decodeURIComponent(line)).slice(1));
    } catch {
      this.note.textContent = `The address has changes that cannot be read: ${lines.join("&")}`;
      return;
    }
    this.putBack();
    for (const [path, value] of edits) {
      if (value === "") continue;
      if (path === outagesPath) this.readOutage(value);
      for (const select of this.form.querySelectorAll("select")) {
        if (select.dataset.path === path) select.value = value;
      }
      for (const slider of this.sliders.filter((slider) => slider.path === path)) {
        if (path === outagesPath) continue;
        const steps = Array.from({ length: 101 }, (_, step) => step);
        slider.input.value = steps.find((step) => slider.text(step) === value) ?? slider.place;
        this.say(slider, value, true);
      }
      this.edits.set(path, value);
    }
    this.ask();
  }

  /// Takes the first of a list of outages; the engine reports any other value.
  readOutage(value) {
    let first;
    try {
      [first] = JSON.parse(value);
    } catch {
      return;
    }
    this.outage = { from: timeOf(first?.from) ?? this.outage.from, span: timeOf(first?.for) ?? 0 };
    this.placeOutage();
  }

  placeOutage() {
    const [from, span] = this.sliders.filter((slider) => slider.path === outagesPath);
    const { first, length } = this.outagePlaces();
    [from.input.value, span.input.value] = [first, length];
    this.say(from, `${Math.round(this.outage.from)} ms`, true);
    this.say(span, `${Math.round(this.outage.span)} ms`, true);
  }

  // MARK: - The whole axis behind a slider

  /// Runs every fourth step of each slider, with the other changes as they are.
  fillBars() {
    if (!this.isSeen) return;
    const series = this.series;
    this.isFilled = false;
    const places = this.sliders.flatMap((slider) =>
      Array.from({ length: 26 }, (_, index) => ({ slider, step: 4 * index })));
    const found = new Map(this.sliders.map((slider) => [slider, []]));
    const next = () => {
      if (series !== this.series || this.engine.problem) return;
      const place = places.shift();
      if (!place) return;
      const { slider, step } = place;
      const edits = new Map(this.edits);
      edits.set(slider.path, slider.value(step));
      if (slider.path === "link.bandwidth") edits.delete("link.profile");
      const question = { ...this.question, edits: this.lines(edits) };
      this.engine.ask(`1 ${this.run.section.id}`, question, (answer) => {
        found.get(slider).push({ step, ...answer });
        if (step === 100 && series === this.series) this.drawBars(slider, found.get(slider));
        this.isFilled = places.length === 0;
        next();
      });
    };
    setTimeout(next, 120);
  }

  /// Bars of all sliders have one scale: four times what the run waits now, and at least 10 s.
  drawBars(slider, answers) {
    const ran = answers.filter((answer) => !answer.error);
    const { asked, began } = this.run.data;
    const waits = ((began ?? 0) - (asked ?? 0)) / 1e9 + (this.answer?.stalledSeconds ?? 0);
    const most = Math.max(4 * waits, 10);
    const bar = (step, from, to) => {
      const [low, high] = [from, to].map((share) => 24 - 24 * Math.min(share, 1));
      return `M${step - 1} ${low}V${high}h2V${low}Z`;
    };
    let [start, stalled, never] = ["", "", ""];
    for (const answer of ran) {
      const delay = (answer.startupDelaySeconds ?? 0) / most;
      if (answer.startupDelaySeconds === null) never += bar(answer.step, 0, 1);
      else start += bar(answer.step, 0, delay);
      if (answer.stalledSeconds > 0) {
        stalled += bar(answer.step, delay, delay + answer.stalledSeconds / most);
      }
    }
    slider.bars.replaceChildren(...[["start", start], ["stall", stalled], ["never", never]]
      .filter(([, d]) => d).map(([kind, d]) => {
        const path = document.createElementNS(SVG, "path");
        path.setAttribute("class", kind);
        path.setAttribute("d", d);
        return path;
      }));
    slider.bars.setAttribute("aria-label", this.axisWords(slider, ran));
  }

  /// The bars of a slider as a sentence.
  axisWords(slider, answers) {
    if (answers.length === 0) return `${slider.name}: no value can be run`;
    const ends = (list) => `${slider.text(list[0].step)} to ${slider.text(list.at(-1).step)}`;
    const some = (list) => `at ${list.length} of ${answers.length} values, ${ends(list)}`;
    const starts = answers.map((answer) => answer.startupDelaySeconds).filter((s) => s !== null);
    const never = answers.filter((answer) => answer.startupDelaySeconds === null);
    const stalls = answers.filter((answer) => answer.stalledSeconds > 0);
    const words = [`${slider.name}, ${ends(answers)}`];
    if (starts.length > 0) {
      const [least, most] = [Math.min(...starts), Math.max(...starts)];
      words.push(`starts after ${least.toFixed(3)} to ${most.toFixed(3)} s`);
    }
    if (never.length > 0) words.push(`never starts ${some(never)}`);
    words.push(stalls.length === 0 ? "never stalls" : `stalls ${some(stalls)}`);
    return words.join("; ");
  }

  // MARK: - Handles in the picture

  /// The tap, the body of an outage and its ends, above the picture, as far as they are in view.
  placeHandles(layer) {
    layer.handles?.remove();
    layer.handles = document.createElementNS(SVG, "g");
    layer.svg.append(layer.handles);
    const { from, span } = this.outage;
    const x = (time) => this.run.x(layer, time * 1e6);
    const { from: low, span: shown } = this.run.zoom;
    const [least, most] = [low, low + shown].map((share) => (share * layer.plot[2]) / 1e6);
    // Handles are dragged to the millisecond.
    const isSeen = (time) => time > least - 1 && time < most + 1;
    const tap = this.tap && timeOf(this.edits.get(this.tap.path) ?? this.tap.text(this.tap.place));
    if (this.tap && isSeen(tap)) {
      const at = x(tap);
      this.handle(layer, `M${at - 70} -110H${at + 70}L${at} 0Z`, "tap", (time) => {
        this.slide(this.tap, this.tap.stepOf(time));
      });
    }
    if (span <= 0 || from > most || from + span < least) return;
    const [begin, end] = [x(from), x(from + span)];
    const move = (from, span) => {
      this.outage = { from: Math.max(0, from), span: Math.max(10, span) };
      this.placeOutage();
      this.edits.set(outagesPath, this.outageText(this.outage));
      this.ask();
    };
    this.handle(layer, `M${begin} -80H${end}V-10H${begin}Z`, "body",
      (time, grip) => move(grip.from + time - grip.time, grip.span));
    if (isSeen(from)) {
      this.handle(layer, `M${begin - 45} -110h90v120h-90Z`, "end", (time, grip) => {
        const from = Math.min(time, grip.from + grip.span - 10);
        move(from, grip.from + grip.span - from);
      });
    }
    if (isSeen(from + span)) {
      this.handle(layer, `M${end - 45} -110h90v120h-90Z`, "end",
        (time, grip) => move(grip.from, time - grip.from));
    }
  }

  handle(layer, shape, kind, drag) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", shape);
    path.setAttribute("class", `handle of-${kind}`);
    layer.handles.append(path);
    path.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      const grip = { ...this.outage, time: this.run.timeAt(event) / 1e6 };
      // The drawing is made anew with each answer, so the window follows the pointer.
      const follow = (event) => {
        event.preventDefault();
        drag(this.run.timeAt(event) / 1e6, grip);
      };
      const end = () => removeEventListener("pointermove", follow);
      addEventListener("pointermove", follow);
      addEventListener("pointerup", end, { once: true });
      addEventListener("pointercancel", end, { once: true });
    });
  }

  slide(slider, step) {
    const place = Math.round(Math.min(Math.max(step, 0), 100));
    if (Number(slider.input.value) === place) return;
    slider.input.value = place;
    this.moved(slider);
  }

  // MARK: - Pin and scenario

  pin() {
    const isPinned = this.run.pinned !== undefined && this.run.pinned !== null;
    const figures = [...figuresOf(this.run.section)].map(([name, cell]) =>
      [name, cell.firstChild.textContent]);
    this.run.pin(isPinned ? null : { data: this.run.data, figures: new Map(figures) });
    this.pinButton.textContent = isPinned ? "Pin" : "Unpin";
    this.pinButton.setAttribute("aria-pressed", String(!isPinned));
    this.sayParting();
  }

  /// The first decision at which this run and the pinned one part.
  sayParting() {
    if (!this.run.pinned) return;
    const parts = this.run.parting();
    const words = (decision) => (decision ? `${decision[1]} (${seconds(decision[0])})` : "nothing");
    this.note.textContent = parts
      ? `Parts from the pinned run at ${seconds(parts.time)}: ${words(parts.own)}; ` +
        `pinned: ${words(parts.was)}.`
      : "Decides as the pinned run does.";
  }

  showScenario() {
    this.text.hidden = false;
    // Text and lines are of the last answer: a change may have been refused.
    const own = { scenario: json(this.question.scenario), edits: [] };
    const { scenario, edits } = this.answer ?? own;
    this.text.value = scenario;
    this.text.dataset.lines = JSON.stringify(edits);
    this.lineList.textContent = edits
      .map((line) => `--set '${line.replaceAll("'", "'\\''")}'`).join("\n");
    this.text.select();
  }
}

/// Names of runs, and the changes of each behind its name.
function addressParts() {
  return location.hash.slice(1).split("&").filter(Boolean);
}

function isRun(part) {
  return /^run-[0-9]+$/.test(part);
}

/// Bytes of base 85, in letters from "#" to "y" without "<" and "\\".
function unpacked(text) {
  const whole = text.padEnd(Math.ceil(text.length / 5) * 5, "y");
  const bytes = new DataView(new ArrayBuffer((whole.length / 5) * 4));
  for (let place = 0; place < whole.length; place += 5) {
    let group = 0;
    for (let index = place; index < place + 5; index += 1) {
      const code = whole.charCodeAt(index);
      group = group * 85 + code - 35 - (code > 60) - (code > 92);
    }
    bytes.setUint32((place / 5) * 4, group);
  }
  return new Uint8Array(bytes.buffer, 0, Math.floor((text.length * 4) / 5));
}

/// The value of a JSON text. A number whose digits JavaScript would change becomes a text behind a
/// mark: white space to `Number` and to arithmetic.
function exact(text) {
  return JSON.parse(text.replace(/"(?:[^"\\]+|\\.)*"|-?[0-9][-+.0-9Ee]*/g, (part) =>
    (part[0] === '"' || String(Number(part)) === part ? part : `"\ufeff${part}"`)));
}

/// The text of a value, with the numbers of `exact` as they were written.
function json(value) {
  return JSON.stringify(value).replace(/"\ufeff(-?[0-9][-+.0-9Ee]*)"/g, "$1");
}

/// A bit rate as a quantity, to the kilobit unless it is small or has to be exact.
function rateText(bits, isExact) {
  const isSmall = bits < 10_000 || (isExact && bits % 1000 !== 0);
  return isSmall ? `${Math.max(1, Math.round(bits))} bit/s` : `${Math.round(bits / 1000)} kbit/s`;
}

/// Milliseconds to the microsecond.
function rounded(milliseconds) {
  return Math.round(milliseconds * 1000) / 1000;
}

/// Units of time in milliseconds.
const timeUnits = {
  ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1000, min: 60_000, h: 3_600_000, days: 86_400_000,
  years: 31_536_000_000,
};

/// Milliseconds of a quantity; null for what is none, such as a time after another step.
function timeOf(quantity) {
  const match = /^([0-9.]+) *(ns|us|µs|ms|s|min|h|days|years)$/.exec(quantity ?? "");
  return match ? Number(match[1]) * timeUnits[match[2]] : null;
}

function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html ?? "";
  return template.content;
}

/// Puts drawings in the place of those of the same size.
Run.prototype.replaceDrawings = function replaceDrawings(drawings) {
  for (const svg of drawings) {
    this.figure.querySelector(`svg.run.${svg.classList[1]}`)?.replaceWith(svg);
  }
};

/// Puts a drawn answer in the place of what a section shows, or the run as it was.
Run.prototype.replace = function replace(html, isAsItWas) {
  const answer = parsed(html);
  for (const part of [".head", "details"]) {
    const [old, now] = [this.section.querySelector(part), answer.querySelector(part)];
    if (old && now) old.replaceChildren(...now.childNodes);
  }
  // The decisions with their heading and the number of those left out, if there are any.
  const parts = (root) => [...root.querySelectorAll(".stage ~ h3, .stage ~ .scroll, .scroll + p")];
  const place = this.section.querySelector(".scroll")?.scrollTop ?? 0;
  for (const old of parts(this.section)) old.remove();
  this.section.querySelector("details").before(...parts(answer));
  this.section.querySelector(".scroll")?.scrollTo(0, place);
  // The expectations that failed are those of the run as it was.
  for (const problem of this.section.querySelectorAll(".problem")) {
    problem.hidden = !isAsItWas;
  }
  this.replaceDrawings(isAsItWas
    ? this.drawn.map((svg) => svg.cloneNode(true)) : answer.querySelectorAll("svg.run"));
  this.rows = [...this.section.querySelectorAll(".decisions tbody tr")];
  const time = this.time;
  this.read(JSON.parse(answer.querySelector("script.data").textContent));
  this.zoom = { from: 0, span: 1 };
  this.time = Math.min(time, this.end);
  this.prepare();
  this.compare();
};

const module = document.getElementById("engine");
const engineOfPage = module
  ? new Engine(document.getElementById("worker").textContent, module.textContent) : null;
if (engineOfPage) {
  for (const run of runs) {
    const question = run.section.nextElementSibling;
    if (question?.matches("script.question")) {
      run.controls = new Controls(run, engineOfPage, exact(question.textContent));
    }
  }
  addEventListener("hashchange", () => {
    const controls = runs.map((run) => run.controls).filter(Boolean);
    // A link to a run changes nothing: the address goes on to hold what was changed.
    if (addressParts().length > 1) for (const control of controls) control.readAddress();
    else if (controls.some(({ edits }) => edits.size > 0)) controls[0].writeAddress();
  });
}
