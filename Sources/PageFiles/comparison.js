
// MARK: - A comparison

/// Tables that can be sorted, and a list of sessions that can be filtered and run again.
class Comparison {
  constructor(section, data, engine) {
    this.section = section;
    this.data = data;
    this.engine = engine;
    for (const table of section.querySelectorAll("table.results")) this.sortable(table);
    this.list = section.querySelector("div.sessions");
    this.filters = {};
    // Settings by which policies differ: the paths, each a filter and a column.
    const members = data.policies.map(({ settings }) => Object.keys(settings ?? {}));
    this.paths = [...new Set(members.flat())];
    this.build();
    this.show();
  }

  /// Each heading is a button that sorts by its column, and the other way the second time.
  sortable(table) {
    const body = table.tBodies[0];
    [...table.tHead.rows[0].cells].forEach((heading, place) => {
      const button = element("button", heading.textContent);
      button.type = "button";
      heading.replaceChildren(button);
      button.addEventListener("click", () => {
        const isDown = heading.getAttribute("aria-sort") === "ascending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        heading.setAttribute("aria-sort", isDown ? "descending" : "ascending");
        const text = (row) => row.cells[place].textContent;
        // A digit within a name is no number: every cell has to begin with one, or be "never".
        const isNumber = [...body.rows].every((row) => row.cells[place].localName === "td"
          && /^(never|[-–]$|[≤≥]?[+-]?[0-9])/.test(text(row)));
        const rows = [...body.rows].sort((a, b) => {
          const order = isNumber ? numberIn(text(a)) - numberIn(text(b)) : NaN;
          return Number.isNaN(order) ? text(a).localeCompare(text(b)) : order;
        });
        body.append(...(isDown ? rows.reverse() : rows));
      });
    });
  }

  build() {
    const form = document.createElement("form");
    form.append(element("h3", "Sessions"));
    const select = (name, key, values) => {
      const label = document.createElement("label");
      const control = document.createElement("select");
      values.forEach(([value, words]) => {
        const option = element("option", words);
        option.value = value;
        control.append(option);
      });
      control.addEventListener("change", () => {
        this.filters[key] = control.value;
        this.show();
      });
      label.append(name, " ", control);
      form.append(label, " ");
    };
    const named = (list) => [["", "all"], ...list.map(({ name }, place) => [place, name])];
    const texts = (values) => [["", "all"], ...[...new Set(values)].map((text) => [text, text])];
    select("policy", "policy", texts(this.data.policies.map(({ policy }) => policy)));
    for (const path of this.paths) {
      select(path, path, texts(this.data.policies.map((_, place) => this.setting(place, path))));
    }
    select("link", "link", named(this.data.links));
    select("scenario", "scenario", named(this.data.scenarios));
    select("order", "order", [["", "as they ran"], ["stalled", "most stalled"],
      ["startup", "latest start"], ["rate", "lowest rate"]]);
    this.count = element("p", "");
    this.count.setAttribute("role", "status");
    this.table = document.createElement("table");
    this.table.className = "results";
    this.opened = document.createElement("div");
    const scroll = document.createElement("div");
    scroll.className = "scroll";
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", "Sessions");
    scroll.append(this.table);
    this.list.append(form, this.count, scroll, this.opened);
  }

  /// A setting of a policy as a text.
  setting(policy, path) {
    const value = this.data.policies[policy].settings?.[path];
    if (value === undefined) return "-";
    return typeof value === "string" && value[0] !== "\ufeff" ? value : json(value);
  }

