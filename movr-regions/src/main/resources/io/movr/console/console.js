"use strict";

/** The state of the page, from live events or from a recording. */
const Console = (() => {
  const $ = id => document.getElementById(id);
  const fresh = () => ({ hello: null, ticks: [], commands: new Map(), before: null, rows: null, matrix: null, promo: null, ledger: null });
  let state = fresh();
  const listeners = [];
  const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
  const time = t => clock.format(new Date(t));
  const number = (value, digits = 1) => value === null || value === undefined ? "–" : value.toFixed(digits);
  const recorded = $("recording") ? JSON.parse($("recording").textContent) : null;

  const element = (name, attributes = {}, ...children) => {
    const svg = ["svg", "g", "path", "line", "circle", "text", "rect", "title"].includes(name);
    const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
    Object.entries(attributes).forEach(([key, value]) => value !== null && made.setAttribute(key, value));
    made.append(...children.filter(child => child !== null));
    return made;
  };
  const cells = (row, header = true) => element("tr", {}, ...row.map((cell, at) => {
    const [text, kind] = Array.isArray(cell) ? cell : [cell, null];
    return at === 0 && header ? element("th", { scope: "row" }, text) : element("td", { class: kind }, text);
  }));
  const fill = (table, rows) => table.tBodies[0].replaceChildren(...rows);

  // Events

  const apply = event => {
    switch (event.type) {
      case "history": state = fresh(); event.events.forEach(apply); break;
      case "hello": state.hello = event; break;
      case "tick":
        state.ticks.push(event);
        if (state.ticks.length > Charts.SPAN_S * 1.2) {
          state.ticks.splice(0, state.ticks.length - Charts.SPAN_S);
        }
        break;
      case "command":
        state.commands.set(event.number, event);
        if (state.commands.size > 200) {
          state.commands.delete(state.commands.keys().next().value);
        }
        break;
      case "before": state.before = event; break;
      case "rows": state.rows = event; break;
      case "matrix": state.matrix = event; break;
      case "promo-codes": state.promo = event; break;
      case "ledger": state.ledger = event.ledger; break;
      case "trouble": $("trouble").textContent = `${time(event.t)}: ${event.what}`; break;
    }
  };
  const now = () => state.ticks[state.ticks.length - 1] ?? null;
  const edge = (one, other) => now()?.edges.find(each =>
    (each.one === one && each.other === other) || (each.one === other && each.other === one));
  const condition = each => each.rttMs === null ? "cut" : each.rttMs > 1.5 * each.firstMs + 5 ? "slowed" : "open";

  // Drawing

  let built = "";
  const build = () => {
    const { hello } = state;
    if (!hello || built === JSON.stringify(hello)) {
      return;
    }
    built = JSON.stringify(hello);
    $("charts").replaceChildren();
    Charts.clear();
    hello.regions.forEach(region => Charts.add($("charts"), region.name));
    $("engine").textContent = hello.engine;
    document.querySelectorAll(".window").forEach(each => { each.textContent = hello.windowSeconds; });
    const options = (name, values) => document.querySelectorAll(`#actions select[name="${name}"]`).forEach(select =>
      select.replaceChildren(...values.map(value => element("option", { value }, value.replace(" ", " – ")))));
    options("stage", hello.stages.map(stage => stage.id));
    document.querySelector('#actions select[name="stage"]').value =
      (hello.stages.find(stage => stage.id === "regional-by-row") ?? hello.stages[hello.stages.length - 1]).id;
    const names = hello.regions.map(region => region.name);
    options("region", names);
    options("pair", names.flatMap((one, at) => names.slice(at + 1).map(other => `${one} ${other}`)));
    document.querySelector('form[data-action="link"]').hidden = !hello.hasLinks;
    document.querySelectorAll("#actions form").forEach(preview);
  };

  const map = tick => {
    const regions = state.hello.regions.map(region => region.name);
    const place = regions.map((name, at) => {
      const angle = -Math.PI / 2 + 2 * Math.PI * at / regions.length;
      return [310 + 215 * Math.cos(angle), 180 + 118 * Math.sin(angle)];
    });
    const at = name => place[regions.indexOf(name)];
    const said = [];
    const drawing = element("svg", { viewBox: "0 0 620 330" });
    regions.forEach((one, first) => regions.slice(first + 1).forEach(other => {
      const seen = edge(one, other);
      const kind = seen ? condition(seen) : "unknown";
      const [[x1, y1], [x2, y2]] = [at(one), at(other)];
      const text = !seen ? "not measured" : kind === "cut" ? "no answer: cut" : `${number(seen.rttMs, 0)} ms${kind === "slowed" ? ", slowed" : ""}`;
      said.push(`${one} to ${other}: ${text}`);
      drawing.append(element("line", { class: `edge ${kind}`, x1, y1, x2, y2 }),
        element("text", { class: kind, x: (x1 + x2) / 2, y: (y1 + y2) / 2 + 5, "text-anchor": "middle" }, text));
    }));
    const total = regions.map(region => Object.values(state.rows?.mebibytes ?? {}).reduce((sum, of) => sum + (of[region] ?? 0), 0));
    const all = total.reduce((sum, each) => sum + each, 0);
    regions.forEach((region, number_) => {
      const [x, y] = place[number_];
      const of = tick.regions[region];
      const down = of.service !== "up" || of.server !== "up";
      const share = all ? total[number_] / all : 0;
      said.push(`${region}: ${down ? "not all is up" : "up"}, ${Math.round(100 * share)}% of the rows, p99 ${number(of.p99Ms, 0)} ms`);
      const round = 2 * Math.PI * 34;
      drawing.append(element("circle", { class: `node${down ? " down" : ""}`, cx: x, cy: y, r: 27 }),
        element("circle", { class: "share", cx: x, cy: y, r: 34, stroke: `var(--r${number_ % 5})`, "stroke-dasharray": `${share * round} ${round}`, transform: `rotate(-90 ${x} ${y})` }),
        element("text", { x, y: y + 5, "text-anchor": "middle" }, `${Math.round(100 * share)}%`),
        element("text", { x, y: y - 44, "text-anchor": "middle" }, region),
        element("text", { class: "sub", x, y: y + 54, "text-anchor": "middle" },
          down ? `server ${of.server}, service ${of.service}` : `p99 ${number(of.p99Ms, 0)} ms`));
    });
    $("map").replaceChildren(drawing);
    $("map").setAttribute("aria-label", said.join("; "));
  };

  const rows = () => {
    if (!state.rows || !state.hello) {
      return;
    }
    const regions = state.hello.regions.map(region => region.name);
    $("rows").tHead.replaceChildren(element("tr", {}, element("th", { scope: "col" }, "table"),
      ...regions.map(region => element("th", { scope: "col" }, region))));
    fill($("rows"), Object.entries(state.rows.mebibytes).map(([table, of]) => {
      const most = Object.values(of).reduce((sum, each) => sum + each, 0) || 1;
      return element("tr", {}, element("th", { scope: "row" }, table), ...regions.map((region, at) =>
        element("td", {}, number(of[region] ?? 0, 2), element("svg", { viewBox: "0 0 100 9", preserveAspectRatio: "none", "aria-hidden": "true" },
          element("rect", { width: 100 * (of[region] ?? 0) / most, height: 9, fill: `var(--r${at % 5})` })))));
    }));
    $("rows-time").textContent = `Read at ${time(state.rows.t)}.`;
  };

  const stages = tick => {
    const { hello } = state;
    const working = [...state.commands.values()].find(command => command.verb === "migrate" && !["done", "failed"].includes(command.state));
    const reached = hello.stages.find(stage => stage.id === tick.stage)?.version ?? 0;
    $("stages").replaceChildren(...hello.stages.map(stage => element("li", {
      class: stage.version < reached ? "done" : stage.version === reached ? "done now" : "",
      "aria-current": stage.version === reached ? "step" : null,
    }, `${stage.version} ${stage.id} `, element("span", { class: "purpose" }, stage.purpose))));
    const last = working ?? [...state.commands.values()].filter(command => command.verb === "migrate").pop();
    $("step").textContent = !last ? "" : working
      ? `${time(working.t)}, ${Math.round((tick.t - working.begun) / 1000)} s: ${working.what || "begins"}`
      : `${time(last.t)}: ${last.what}`;
  };

  const matrix = () => {
    if (!state.matrix || !state.hello) {
      return;
    }
    const regions = state.hello.regions.map(region => region.name);
    $("matrix").tHead.replaceChildren(element("tr", {}, element("th", { scope: "col" }, "client ↓, home of the row →"),
      ...regions.map(region => element("th", { scope: "col" }, region))));
    const primary = regions[0];
    fill($("matrix"), regions.map(client => element("tr", {}, element("th", { scope: "row" }, client), ...regions.map(home => {
      const cell = state.matrix.cells.find(each => each.client === client && each.home === home);
      if (!cell) {
        return element("td", {}, "–");
      }
      // Before the rows are placed all of them are in the primary region.
      const placed = state.hello.stages.find(stage => stage.id === state.matrix.stage)?.version >= 7;
      const far = edge(client, placed ? home : primary);
      const seen = far?.rttMs ? ` seen ${number(cell.p50Ms / far.rttMs)}` : "";
      return element("td", {}, element("b", {}, `${number(cell.p50Ms)} ms`), element("br"),
        element("span", { class: "muted" }, `p99 of ${cell.samples}: ${number(cell.p99Ms)} ms`), element("br"),
        element("span", { class: "muted" }, `round trips: expected ${cell.expectedRoundTrips ?? "?"}${seen}`));
    }))));
    $("matrix-time").textContent = `Measured at ${time(Date.parse(state.matrix.at))}, at stage ${state.matrix.stage}.`;
  };

  const promo = () => {
    if (state.promo) {
      fill($("promo"), state.promo.modes.flatMap(mode => mode.regions.map(region => cells([region.region, `${mode.mode}: ${mode.meaning}`,
        [number(region.medianMs), "number"], [number(region.p99Ms), "number"],
        [number(100 * region.staleShare), region.stale && mode.exact ? "number bad" : "number"],
        [region.stale ? number(region.ageP50Ms, 0) : "–", "number"], [region.stale ? number(region.ageMaxMs, 0) : "–", "number"]]))));
      $("promo-time").textContent = `Measured at ${time(Date.parse(state.promo.at))}, at stage ${state.promo.modes[0].stage}.`;
    }
  };

  const ledger = () => {
    if (state.ledger) {
      const { at, acknowledged, found, lost, doubled } = state.ledger;
      const count = (value, bad) => [value.toLocaleString("en"), bad && value ? "number bad" : "number"];
      fill($("ledger"), [cells([count(acknowledged), count(found), count(lost, true), count(doubled, true)], false)]);
      $("ledger-time").textContent = `Checked at ${time(Date.parse(at))}.`;
    }
  };

  // A span of time: what was selected, or the seconds before what is shown.
  let selected = null;
  const span = tick => {
    const seconds = Math.min(Charts.SPAN_S, Math.max(1, Number($("span-seconds").value) || 60));
    const [from, to] = selected ?? [tick.t - 1000 * seconds, tick.t];
    const within = state.ticks.filter(each => each.t > from && each.t <= to);
    $("span-time").textContent = `${selected ? "Selected: " : ""}${time(from)} to ${time(to)}.`;
    fill($("span"), state.hello.regions.map(({ name }) => {
      const counts = new Map();
      let failed = 0;
      within.forEach(each => {
        Object.entries(each.regions[name].counts).forEach(([at, count]) => counts.set(Number(at), (counts.get(Number(at)) ?? 0) + count));
        failed += each.regions[name].failed;
      });
      const classes = [...counts].sort(([one], [other]) => one - other);
      const answers = classes.reduce((sum, [, count]) => sum + count, 0);
      const percentile = share => {
        let left = Math.ceil(share * answers);
        const found = classes.find(([, count]) => (left -= count) <= 0);
        return found ? [number(found[0] / 1000), "number"] : ["–", "number"];
      };
      return cells([name, [String(answers), "number"], percentile(0.5), percentile(0.95), percentile(0.99), [String(failed), failed ? "number bad" : "number"]]);
    }));
  };
  const select = (from, to) => {
    selected = [from, to];
    later();
  };
  $("span-seconds").addEventListener("input", () => {
    selected = null;
    later();
  });

  const word = (text, good) => [text, text === good ? "good" : "bad"];

  let logged = "";
  const draw = () => {
    build();
    const tick = now();
    if (!tick || !state.hello) {
      return;
    }
    $("stage").textContent = tick.stage;
    $("traffic").textContent = tick.traffic.perSecond === 0 ? "none" : `${tick.traffic.perSecond}/s a region, ${Math.round(100 * tick.traffic.remoteShare)}% remote, ${Math.round(100 * tick.traffic.writeShare)}% rides`;
    $("steal").textContent = tick.stolenShare === null ? "not known" : `${number(100 * tick.stolenShare)}%`;
    $("seen").textContent = time(tick.t);
    map(tick);
    fill($("edges"), tick.edges.map(each => cells([`${each.one} – ${each.other}`, [number(each.rttMs), "number"], [number(each.setMs), "number"],
      word({ cut: "cut: no answer", slowed: "slowed", open: "open" }[condition(each)], "open"), time(each.t)])));
    fill($("figures"), state.hello.regions.map(({ name }) => {
      const of = tick.regions[name];
      const before = state.before?.regions[name];
      return cells([name, [number(of.perSecond), "number"], [number(of.p50Ms), "number"], [number(of.p95Ms), "number"], [number(of.p99Ms), "number"],
        [number(of.errorsPerSecond), of.errorsPerSecond > 0 ? "number bad" : "number"], [number(of.retriesPerSecond), "number"],
        [number(before?.p50Ms), "number before"], [number(before?.p99Ms), "number before"]]);
    }));
    $("before-note").hidden = !state.before;
    if (state.before) {
      $("before-note").textContent = `Before: the ${state.before.seconds} s until ${time(state.before.until)}, at stage ${state.before.stage}.`;
    }
    Charts.draw(state.ticks, state.before);
    span(tick);
    rows();
    stages(tick);
    matrix();
    promo();
    ledger();
    fill($("processes"), state.hello.regions.map(region => {
      const of = tick.regions[region.name];
      return cells([region.name, word(of.server, "up"), word(of.service, "up"), [number(of.heapMebibytes, 0), "number"],
        [of.cpuShare === null ? "–" : number(100 * of.cpuShare), "number"], region.service]);
    }));
    const commands = [...state.commands.values()];
    const last = JSON.stringify([commands.length, ...commands.map(command => command.t)]);
    // Drawn only after a change, and not while it has the focus, which would be lost.
    if (last !== logged && !document.activeElement?.closest("#log")) {
      logged = last;
      fill($("log"), commands.reverse().map(command => element("tr", {},
        element("td", {}, time(command.begun)), element("td", {}, element("code", {}, command.line)),
        element("td", { class: command.state === "failed" ? "bad" : command.state === "done" ? "good" : "part" }, command.state === "progress" ? "running" : command.state),
        element("td", {}, command.what), element("td", {}, copy(command.line)))));
    }
    listeners.forEach(listener => listener());
  };

  const copy = line => {
    const button = element("button", { type: "button", class: "small", "aria-label": `Copy ${line}` }, "copy");
    button.addEventListener("click", () => navigator.clipboard.writeText(line).then(() => {
      button.textContent = "copied";
      setTimeout(() => { button.textContent = "copy"; }, 2000);
    }));
    return button;
  };

  let due = false;
  const later = () => {
    if (!due) {
      due = true;
      requestAnimationFrame(() => {
        due = false;
        draw();
      });
    }
  };

  // Live

  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem("movr-token", given);
    history.replaceState(null, "", location.pathname);
  }
  const token = () => recorded ? null : sessionStorage.getItem("movr-token");
  let writable = false;
  const connection = (text, kind) => { $("connection").textContent = text; $("connection").className = `badge ${kind}`; };

  let source = null;
  let retry = null;
  const open = () => {
    clearTimeout(retry);
    if (source || document.hidden) {
      return;
    }
    connection("connecting", "part");
    source = new EventSource("api/events");
    source.onmessage = message => {
      connection("live", "good");
      apply(JSON.parse(message.data));
      later();
    };
    source.onerror = () => {
      close();
      connection("no connection", "bad");
      retry = setTimeout(open, 2000);
    };
  };
  const close = () => {
    source?.close();
    source = null;
  };
  const visibility = () => {
    if (document.hidden) {
      close();
      connection("paused", "part");
    } else {
      open();
    }
  };

  const send = (path, body) => fetch(path, { method: "POST", headers: { "X-Movr-Token": token() ?? "", "Content-Type": "application/json" }, body: JSON.stringify(body) });

  const ask = (line, why) => new Promise(resolve => {
    $("confirm-line").textContent = line;
    $("confirm-why").textContent = why;
    $("confirm-copy").onclick = () => navigator.clipboard.writeText(line);
    $("confirm").onclose = () => resolve($("confirm").returnValue === "yes");
    $("confirm").returnValue = "no";
    $("confirm").showModal();
  });

  const reasons = () => ({
    migrate: `Stages go forward only. ${state.hello.isMultiRegion ? "Requests continue, more slowly." : "The tables are locked for a moment."}`,
    cut: "Nothing passes between the two regions until the link is mended. Requests that need it wait.",
    kill: "The server is killed by SIGKILL. Restart it in the same place; CockroachDB nodes that keep rows in memory lose them.",
    "kill-service": "The service of the region is killed by SIGKILL, until it is restarted.",
  });

  /** Gives a command, after a confirmation if it is harmful; true if it was given. */
  const command = async words => {
    const asked = await (await fetch("api/line?" + new URLSearchParams(words.map(word => ["word", word])))).json();
    if (asked.error) {
      $("trouble").textContent = asked.error;
      return false;
    }
    if (asked.harmful && !await ask(asked.line, reasons()[words[0]])) {
      return false;
    }
    const answer = await send("api/commands", { words });
    if (!answer.ok) {
      $("trouble").textContent = answer.status === 403 ? "The token is not right: open the address that the command printed." : (await answer.json()).error;
    }
    // Events carry the progress, and each open answer would take one of the browser's few connections.
    answer.body?.cancel();
    return answer.ok;
  };

  const words = form => {
    const value = name => form.elements[name].value;
    switch (form.dataset.action) {
      case "traffic": return ["traffic", value("rate"), value("share"), value("writes")];
      case "migrate": return ["migrate", value("stage")];
      case "link": return [value("verb"), ...value("pair").split(" "), ...value("verb") === "slow" ? [String(Math.round(1e6 * value("ms")))] : []];
      default: return [value("verb"), value("region")];
    }
  };
  const preview = async form => {
    if (recorded || !state.hello) {
      return;
    }
    if (form.elements.ms) {
      form.elements.ms.closest("label").hidden = form.elements.verb.value !== "slow";
    }
    const answer = await (await fetch("api/line?" + new URLSearchParams(words(form).map(word => ["word", word])))).json();
    form.querySelector("code").textContent = answer.line ?? answer.error;
  };

  const lock = () => {
    $("right").textContent = recorded ? "recording" : writable ? "commands allowed" : "read-only";
    $("right").className = `badge ${writable ? "good" : ""}`;
    $("read-only").hidden = writable || Boolean(recorded);
    document.querySelectorAll("#actions button, [data-words], #tour button").forEach(button => { button.disabled = !writable; });
  };

  document.querySelectorAll("#actions form").forEach(form => {
    form.addEventListener("input", () => preview(form));
    form.addEventListener("submit", event => {
      event.preventDefault();
      command(words(form));
    });
  });
  document.querySelectorAll("[data-words]").forEach(button =>
    button.addEventListener("click", () => command(button.dataset.words.split(" "))));

  // A recording

  const play = events => {
    document.querySelectorAll("#actions, #tour, .live-only, #ride-link").forEach(each => { each.hidden = true; });
    document.querySelectorAll("[data-words]").forEach(each => { each.closest("p").hidden = true; });
    $("scrubber").hidden = false;
    connection("recorded", "");
    const ticks = events.filter(event => event.type === "tick").map(event => event.t);
    const first = ticks[0] ?? 0;
    const last = ticks[ticks.length - 1] ?? 0;
    const scrub = $("scrub");
    scrub.max = String(Math.max(1, Math.round((last - first) / 1000)));
    let upTo = 0;
    const show = () => {
      const until = first + 1000 * Number(scrub.value) + 500;
      if (upTo > 0 && events[upTo - 1].t > until) {
        state = fresh();
        upTo = 0;
      }
      while (upTo < events.length && events[upTo].t <= until) {
        apply(events[upTo++]);
      }
      const text = `${time(until - 500)}, second ${scrub.value} of ${scrub.max}`;
      $("scrub-time").textContent = text;
      scrub.setAttribute("aria-valuetext", text);
      later();
    };
    scrub.addEventListener("input", show);
    let playing = null;
    $("scrub-play").addEventListener("click", () => {
      if (playing) {
        clearInterval(playing);
        playing = null;
      } else {
        if (scrub.value === scrub.max) {
          scrub.value = "0";
        }
        playing = setInterval(() => {
          scrub.value = String(Number(scrub.value) + 1);
          show();
          if (scrub.value === scrub.max) {
            $("scrub-play").click();
          }
        }, 200);
      }
      $("scrub-play").textContent = playing ? "Pause" : "Play";
    });
    scrub.value = scrub.max;
    show();
  };

  const start = async () => {
    if (recorded) {
      lock();
      play(recorded);
      return;
    }
    writable = Boolean(token()) && (await send("api/token", {})).ok;
    lock();
    document.addEventListener("visibilitychange", visibility);
    window.addEventListener("pagehide", close);
    open();
  };

  return { start, command, select, now, edge, condition, element, send, lock, number, time, state: () => state, isLive: () => !recorded, listen: listener => listeners.push(listener) };
})();