  /// The sessions that the filters leave, at most two hundred of them.
  show() {
    const { filters, data } = this;
    const holds = (key, value) => !filters[key] || Number(filters[key]) === value;
    const says = (key, text) => !filters[key] || filters[key] === text;
    let chosen = data.sessions.map((session, number) => ({ session, number }))
      .filter(({ session: [scenario, link, policy] }) =>
        holds("scenario", scenario) && holds("link", link)
        && says("policy", data.policies[policy].policy)
        && this.paths.every((path) => says(path, this.setting(policy, path))));
    const never = (value) => value ?? Infinity;
    const orders = {
      stalled: (a, b) => (never(b[5]) > never(a[5]) ? 1 : -1),
      startup: (a, b) => (never(b[4]) > never(a[4]) ? 1 : -1),
      rate: (a, b) => a[6] - b[6],
    };
    const order = orders[filters.order];
    if (order) chosen = chosen.sort((a, b) => order(a.session, b.session));
    const rows = chosen.slice(0, 200);
    const left = data.count > data.sessions.length
      ? `; ${data.count - data.sessions.length} more are not in this page` : "";
    this.count.textContent = `${chosen.length} of ${data.count} sessions${left}`
      + (rows.length < chosen.length ? `; the first ${rows.length} are shown` : "");
    const head = document.createElement("thead");
    const line = head.insertRow();
    for (const name of ["scenario", "link", "policy", ...this.paths, "seed", "startup, s",
      "stalled, s", "mean rate, Mbit/s", "digest", ""]) {
      const cell = element("th", name);
      cell.scope = "col";
      line.append(cell);
    }
    const body = document.createElement("tbody");
    for (const { session, number } of rows) body.append(this.row(session, number));
    this.table.replaceChildren(head, body);
  }

  row(session, number) {
    const [scenario, link, policy, seed, startup, stalled, rate, digest] = session;
    const { data } = this;
    const span = (value) => (value === null ? "never" : (value / 1000).toFixed(3));
    const row = document.createElement("tr");
    for (const text of [data.scenarios[scenario].name, data.links[link].name,
      data.policies[policy].policy, ...this.paths.map((path) => this.setting(policy, path)),
      json(seed), span(startup), span(stalled), rate === null ? "-" : (rate / 1000).toFixed(2),
      digest ?? "-"]) {
      row.append(element("td", String(text)));
    }
    const cell = document.createElement("td");
    if (this.engine && data.policies[policy].edits) {
      const button = element("button", "Run");
      button.type = "button";
      button.setAttribute("aria-label", `Run session ${number + 1}`);
      button.addEventListener("click", () => this.open(session, number));
      cell.append(button);
    }
    row.append(cell);
    return row;
  }

  /// What the command changes of a session's scenario, in its order.
  edits([scenario, link, policy, seed]) {
    const { data } = this;
    return [
      ...data.links[link].edits, ...(data.keepsDelay[link] ? data.scenarios[scenario].delays : []),
      ...data.edits, ...data.policies[policy].edits, ...(data.seeded ? [`seed=${json(seed)}`] : []),
    ];
  }

  /// Runs a session again and shows it as a run.
  open(session, number) {
    const { data } = this;
    const { document: scenario } = data.scenarios[session[0]];
    const question = {
      number: 1000 + number, policies: [], files: data.files, scenario,
      edits: this.edits(session), drawn: true,
    };
    this.engine.ask("0 drawn", question, (answer) => {
      if (answer.error) {
        this.count.textContent = answer.error;
        return;
      }
      const parsed = new DOMParser().parseFromString(answer.section, "text/html");
      const section = parsed.querySelector("section.run");
      this.opened.replaceChildren(section);
      section.dataset.digest = answer.digest;
      section.dataset.startup = answer.startupDelaySeconds;
      section.dataset.stalled = answer.stalledSeconds;
      // The session of the row and the run in the page are the same to the last byte.
      const isSame = !session[7] || answer.digest.startsWith(session[7]);
      const words = `Session ${number + 1}, digest ${answer.digest.slice(0, 16)}`;
      this.count.textContent = words + (isSame ? "" : `; its row has ${session[7]}`);
      runs.push(new Run(section));
      section.scrollIntoView();
    });
  }
}

/// Units of settings; cells of one column have units of one kind.
const units = {
  ...timeUnits, "bit/s": 1, "kbit/s": 1e3, "Mbit/s": 1e6, "Gbit/s": 1e9, KB: 1e3, kB: 1e3, MB: 1e6,
  GB: 1e9, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30,
};

/// The first number of a cell with its unit; what never comes is more than any, and nothing less.
function numberIn(text) {
  if (/never/.test(text)) return Infinity;
  const match = /([+-]?[0-9]+(?:\.[0-9]+)?) *([^ ]*)/.exec(text);
  return match ? Number(match[1]) * (units[match[2]] ?? 1) : -Infinity;
}

const comparison = document.querySelector("section.comparison");
if (comparison) {
  const data = exact(document.querySelector("script.sessions").textContent);
  new Comparison(comparison, data, engineOfPage);
}
