"use strict";

(() => {
  const {
    list, isNumber, isInterval, hasEnds, decimalsFor, fixed, significant, ratio, range, ratioRange, count, momentText, bytesText, shortVersion, joinWords,
    add, addBadge, addLink, addTerm, addScroll, addHeaderCell, addTable, addLabelled, addPair, addPairs, addEnvironment, addChart, watchCharts, addSvg,
    logarithmicTicks, tickText, addHorizontalAxis, drawMark, dotPath, showTooltip, hideTooltip,
  } = charts;

  const results = JSON.parse(document.getElementById("data").textContent);
  if (!results) {
    document.getElementById("lead").textContent = "This page holds no results.";
    return;
  }

  const ALL = "all";
  const LONGEST_PAUSE_MS = 3000;
  const environment = results.environment || {};
  const load = results.load || {};
  const ledger = results.ledger || {};
  const migration = results.migration || null;
  const alternating = load.order === "alternating";
  const phases = ["before", "during", "after"]
    .map(id => list(results.phases).find(phase => phase.id === id))
    .filter(Boolean);
  const before = phases.find(phase => phase.id === "before");
  const after = phases.find(phase => phase.id === "after");
  const regions = namesOf([
    ...list(results.regions).map(region => region.name),
    ...list(results.timeline).map(second => second.region),
    ...phases.flatMap(phase => list(phase.operations)).map(operation => operation.region),
  ]);
  const operations = namesOf(phases.flatMap(phase => list(phase.operations)).map(operation => operation.operation));
  const quantiles = [["p50", "p50Ms", d3.symbolCircle, 62], ["p95", "p95Ms"], ["p99", "p99Ms", d3.symbolDiamond, 58]];
  const verdicts = {
    "reproduced": { sign: "✓", means: "a real difference in the published direction and of about the published size" },
    "direction only": { sign: "↗", means: "a real difference in the published direction, of another size" },
    "no difference": { sign: "=", means: "no difference between before and after was shown" },
    "not reproduced": { sign: "✗", means: "a real difference in the opposite direction" },
    "not judged": { sign: "?", means: "too few runs to tell by how much runs differ" },
  };
  const weakMeaning = "the published figure is a single run on at least one side";
  const notKnown = "not known";
  const checkSigns = { ok: "✓", warning: "!", problem: "✗", unknown: "?" };

  drawHeader();
  drawTimeline();
  drawPhases();
  drawOperations();
  drawMatrix();
  drawPromos();
  drawPlacement();
  drawClosedLoop();
  drawCapacity();
  drawPublished();
  drawRuns();
  drawMigration();
  drawLedger();
  drawOutage();
  drawEnvironment();
  drawMethod();
  watchCharts();

  // Values

  /** Each name once, those of aggregates left out. */
  function namesOf(names) {
    return [...new Set(names)].filter(name => name && name !== ALL);
  }

  function find(phase, region, operation, remote) {
    return phase && list(phase.operations).find(one =>
      one.region === region && one.operation === operation && (one.remote ?? null) === remote);
  }

  function runsOf(phase) {
    return list(phase && phase.runs);
  }

  function closedRunsOf(phase) {
    return list(phase && phase.closedLoop && phase.closedLoop.runs);
  }

  /** Every run with the name that tells it from the others. */
  function allRuns() {
    return phases.flatMap(phase => [
      ...runsOf(phase).map(run => ({ run, name: `${phase.id}, ${run.number}` })),
      ...closedRunsOf(phase).map(run => ({ run, name: `${phase.id}, waiting clients, ${run.number}` })),
    ]);
  }

  function hasTooFewRuns() {
    return isNumber(load.runs) && isNumber(load.leastRuns) && load.runs < load.leastRuns;
  }

  function sumOfRuns(key) {
    return d3.sum(phases.flatMap(runsOf), run => run[key]);
  }

  function locks() {
    return Object.entries((migration && migration.lockedMs) || {}).filter(([, locked]) => isNumber(locked));
  }

  // Numbers as text

  function whole(value) {
    return isNumber(value) ? d3.format(",")(value) : "–";
  }

  function milliseconds(value) {
    return isNumber(value) ? `${significant(value)} ms` : "–";
  }

  function secondsText(seconds) {
    if (!isNumber(seconds)) {
      return "–";
    }
    if (seconds < 120) {
      return `${tickText(Number(seconds.toPrecision(3)))} s`;
    }
    const rounded = Math.round(seconds);
    return rounded < 7200
      ? `${Math.floor(rounded / 60)} min ${rounded % 60} s`
      : `${Math.floor(rounded / 3600)} h ${Math.round((rounded % 3600) / 60)} min`;
  }

  function percent(share) {
    return isNumber(share) ? `${tickText(Number((100 * share).toPrecision(3)))}%` : "–";
  }

  /** An interval that is its estimate alone was not estimated. */
  function hasWidth(interval) {
    return isInterval(interval) && hasEnds(interval) && interval.high > interval.low;
  }

  function rangeText(interval) {
    return hasWidth(interval) ? range(interval, decimalsFor(interval.estimate)) : "";
  }

  function withRange(interval) {
    return isInterval(interval) ? `${significant(interval.estimate)} ${rangeText(interval)}`.trim() : "–";
  }

  function ratioOf(one, other) {
    return isNumber(one) && isNumber(other) && other > 0 ? one / other : null;
  }

  function locksText() {
    return joinWords(locks().map(([stage, locked]) => `${milliseconds(locked)} at ${stage}`));
  }

  // Elements: data becomes text nodes only, never markup.

  function addVerdict(parent, verdict) {
    const known = verdicts[verdict];
    addBadge(parent, verdict, known && known.sign).title = known ? known.means : "";
  }

  function addLegendItem(legend, text, draw) {
    const entry = add(legend, "li");
    draw(d3.select(entry).append("svg").attr("width", 30).attr("height", 16).attr("aria-hidden", "true"));
    entry.append(text);
  }

  function leaveOut(id) {
    document.getElementById(id).hidden = true;
  }

  // Header

  function drawHeader() {
    document.getElementById("lead").textContent = [`${whatWasRun()}${howFast()}.`, howMuch(), whatWasKept()].filter(Boolean).join(" ");
    drawWarnings();

    const facts = document.getElementById("facts");
    const stages = namesOf([before, after].filter(Boolean).map(phase => phase.stage));
    addTerm(facts, "Started", momentText(results.startedAt));
    addTerm(facts, "Took", secondsText(results.tookSeconds));
    addTerm(facts, "Server", shortVersion(environment));
    addTerm(facts, "Stage", stages.join(" → ") || "–");
    addTerm(facts, "Regions", regions.join(", ") || "–");
    addTerm(facts, "Mix", load.mix || "–");
    addTerm(facts, "Arrivals", isNumber(load.arrivalsPerSecond) ? `${tickText(load.arrivalsPerSecond)} a second` : "–");
    addTerm(facts, "For another region", percent(load.remoteShare));
    addTerm(facts, "Complete", results.complete === false ? "no" : "yes");

    const notes = document.getElementById("notes");
    notes.hidden = !list(results.notes).length;
    list(results.notes).forEach(note => add(notes, "li", "", note));
  }

  function whatWasRun() {
    const where = regions.length ? `Traffic from ${joinWords(regions)}` : "Traffic";
    const between = !before || !after ? "" : alternating ? ` at the stages ${before.stage} and ${after.stage} in turn`
      : ` at stage ${before.stage} and, after a migration, at ${after.stage}`;
    return `${where} was sent to ${shortVersion(environment)}${between}`;
  }

  function howFast() {
    const [first, last] = [before, after].map(phase => (find(phase, ALL, ALL, null) || {}).p99Ms);
    if (!isInterval(first) || !isInterval(last)) {
      return "";
    }
    return `: the p99 of all regions was ${milliseconds(first.estimate)} before and ${milliseconds(last.estimate)} after${verdictOfP99()}`;
  }

  /** What is said of the p99 follows the verdict of its figure; without one nothing is said. */
  function verdictOfP99() {
    const figure = list(results.figures).find(one => one.id === "multi-region-p99");
    if (!figure || !isInterval(figure.improvement)) {
      return "";
    }
    if (hasTooFewRuns()) {
      return ", in too few runs to tell a difference";
    }
    if (!figure.different) {
      return ", which is no difference";
    }
    const factor = figure.improvement.estimate;
    return factor >= 1 ? `, ${ratio(factor)} better` : `, ${ratio(1 / factor)} worse`;
  }

  function howMuch() {
    const rates = phases.map(phase => [phase, find(phase, ALL, ALL, null)]).filter(([, one]) => one)
      .map(([phase, one]) => `${significant(one.requestsPerSecond.estimate)} ${phase.id}`);
    if (!rates.length) {
      return "No run was recorded.";
    }
    const failed = sumOfRuns("failed");
    return `Requests answered a second: ${joinWords(rates)}; ${failed ? `${count(failed, "request")} failed` : "none failed"}.`;
  }

  function whatWasKept() {
    const faults = list(ledger.faults).length;
    if (faults) {
      return `Of ${count(ledger.acknowledged, "acknowledged write")}, not all are there exactly once: ${count(faults, "fault")} below.`;
    }
    return ledger.acknowledged ? `All ${count(ledger.acknowledged, "acknowledged write")} are there exactly once.` : "";
  }

  function drawWarnings() {
    const warnings = document.getElementById("warnings");
    if (results.complete === false) {
      add(warnings, "p", "notice", "This run is incomplete: not all was measured, an acknowledged write is missing or doubled, "
        + "or the load generator did not keep up.");
    }
    if (hasTooFewRuns()) {
      add(warnings, "p", "notice", `Intervals are within the runs only, and nothing is judged: it takes ${load.leastRuns} runs at each stage.`);
    }
    const limited = allRuns().filter(({ run }) => run.bottleneck);
    if (limited.length) {
      const notice = add(warnings, "div", "notice failure",
        `In ${limited.length} of ${count(allRuns().length, "run")} the load generator did not do what was asked of it. `
          + "Their figures say little about the service:");
      const runs = add(notice, "ul");
      limited.forEach(({ run, name }) => add(runs, "li", "", `${name}: ${run.bottleneck}`));
    }
    if (list(ledger.faults).length) {
      add(warnings, "p", "notice failure", `Writes that were acknowledged are missing or doubled: ${count(ledger.faults.length, "fault")}, listed with the ledger below.`);
    }
  }

  // Latency over time

  function drawTimeline() {
    const seconds = d3.sort(list(results.timeline).filter(second => isNumber(second.atMs)), second => second.atMs);
    if (!seconds.length) {
      leaveOut("timeline");
      return;
    }
    const plan = { seconds, segments: segmentsOf(seconds), start: startOf(seconds), select: null, showSelection: () => {} };
    const shown = regions.filter(region => seconds.some(second => second.region === region));
    const values = seconds.flatMap(second => [second.p50Ms, second.p99Ms, second.maxMs]).filter(value => value > 0);
    plan.domain = [(d3.min(values) || 1) / 1.2, (d3.max(values) || 10) * 1.2];
    drawTimelineLegend(plan);
    document.getElementById("timeline-caption").textContent = timelineCaption(plan);
    drawSpan(plan, shown);

    addChart(document.getElementById("timeline-chart"), 690, (container, width) => {
      const margin = { top: showsMigration(plan) ? 54 : 22, right: 10, left: 46 };
      const panel = { height: width < 640 ? 150 : 170, label: 24, axis: 30 };
      const height = margin.top + shown.length * (panel.label + panel.height + panel.axis);
      const scale = timeScale(plan, margin.left, width - margin.right);
      const svg = addSvg(container, width, height, `Latency each second, ${count(shown.length, "region")}; left and right keys move within a region`)
        .attr("role", "group");
      drawPhaseNames(svg, plan, scale);
      const context = { plan, scale, margin, width };
      plan.showSelection = ([from, until]) => {
        const whole = from <= seconds[0].atMs && until > seconds[seconds.length - 1].atMs;
        svg.selectAll(".selection").attr("visibility", whole ? "hidden" : "visible")
          .attr("x", scale(from)).attr("width", Math.max(1, scale(until) - scale(from)));
      };
      shown.forEach((region, position) => {
        const top = margin.top + position * (panel.label + panel.height + panel.axis) + panel.label;
        drawRegion(svg, region, { ...context, top, bottom: top + panel.height });
      });
      drawMigrationName(svg, plan, scale, width);
      if (plan.select) {
        plan.showSelection(plan.selected);
      }
    });
  }

  // A span of it

  /** Percentiles of the requests that were due within a span: of all of it at first. */
  function drawSpan(plan, shown) {
    const { seconds, start } = plan;
    if (!(results.latencyClassWidth > 1) || !seconds.some(second => second.counts)) {
      return;
    }
    document.getElementById("span").hidden = false;
    const [from, until] = ["span-from", "span-until"].map(id => document.getElementById(id));
    const secondOf = atMs => Math.floor((atMs - start) / 1000);
    const whole = [d3.min(seconds, second => second.atMs), d3.max(seconds, second => second.atMs) + 1000];
    [from.min, until.max] = whole.map(secondOf);
    plan.select = span => {
      const [first, last] = d3.extent(span);
      // Whole seconds, at least one: what is known is known of seconds.
      const begin = secondOf(Math.max(whole[0], Math.min(first, whole[1] - 1000)));
      const end = Math.max(begin + 1, Math.ceil((Math.min(last, whole[1]) - start) / 1000));
      plan.selected = [start + 1000 * begin, start + 1000 * end];
      [from.value, until.value] = [begin, end];
      [from.max, until.min] = [end - 1, begin + 1];
      drawSpanTable(seconds.filter(({ atMs }) => secondOf(atMs) >= begin && secondOf(atMs) < end), shown);
      plan.showSelection(plan.selected);
    };
    [from, until].forEach(input => input.addEventListener("change", () => {
      const edges = [from, until].map(one => Number(one.value));
      plan.select(edges.map(edge => start + 1000 * edge));
    }));
    document.getElementById("span-whole").addEventListener("click", () => plan.select(whole));
    plan.select(whole);
  }

  function drawSpanTable(within, shown) {
    document.getElementById("span-phases").textContent = joinWords([...new Set(within.map(second => second.phase))]) || "no requests";
    const parent = document.getElementById("span-table");
    parent.replaceChildren();
    const body = addTable(addScroll(parent, "Percentiles of a span of time"), "numbers", "Percentiles of a span of time", [["Region"],
      ...["Answered", "Failed", "p50 ms", "p95 ms", "p99 ms", "Slowest ms"].map(text => [text, "number"])]);
    [ALL, ...shown].forEach(region => {
      const own = within.filter(second => region === ALL || second.region === region);
      const row = add(body, "tr");
      addHeaderCell(row, region === ALL ? "all regions" : region, "row");
      [whole(d3.sum(own, second => second.answered)), whole(d3.sum(own, second => second.failed)),
        ...percentilesOf(own, [0.5, 0.95, 0.99]).concat(d3.max(own, second => second.maxMs)).map(value => isNumber(value) ? significant(value) : "–"),
      ].forEach(text => add(row, "td", "number", text));
    });
  }

  /** The middle of the class that each percentile falls into; the slowest is known exactly. */
  function percentilesOf(seconds, shares) {
    const counts = d3.rollup(seconds.flatMap(second => Object.entries(second.counts || {})),
      entries => d3.sum(entries, ([, latencies]) => latencies), ([latencyClass]) => Number(latencyClass));
    const classes = d3.sort(counts, ([latencyClass]) => latencyClass);
    const cumulated = d3.cumsum(classes, ([, latencies]) => latencies);
    const slowest = d3.max(seconds, second => second.maxMs);
    return shares.map(share => {
      const found = classes[d3.bisectLeft(cumulated, share * cumulated[cumulated.length - 1])];
      return found && Math.min(slowest, results.latencyClassWidth ** (found[0] + 0.5));
    });
  }

  function startOf(seconds) {
    return d3.min([seconds[0].atMs, ...phases.flatMap(runsOf).map(run => run.startedMs).filter(isNumber)]);
  }

  /** Stretches of one phase with traffic, in order. */
  function segmentsOf(seconds) {
    const segments = [];
    seconds.forEach(({ phase, atMs }) => {
      const last = segments[segments.length - 1];
      if (last && last.phase === phase && atMs - last.end <= LONGEST_PAUSE_MS) {
        last.end = Math.max(last.end, atMs + 1000);
      } else {
        segments.push({ phase, start: Math.max(atMs, last ? last.end : atMs), end: atMs + 1000 });
      }
    });
    return segments.filter(segment => segment.end > segment.start);
  }

  /** Every stretch, and over it again what was counted: the warm-up stays paler. */
  function bandsOf({ segments }) {
    const counted = phases.flatMap(phase => runsOf(phase).map(run =>
      ({ className: phase.id, start: Math.floor(run.startedMs / 1000) * 1000, end: run.endedMs })));
    return [...segments.map(({ phase, start, end }) => ({ className: `${phase} uncounted`, start, end })), ...counted];
  }

  function hasWarmUp({ segments }) {
    const starts = phases.flatMap(runsOf).map(run => run.startedMs);
    return segments.some(({ start, end }) => starts.some(counted => counted >= start + 1000 && counted < end));
  }

  function migrationEnd() {
    return migration.startedMs + 1000 * migration.seconds;
  }

  function showsMigration({ segments }) {
    return Boolean(migration) && migration.startedMs < segments[segments.length - 1].end && migrationEnd() > segments[0].start;
  }

  /** Time runs evenly where there was traffic; a long stretch without any takes a few pixels only. */
  function timeScale({ segments }, left, right) {
    const narrow = right - left < 600;
    const pauses = d3.pairs(segments, (one, next) => {
      const pause = next.start - one.end;
      const migrating = migration && migration.startedMs < next.start && migrationEnd() > one.end;
      return { pause, pixels: pause <= LONGEST_PAUSE_MS ? null : (migrating ? 44 : 14) / (narrow ? 2 : 1) };
    });
    const even = d3.sum(segments, segment => segment.end - segment.start) + d3.sum(pauses, ({ pause, pixels }) => pixels === null ? pause : 0);
    const perMs = (right - left - d3.sum(pauses, ({ pixels }) => pixels)) / even;
    const places = [];
    let x = left;
    segments.forEach((segment, position) => {
      const width = (segment.end - segment.start) * perMs;
      places.push(x, x + width);
      const { pause, pixels } = pauses[position] || { pause: 0, pixels: 0 };
      x += width + (pixels === null ? pause * perMs : pixels);
    });
    return d3.scaleLinear().domain(segments.flatMap(({ start, end }) => [start, end])).range(places).clamp(true);
  }

  function timeTicks({ segments, start }, scale) {
    const [first] = segments;
    const perSecond = 1000 * (scale(first.end) - scale(first.start)) / (first.end - first.start);
    const step = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800].find(one => one * perSecond >= 40) || 3600;
    const ticks = segments.flatMap(segment => {
      const [from, to] = [(segment.start - start) / 1000, (segment.end - start) / 1000];
      const within = d3.range(Math.ceil(from / step) * step, to, step);
      return within.length || segment !== segments[0] ? within : [Math.ceil(from)];
    });
    const kept = [];
    ticks.forEach(tick => {
      if (!kept.length || scale(start + 1000 * tick) - scale(start + 1000 * kept[kept.length - 1]) >= 34) {
        kept.push(tick);
      }
    });
    return kept;
  }

  function drawPhaseNames(svg, { segments }, scale) {
    phases.forEach(phase => {
      const own = segments.filter(segment => segment.phase === phase.id);
      if (!own.length) {
        return;
      }
      // Runs that alternate have a name each, where there is room for it; the legend has the stages.
      const stretches = alternating ? own.map(segment => [segment, segment]) : [[own[0], own[own.length - 1]]];
      stretches.forEach(([first, last]) => {
        const [left, right] = [scale(first.start), scale(last.end)];
        const text = `${phase.id}: ${phase.stage}`;
        const shown = text.length * 7.2 < right - left ? text : phase.id;
        if (!alternating || shown.length * 7.2 < right - left) {
          svg.append("text").attr("class", "name").attr("x", left).attr("y", 13).text(shown);
        }
      });
    });
  }

  function drawMigrationName(svg, plan, scale, width) {
    if (!showsMigration(plan)) {
      return;
    }
    const locked = locks().map(([, duration]) => significant(duration, 2));
    const lines = [`migration ${secondsText(migration.seconds)}`, locked.length ? `locked ${locked.join(" + ")} ms` : "no lock recorded"];
    const half = 3.3 * d3.max(lines, line => line.length);
    const middle = (scale(migration.startedMs) + scale(migrationEnd())) / 2;
    const x = Math.max(half, Math.min(width - half - 2, middle));
    lines.forEach((line, position) => svg.append("text").attr("x", x).attr("y", 32 + 15 * position).attr("text-anchor", "middle").text(line));
  }

  function drawRegion(svg, region, { plan, scale, margin, width, top, bottom }) {
    const seconds = plan.seconds.filter(second => second.region === region);
    const panel = svg.append("g");
    panel.append("text").attr("class", "name").attr("x", margin.left).attr("y", top - 7).text(region)
      .append("tspan").attr("dx", 8).style("font-weight", 400).text("ms");
    bandsOf(plan).forEach(({ className, start, end }) => panel.append("rect").attr("class", `band ${className}`)
      .attr("x", scale(start)).attr("width", scale(end) - scale(start)).attr("y", top).attr("height", bottom - top));
    const y = d3.scaleLog().domain(plan.domain).range([bottom - 16, top]);
    const axis = panel.append("g").attr("class", "axis");
    logarithmicTicks(y, 30).forEach(tick => {
      axis.append("line").attr("x1", margin.left).attr("x2", width - margin.right).attr("y1", y(tick)).attr("y2", y(tick));
      axis.append("text").attr("x", margin.left - 7).attr("y", y(tick) + 4).attr("text-anchor", "end").text(tickText(tick));
    });
    timeTicks(plan, scale).forEach(tick => axis.append("text").attr("x", scale(plan.start + 1000 * tick)).attr("y", bottom + 16)
      .attr("text-anchor", "middle").text(tickText(tick)));
    axis.append("text").attr("x", margin.left - 12).attr("y", bottom + 16).attr("text-anchor", "end").text("s");
    drawBreaks(panel, plan, scale, top, bottom);
    drawMigrationMark(panel, plan, scale, top, bottom);

    const place = second => scale(second.atMs + 500);
    panel.append("path").attr("class", "course slowest")
      .attr("d", dotPath(seconds.filter(second => second.maxMs > 0).map(second => [place(second), y(second.maxMs)])));
    [["p99", "p99Ms"], ["p50", "p50Ms"]].forEach(([name, key]) => {
      const line = d3.line(place, second => y(second[key])).digits(1);
      panel.append("path").attr("class", `course ${name}`).attr("d", unbroken(seconds.filter(second => second[key] > 0)).map(line).join(""));
    });
    panel.append("path").attr("class", "course lost").attr("d", seconds.filter(second => second.failed > 0)
      .map(second => cross(place(second), bottom - 7)).join(""));
    panel.append("rect").attr("class", "selection").attr("y", top).attr("height", bottom - top).attr("visibility", "hidden");
    addCursor(panel, region, seconds, place, { plan, scale, margin, width, top, bottom });
  }

  function unbroken(seconds) {
    const pieces = [];
    seconds.forEach((second, position) => {
      const former = seconds[position - 1];
      if (!former || former.phase !== second.phase || second.atMs - former.atMs > LONGEST_PAUSE_MS + 1000) {
        pieces.push([]);
      }
      pieces[pieces.length - 1].push(second);
    });
    return pieces;
  }

  function cross(x, y) {
    return `M${(x - 4).toFixed(1)},${y - 4}l8,8m-8,0l8,-8`;
  }

  function drawBreaks(panel, { segments }, scale, top, bottom) {
    d3.pairs(segments).filter(([one, next]) => next.start - one.end > LONGEST_PAUSE_MS).forEach(([one, next]) => {
      const x = (scale(one.end) + scale(next.start)) / 2;
      panel.append("path").attr("class", "break").attr("d", `M${x},${top}V${bottom}`);
    });
  }

  function drawMigrationMark(panel, plan, scale, top, bottom) {
    if (!showsMigration(plan)) {
      return;
    }
    const [left, right] = [scale(migration.startedMs), scale(migrationEnd())];
    panel.append("rect").attr("class", "migration").attr("x", left).attr("width", Math.max(2, right - left)).attr("y", top).attr("height", bottom - top);
    panel.append("path").attr("class", "migration-edge").attr("d", `M${left},${top - 4}V${bottom}M${Math.max(left + 2, right)},${top - 4}V${bottom}`);
  }

  /** Shows the numbers of one second: that below the pointer, or where the keys have moved. */
  function addCursor(panel, region, seconds, place, { plan, scale, margin, width, top, bottom }) {
    const line = panel.append("line").attr("class", "cursor").attr("y1", top).attr("y2", bottom).attr("visibility", "hidden");
    const catcher = panel.append("rect").attr("class", "catcher").attr("x", margin.left).attr("width", width - margin.left - margin.right)
      .attr("y", top).attr("height", bottom - top).attr("tabindex", 0).attr("role", "slider")
      .attr("aria-label", `Second of ${region}`).attr("aria-valuemin", 0).attr("aria-valuemax", seconds.length - 1);
    let current = 0;
    const move = position => {
      current = Math.max(0, Math.min(seconds.length - 1, position));
      const lines = secondLines(plan, seconds[current]);
      line.attr("x1", place(seconds[current])).attr("x2", place(seconds[current])).attr("visibility", "visible");
      catcher.attr("aria-valuenow", current).attr("aria-valuetext", lines.join(", "));
      return lines;
    };
    const leave = () => {
      line.attr("visibility", "hidden");
      hideTooltip();
    };
    const showAt = position => {
      const lines = move(position);
      const box = catcher.node().getBoundingClientRect();
      const share = (place(seconds[current]) - margin.left) / (width - margin.left - margin.right);
      showTooltip({ clientX: box.left + share * box.width, clientY: box.top + box.height / 2 }, lines);
    };
    move(0);
    leave();
    let dragged = null;
    catcher.on("pointerdown", event => {
      if (plan.select && event.button === 0) {
        dragged = d3.pointer(event)[0];
        catcher.node().setPointerCapture(event.pointerId);
      }
    }).on("pointerup pointercancel", () => {
      dragged = null;
    }).on("pointermove", event => {
      const [x] = d3.pointer(event);
      if (dragged !== null && Math.abs(x - dragged) > 3) {
        plan.select([scale.invert(dragged), scale.invert(x)]);
      }
      showTooltip(event, move(d3.bisector(second => second.atMs).center(seconds, scale.invert(x) - 500)));
    }).on("pointerleave", leave).on("blur", leave).on("focus", () => {
      if (catcher.node().matches(":focus-visible")) {
        showAt(current);
      }
    }).on("keydown", event => {
      const target = { ArrowLeft: current - 1, ArrowRight: current + 1, PageUp: current - 10, PageDown: current + 10, Home: 0, End: seconds.length - 1 }[event.key];
      if (event.key === "Escape") {
        leave();
      } else if (target !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        showAt(target);
      }
    });
  }

  function secondLines({ start }, second) {
    return [
      `${second.region}, second ${tickText(Math.round((second.atMs - start) / 1000))}, ${second.phase}`,
      `p50 ${milliseconds(second.p50Ms)}`,
      `p99 ${milliseconds(second.p99Ms)}`,
      `slowest ${milliseconds(second.maxMs)}`,
      `${whole(second.answered)} answered, ${whole(second.failed)} failed`,
    ];
  }

  function drawTimelineLegend(plan) {
    const legend = document.getElementById("timeline-legend");
    const course = name => svg => svg.append("path").attr("class", `course ${name}`).attr("d", "M2,8H28");
    const area = className => svg => svg.append("rect").attr("class", className).attr("x", 4).attr("width", 22).attr("height", 16);
    addLegendItem(legend, "p50 of a second", course("p50"));
    addLegendItem(legend, "p99 of a second", course("p99"));
    addLegendItem(legend, "slowest of a second", svg => svg.append("path").attr("class", "course slowest").attr("d", "M6,10h0M15,5h0M24,8h0"));
    if (plan.seconds.some(second => second.failed > 0)) {
      addLegendItem(legend, "second with failures", svg => svg.append("path").attr("class", "course lost").attr("d", cross(15, 8)));
    }
    phases.forEach(phase => addLegendItem(legend, `${phase.id}: ${phase.stage}`, area(`band ${phase.id}`)));
    if (showsMigration(plan)) {
      addLegendItem(legend, "migration", area("migration"));
    }
  }

  function timelineCaption(plan) {
    const { segments } = plan;
    const words = ["Seconds since the first phase began, milliseconds on a logarithmic axis, the same for all regions."];
    if (d3.pairs(segments).some(([one, next]) => next.start - one.end > LONGEST_PAUSE_MS)) {
      words.push("Stretches without traffic are shortened; a dotted line stands in each.");
    }
    if (hasWarmUp(plan)) {
      words.push("The paler beginning of a run is its warm-up, which counts nowhere else.");
    }
    if (migration) {
      words.push(`The migration from ${migration.from} to ${migration.to} took ${secondsText(migration.seconds)}`
        + `${migration.underTraffic ? " while traffic went on" : " without traffic"}${locks().length ? `; tables were locked ${locksText()}` : ""}.`);
    }
    words.push("Point at a second for its numbers, or move there with the arrow keys; drag over a span for its percentiles.");
    return words.join(" ");
  }

  // Phases side by side

  function drawPhases() {
    const places = [[null, "all rows"], [false, "home rows"], [true, "remote rows"]];
    const rows = [ALL, ...regions].flatMap(region => places.map(([remote, place]) => rowOf(
      region === ALL ? "all regions" : region, place, region, ALL, remote)));
    drawRows("phases", "phases-content", "Latency by region", "Region and rows", rows, row => row.place === "all rows");
  }

  function drawOperations() {
    const rows = operations.map(operation => rowOf(operation, "", ALL, operation, null));
    drawRows("operations", "operations-content", "Latency by operation", "Operation", rows, () => true);
  }

  function rowOf(name, place, region, operation, remote) {
    return { name, place, cells: phases.map(phase => find(phase, region, operation, remote) || null) };
  }

  function drawRows(sectionId, parentId, caption, heading, allRows, isPlotted) {
    const rows = allRows.filter(row => row.cells.some(Boolean));
    if (!rows.length) {
      leaveOut(sectionId);
      return;
    }
    const parent = document.getElementById(parentId);
    addPhaseTable(parent, caption, heading, rows, quantiles.map(([name, key]) =>
      ({ name, value: one => one[key] && one[key].estimate, fill: (cell, one) => fillInterval(cell, one[key]), compared: Boolean(before && after) })));
    addDotPlot(parent, caption, rows.filter(isPlotted));
    addPhaseTable(parent, `${caption}: slowest request, rate and counts`, heading, rows, [
      { name: "max, ms", fill: (cell, one) => fillInterval(cell, one.maxMs) },
      { name: "requests/s", fill: (cell, one) => fillInterval(cell, one.requestsPerSecond) },
      { name: "success", fill: (cell, one) => fillSuccess(cell, one) },
      { name: "answered", fill: (cell, one) => cell.append(whole(one.answered)) },
      { name: "refused", fill: (cell, one) => cell.append(whole(one.refused)) },
      { name: "failed", fill: (cell, one) => add(cell, "span", one.failed > 0 ? "wrong" : "", whole(one.failed)) },
    ]);
  }

  function fillSuccess(cell, one) {
    add(cell, "span", one.failed > 0 ? "wrong" : "", isNumber(one.successShare) ? `${d3.format(".2f")(100 * one.successShare)}%` : "–");
    if (one.timedOut > 0) {
      add(cell, "span", "sub", count(one.timedOut, "timeout"));
    }
  }

  function fillInterval(cell, interval) {
    add(cell, "span", "", isInterval(interval) ? significant(interval.estimate) : "–");
    add(cell, "span", "sub", rangeText(interval));
  }

  /** A column for each phase below each heading, and one for their ratio where they are compared. */
  function addPhaseTable(parent, caption, heading, rows, groups) {
    const body = addTable(addScroll(parent, caption), `phases ${phases.length > 2 ? "three" : ""}`, caption, [
      [heading],
      ...groups.flatMap(group => [...phases.map(phase => [phase.id, "number"]), ...(group.compared ? [["ratio", "number"]] : [])]),
    ]);
    const top = document.createElement("tr");
    body.parentElement.tHead.prepend(top);
    add(top, "td");
    groups.forEach(group => {
      addHeaderCell(top, group.name, "colgroup", "group").colSpan = phases.length + (group.compared ? 1 : 0);
    });

    rows.forEach((row, position) => {
      const isFirst = row.place && (!position || rows[position - 1].name !== row.name);
      const line = add(body, "tr", isFirst ? "first" : "");
      const header = addHeaderCell(line, row.name, "row");
      if (row.place) {
        add(header, "span", "sub", row.place);
      }
      groups.forEach(group => addPhaseCells(line, row, group));
    });
  }

  function addPhaseCells(line, row, group) {
    row.cells.forEach(one => {
      const cell = add(line, "td", "number", one ? null : "–");
      if (one) {
        group.fill(cell, one);
      }
    });
    if (group.compared) {
      const [first, last] = [before, after].map(phase => row.cells[phases.indexOf(phase)]);
      add(line, "td", "number ratio", first && last ? ratio(ratioOf(group.value(first), group.value(last))) : "–");
    }
  }

  function addDotPlot(parent, caption, rows) {
    const plotted = quantiles.filter(([, , shape]) => shape);
    const intervals = rows.flatMap(row => row.cells.filter(Boolean).flatMap(one => plotted.map(([, key]) => one[key]))).filter(isInterval);
    if (!intervals.length) {
      return;
    }
    const legend = add(parent, "ul", "legend");
    const sample = d3.scaleLinear().range([3, 27]);
    plotted.forEach(([name, , shape, size]) => addLegendItem(legend, `${name}, 95% interval`,
      svg => drawMark(svg, sample, { estimate: 0.5, low: 0.0001, high: 1 }, 8, shape, size, "plain")));
    const figure = add(parent, "figure");
    const container = add(figure, "div", "chart");
    add(figure, "figcaption", "", "Milliseconds on a logarithmic axis: equal distances are equal factors. An interval narrower than its mark is not drawn.");
    const values = intervals.flatMap(one => hasEnds(one) ? [one.low, one.estimate, one.high] : [one.estimate]);
    const domain = [d3.min(values) / 1.15, d3.max(values) * 1.15];

    addChart(container, 690, (element, width) => {
      const nameWidth = 7.8 * d3.max(rows, row => row.name.length);
      const narrow = width < 640 || nameWidth > width / 3;
      const laneHeight = 17;
      const rowHeight = laneHeight * phases.length + 12 + (narrow ? 18 : 0);
      const margin = { top: 6, right: 24, bottom: 26, left: narrow ? 56 : Math.max(170, nameWidth + 64) };
      const height = margin.top + rowHeight * rows.length + margin.bottom;
      const scale = d3.scaleLog().domain(domain).range([margin.left, width - margin.right]);
      const svg = addSvg(element, width, height, `${caption}: p50 and p99 in each phase; the tables hold the same numbers`);
      addHorizontalAxis(svg, scale, logarithmicTicks(scale, 44), margin.top, height - margin.bottom, tickText);
      svg.append("text").attr("x", margin.left - 8).attr("y", height - margin.bottom + 16).attr("text-anchor", "end").text("ms");
      rows.forEach((row, position) =>
        drawDots(svg.append("g").attr("class", "row"), row, plotted, { top: margin.top + position * rowHeight, rowHeight, laneHeight, width, narrow, margin, scale }));
    });
  }

  function drawDots(group, row, plotted, { top, rowHeight, laneHeight, width, narrow, margin, scale }) {
    group.append("rect").attr("class", "row-back").attr("x", 0).attr("y", top).attr("width", width).attr("height", rowHeight);
    group.append("line").attr("class", "row-line").attr("x1", 0).attr("x2", width).attr("y1", top).attr("y2", top);
    group.append("text").attr("class", "name").attr("x", 0).attr("y", narrow ? top + 16 : top + rowHeight / 2 + 4).text(row.name);
    phases.forEach((phase, lane) => {
      const y = top + (narrow ? 18 : 0) + 6 + laneHeight * (lane + 0.5);
      group.append("text").attr("class", "lane").attr("x", margin.left - 8).attr("y", y + 4).attr("text-anchor", "end").text(phase.id);
      const one = row.cells[lane];
      plotted.filter(([, key]) => one && isInterval(one[key])).forEach(([, key, shape, size]) => drawMark(group, scale, one[key], y, shape, size, phase.id));
    });
    group.on("pointermove", event => showTooltip(event, dotLines(row, plotted))).on("pointerleave", hideTooltip);
  }

  function dotLines(row, plotted) {
    return [row.name, ...phases.flatMap((phase, lane) => row.cells[lane]
      ? [`${phase.id}: ${plotted.map(([name, key]) => `${name} ${withRange(row.cells[lane][key])}`).join(", ")} ms`] : [])];
  }

  // From each region to each region

  function drawMatrix() {
    const cells = list(results.matrix).filter(cell => isInterval(cell.medianMs));
    if (!cells.length) {
      leaveOut("matrix");
      return;
    }
    const wrong = cells.filter(cell => cell.agrees === false).length;
    document.getElementById("matrix-text").textContent = "One statement at a time, asked in the region of the row about rows whose home region is that of the column: "
      + "the median in milliseconds and how many round trips between regions are predicted from where the leaseholders were. A write also waits until a majority of its replicas has it. "
      + (cells.every(cell => !isNumber(cell.expectedMs)) ? "How long these take is not known, so no cell agrees or disagrees."
        : wrong ? `${wrong} of ${count(cells.length, "cell")} ${wrong === 1 ? "disagrees" : "disagree"} with the prediction.`
          : `All ${count(cells.length, "cell")} agree with the prediction.`);

    const logs = d3.extent(cells, cell => Math.log(cell.medianMs.estimate));
    const strength = value => logs[1] > logs[0] ? 6 + 94 * (Math.log(value) - logs[0]) / (logs[1] - logs[0]) : 40;
    drawMatrixLegend(logs, strength, wrong);
    const parent = document.getElementById("matrix-maps");
    const stages = namesOf(cells.map(cell => cell.stage));
    namesOf(cells.map(cell => cell.operation)).forEach(operation => {
      add(parent, "h3", "", operation);
      const maps = add(parent, "div", "maps");
      stages.forEach(stage => addHeatMap(maps, stage, operation, cells.filter(cell => cell.stage === stage && cell.operation === operation), strength));
    });
    addCells(parent, cells);
  }

  function colourHeat(element, strength) {
    element.classList.add("heat");
    element.style.setProperty("--strength", `${strength.toFixed(1)}%`);
  }

  function addHeatMap(parent, stage, operation, cells, strength) {
    if (!cells.length) {
      return;
    }
    const map = add(parent, "div");
    add(map, "h4", "", stage);
    const inOrder = names => d3.sort(names, name => regions.indexOf(name));
    const homes = inOrder(namesOf(cells.map(cell => cell.home)));
    const body = addTable(addScroll(map, `${operation} at ${stage}`), "matrix", `Median of ${operation} at ${stage}, milliseconds`,
      [["asked in ↓\nhome in →"], ...homes.map(home => [home])]);
    body.parentElement.style.setProperty("--columns", homes.length);
    inOrder(namesOf(cells.map(cell => cell.gateway))).forEach(gateway => {
      const line = add(body, "tr");
      addHeaderCell(line, gateway, "row");
      homes.forEach(home => fillHeatCell(add(line, "td"), cells.find(cell => cell.gateway === gateway && cell.home === home), strength));
    });
  }

  function fillHeatCell(element, cell, strength) {
    if (!cell) {
      element.textContent = "–";
      return;
    }
    colourHeat(element, strength(cell.medianMs.estimate));
    element.append(milliseconds(cell.medianMs.estimate));
    add(element, "span", "sub", !isNumber(cell.predictedRoundTrips) ? "leaseholders in several regions" : isNumber(cell.expectedMs) ? `${predicted(cell)} predicted (${milliseconds(cell.expectedMs).replace(" ", "\u00a0")})`
      : `${predicted(cell)} predicted`);
    if (cell.agrees === false) {
      element.classList.add("disagrees");
      add(element, "span", "flag", "✗ disagrees");
    }
    element.addEventListener("pointermove", event => showTooltip(event, [
      `${cell.operation}, asked in ${cell.gateway} about rows of ${cell.home}`,
      `median ${withRange(cell.medianMs)} ms of ${count(cell.samples, "sample")}`,
      isNumber(cell.predictedRoundTrips) ? `${predicted(cell)} predicted, ${milliseconds(cell.expectedMs)}` : "leaseholders in several regions",
      agreement(cell),
    ]));
    element.addEventListener("pointerleave", hideTooltip);
  }

  function agreement(cell) {
    return { true: "agrees", false: "disagrees" }[cell.agrees] || "no prediction";
  }

  function predicted(cell) {
    return count(cell.predictedRoundTrips, "round trip");
  }

  function drawMatrixLegend([low, high], strength, wrong) {
    const legend = document.getElementById("matrix-legend");
    const shares = high > low ? [0, 1 / 3, 2 / 3, 1] : [0];
    shares.forEach(share => {
      const value = Math.exp(low + share * (high - low));
      colourHeat(add(add(legend, "li"), "span", "swatch", milliseconds(value)), strength(value));
    });
    add(legend, "li", "", "median, logarithmic");
    if (wrong) {
      const entry = add(legend, "li");
      add(entry, "span", "swatch disagrees wrong", "✗");
      entry.append("not about what was predicted");
    }
  }

  /** What pointing at a cell tells, for those who cannot point. */
  function addCells(parent, cells) {
    const details = add(parent, "details");
    add(details, "summary", "", "All cells as a table, with intervals");
    const body = addTable(addScroll(details, "All cells"), "cells", "All cells", [["Operation"], ["Stage"], ["Asked in"], ["At home in"],
      ["Median, ms", "number"], ["n", "number"], ["Round trips", "number"], ["Predicted, ms", "number"], ["Agrees"]]);
    cells.forEach(cell => {
      const line = add(body, "tr");
      addHeaderCell(line, cell.operation, "row");
      [cell.stage, cell.gateway, cell.home].forEach(text => add(line, "td", "", text));
      [withRange(cell.medianMs), whole(cell.samples), whole(cell.predictedRoundTrips), significant(cell.expectedMs)]
        .forEach(text => add(line, "td", "number", text));
      add(line, "td", cell.agrees === false ? "wrong" : "", { true: "yes", false: "no" }[cell.agrees] || "–");
    });
  }

  // Promo codes

  function drawPromos() {
    const modes = list(results.promoReads);
    if (!modes.length) {
      leaveOut("promos");
      return;
    }
    const body = addTable(addScroll(document.getElementById("promos-content"), "Promo codes"), "cells", "Promo codes, read in every region",
      [["Stage"], ["Way of reading"], ["Region"], ["p50, ms", "number"], ["p99, ms", "number"], ["Reads", "number"], ["Stale", "number"],
        ["Age p50, ms", "number"], ["Oldest, ms", "number"], ["Write p50, ms", "number"]]);
    modes.forEach(mode => list(mode.regions).forEach(region => {
      const line = add(body, "tr");
      addHeaderCell(line, mode.stage, "row");
      const way = add(line, "td", "", mode.mode);
      way.title = mode.meaning;
      add(line, "td", "", region.region);
      [significant(region.medianMs), significant(region.p99Ms), whole(region.reads)].forEach(text => add(line, "td", "number", text));
      add(line, "td", mode.exact && region.stale > 0 ? "number wrong" : "number", percent(region.staleShare));
      [region.stale > 0 ? significant(region.ageP50Ms) : "–", region.stale > 0 ? significant(region.ageMaxMs) : "–", significant(mode.writeMedianMs)]
        .forEach(text => add(line, "td", "number", text));
    }));
    const meanings = add(document.getElementById("promos-content"), "ul", "notes");
    new Map(modes.map(mode => [mode.mode, mode.meaning])).forEach((meaning, mode) => add(meanings, "li", "", `${mode}: ${meaning}`));
  }

  // Where the rows are

  function drawPlacement() {
    const placed = list(results.placement);
    if (!placed.length) {
      leaveOut("placement");
      return;
    }
    const parent = document.getElementById("placement-maps");
    const places = [...regions, ...namesOf(placed.map(one => one.region)).filter(name => !regions.includes(name))];
    namesOf(placed.map(one => one.phase)).forEach(phase => {
      const there = placed.filter(one => one.phase === phase);
      const map = add(parent, "div");
      add(map, "h4", "", `${phase}, at ${there[0].stage}`);
      const body = addTable(addScroll(map, `Rows ${phase}`), "matrix", `Where the rows of each table are ${phase}`, [[""], ...places.map(place => [place])]);
      body.parentElement.style.setProperty("--columns", places.length);
      namesOf(there.map(one => one.table)).forEach(table => {
        const ofTable = there.filter(one => one.table === table);
        const all = d3.sum(ofTable, one => one.bytes);
        const line = add(body, "tr");
        addHeaderCell(line, table, "row");
        places.forEach(place => {
          const one = ofTable.find(share => share.region === place);
          const cell = add(line, "td", "", one ? bytesText(one.bytes) : "–");
          if (one) {
            colourHeat(cell, all ? 100 * one.bytes / all : 0);
            add(cell, "span", "sub", `${count(one.leaseholders, "leaseholder")}, ${count(one.replicas, "replica")}`);
          }
        });
      });
    });
  }

  // Highest rate under an objective

  function drawCapacity() {
    if (!list(results.capacities).length) {
      leaveOut("capacity");
      return;
    }
    results.capacities.forEach(capacity => {
      const parent = document.getElementById("capacity-tables");
      const quantile = `p${tickText(Number((100 * capacity.quantile).toPrecision(6)))}`;
      add(parent, "h3", "", `${capacity.stage}: ${isNumber(capacity.highestKept) ? `${significant(capacity.highestKept)} arrivals a second` : "none"}`);
      add(parent, "p", "", `Objective: ${quantile} of at most ${milliseconds(capacity.limitMs)}. How it is known: ${capacity.reason}.`);
      const body = addTable(addScroll(parent, capacity.stage), "runs-of cards", `Rates tried at ${capacity.stage}`,
        [["Arrivals/s"], ["Answered/s", "number"], [quantile, "number"], ["In time", "number"], ["Failed", "number"], ["Objective"]]);
      list(capacity.probes).forEach(probe => {
        const row = add(body, "tr");
        addHeaderCell(row, significant(probe.rate), "row");
        addLabelled(row, "Answered/s", "number", significant(probe.requestsPerSecond));
        addLabelled(row, quantile, "number", milliseconds(probe.ms));
        addLabelled(row, "In time", "number", percent(probe.inTime));
        addLabelled(row, "Failed", "number", whole(probe.failed));
        addLabelled(row, "Objective", "", probe.kept ? "kept" : probe.generatorLimit || `broken: ${probe.why}`);
      });
    });
  }

  // A closed loop

  function drawClosedLoop() {
    const loops = phases.filter(phase => phase.closedLoop);
    if (!loops.length) {
      leaveOut("closed");
      return;
    }
    const places = [ALL, ...regions];
    const rows = places.map(place => ({ name: place === ALL ? "all regions" : place,
      cells: phases.map(phase => phase.closedLoop && (place === ALL ? phase.closedLoop.requestsPerSecond : (phase.closedLoop.byRegion || {})[place]) || null) }));
    const parent = document.getElementById("closed-content");
    const body = addTable(addScroll(parent, "Waiting clients"), "phases", "Requests answered a second by waiting clients",
      [["Region"], ...loops.map(phase => [`${phase.id}: ${phase.stage}`, "number"]), ["ratio, after / before", "number"]]);
    rows.forEach(row => {
      const line = add(body, "tr");
      addHeaderCell(line, row.name, "row");
      loops.forEach(phase => fillInterval(add(line, "td", "number"), row.cells[phases.indexOf(phase)]));
      const [first, last] = [before, after].map(phase => row.cells[phases.indexOf(phase)]);
      add(line, "td", "number ratio", first && last ? ratio(ratioOf(last.estimate, first.estimate)) : "–");
    });
  }

  // Measured beside published

  function pText(value) {
    return value < 0.001 ? "< 0.001" : fixed(value, 3);
  }

  function drawPublished() {
    const figures = list(results.figures);
    if (!figures.length) {
      leaveOut("published");
      return;
    }
    figures.forEach(figure => drawFigure(document.getElementById("published-figures"), figure));
  }

  function drawFigure(parent, figure) {
    const article = add(parent, "article", "figure");
    add(article, "h3", "", figure.title || figure.id);
    const outcome = add(article, "dl", "outcome");
    const metric = figure.metric || "value";
    addTerm(outcome, `${metric}, before`, withUnit(withRange(figure.before), figure.unit));
    addTerm(outcome, `${metric}, after`, withUnit(withRange(figure.after), figure.unit));
    addTerm(outcome, "Improvement", improvementText(figure.improvement)).classList.add("strong");
    addTerm(outcome, "Before and after differ", figure.different ? "yes"
      : list(figure.published).some(one => one.verdict === "not judged") ? "not judged: too few runs" : "no difference was shown");
    if (isNumber(figure.pAdjusted)) {
      addTerm(outcome, `p of ${alternating ? "Student's t over the pairs of runs" : "Welch's t over the runs"}, adjusted`, pText(figure.pAdjusted));
    }
    if (!list(figure.published).length) {
      return;
    }
    const blocks = add(article, "div", "verdicts");
    figure.published.forEach(one => addPublished(add(blocks, "div"), one));
  }

  function addPublished(block, one) {
    const heading = add(block, "h5", "", one.source);
    if (one.verdict) {
      addVerdict(heading, one.verdict);
    }
    if (one.weakEvidence) {
      add(heading, "span", "weak", "weak evidence").title = weakMeaning;
    }
    if (one.reason) {
      add(block, "p", "", one.reason);
    }
    const pairs = add(block, "dl", "scans");
    addPair(pairs, one.metric || "figures", `${printedFigure(one.before, one.unit)} → ${printedFigure(one.after, one.unit)}`);
    addPair(pairs, "printed ratio", isNumber(one.improvement) ? `${fixed(one.improvement, 2)}×` : "");
    addPair(pairs, "ratio of medians", isInterval(one.medians) ? improvementText(one.medians) : "");
    addPair(pairs, "measured on", [one.engine, one.conditions].filter(Boolean).join("; "));
  }

  function improvementText(interval) {
    if (!isInterval(interval)) {
      return "–";
    }
    return hasWidth(interval) ? `${ratio(interval.estimate)} ${ratioRange(interval)}` : ratio(interval.estimate);
  }

  function withUnit(text, unit) {
    return unit ? `${text}${unit === "%" ? "" : " "}${unit}` : text;
  }

  /** Published figures are shown as they were printed, not rounded again. */
  function printedFigure(value, unit) {
    return isNumber(value) ? withUnit(d3.format(",.8~r")(value), unit) : "–";
  }

  // Runs, migration, ledger

  function drawRuns() {
    const parent = document.getElementById("runs-table");
    const runs = allRuns();
    if (!runs.length) {
      add(parent, "p", "muted", "No run was recorded.");
      return;
    }
    const columns = [
      ["Due/s", run => significant(run.duePerSecond)],
      ["Answered/s", run => significant(run.requestsPerSecond)],
      ["Answered", run => whole(run.answered)],
      ["Refused", run => whole(run.refused)],
      ["Failed", run => whole(run.failed), run => run.failed > 0 ? "wrong" : ""],
      ["Retried writes", run => isNumber(run.retriedWrites) ? whole(run.retriedWrites) : notKnown],
      ["Transaction retries", run => isNumber(run.transactionRetries) ? whole(run.transactionRetries) : notKnown],
      ["Generator lag, p99", run => isNumber(run.lagP99Ms) ? milliseconds(run.lagP99Ms) : notKnown],
      ["Generator CPU", run => isNumber(run.cpuShare) ? percent(run.cpuShare) : notKnown],
    ];
    const body = addTable(addScroll(parent, "Runs"), "runs-of cards", "Runs",
      [["Run"], ["Began", "number"], ...columns.map(([name]) => [name, "number"]), ["Bottleneck"]]);
    const start = d3.min(runs, ({ run }) => run.startedMs);
    runs.forEach(({ run, name: runName }) => {
      const row = add(body, "tr");
      const heading = addHeaderCell(row, run.gatlingReport ? "" : runName, "row");
      if (run.gatlingReport) {
        addLink(heading, runName, run.gatlingReport);
      }
      addLabelled(row, "Began", "number", isNumber(run.startedMs) ? `${whole(Math.round((run.startedMs - start) / 1000))} s` : "–");
      columns.forEach(([name, text, kind]) => add(addLabelled(row, name, "number"), "span", kind ? kind(run) : "", text(run)));
      const bottleneck = addLabelled(row, "Bottleneck");
      if (run.bottleneck) {
        addBadge(bottleneck, "warning", "!");
      }
      bottleneck.append(run.bottleneck || "none");
    });
    add(parent, "p", "muted small", "A request is refused by a rule of the service, such as a vehicle that somebody else has taken; that is not a failure. "
      + "Due are requests that became due in the run, answered those whose answer came in it; Generator CPU is a share of one processor. "
      + "Writes are retried by the load generator when their answer is lost, transactions by the service when the database asks for it. "
      + "The name of a run links to Gatling's report of it, which measures from when a request was sent; this page measures from when it was due.").style.marginTop = ".75rem";
  }

  function drawMigration() {
    if (!migration) {
      add(document.getElementById("migration-table"), "p", "muted", "No migration was recorded.");
      return;
    }
    addPairs("migration-table", "Migration", [
      ["From", migration.from],
      ["To", migration.to],
      ["Stages", list(migration.stages).join(", ")],
      ["Began", isNumber(migration.startedMs) ? momentText(migration.startedMs) : null],
      ["Took", secondsText(migration.seconds)],
      ["Traffic meanwhile", migration.underTraffic ? "yes" : "no"],
      ...(locks().length ? locks().map(([stage, locked]) => [`Locked, ${stage}`, milliseconds(locked)]) : [["Locked", "no lock was recorded"]]),
    ]);
    const statements = list(migration.statements);
    if (statements.length) {
      const details = add(document.getElementById("migration-table"), "details");
      add(details, "summary", "", count(statements.length, "statement")
        + (migration.underTraffic ? ", with the slowest request that was due during each" : ""));
      const body = addTable(addScroll(details, "Statements of the migration"), "statements", "Statements of the migration",
        [["Statement"], ["Stage"], ["Began", "number"], ["Took", "number"], ["Slowest request", "number"], ["Region"]]);
      statements.forEach(statement => {
        const row = add(body, "tr");
        add(addHeaderCell(row, "", "row"), "code", "", statement.sql);
        add(row, "td", "", statement.stage);
        add(row, "td", "number", `${significant((statement.startedMs - migration.startedMs) / 1000)} s`);
        add(row, "td", "number", `${significant(statement.seconds)} s`);
        add(row, "td", "number", isNumber(statement.slowestMs) ? milliseconds(statement.slowestMs) : "–");
        add(row, "td", "", statement.slowestRegion || "–");
      });
    }
  }

  /** What requests saw of a region that was killed. */
  function drawOutage() {
    const outage = results.outage;
    if (!outage) {
      return;
    }
    const parent = document.getElementById("outage-table");
    add(parent, "h3", "", `${outage.region} killed`);
    add(parent, "p", "", `At stage ${outage.stage} all nodes in ${outage.region} were killed under traffic and answered again after `
      + `${significant(outage.downSeconds)} s. A stall is the longest time from when one of these requests was due until one was answered.`);
    const body = addTable(addScroll(parent, "Region killed"), "outage", "Requests that were due while the region was down",
      [["Asked in"], ["Rows of"], ["Requests", "number"], ["Not answered", "number"], ["Longest stall", "number"]]);
    list(outage.requests).forEach(affected => {
      const row = add(body, "tr");
      addHeaderCell(row, affected.region, "row");
      add(row, "td", "", affected.home);
      add(row, "td", "number", whole(affected.requests));
      add(row, "td", "number", whole(affected.failed));
      add(row, "td", "number", isNumber(affected.stallSeconds) ? `${significant(affected.stallSeconds)} s` : "not answered again");
    });
  }

  function drawLedger() {
    const faults = list(ledger.faults);
    addPairs("ledger-table", "Ledger of writes", [
      ["Acknowledged", whole(ledger.acknowledged)],
      ["Answer lost for good", whole(ledger.unknown)],
      ["Missing or doubled", faults.length ? count(faults.length, "fault") : ledger.acknowledged ? "none: each is there exactly once" : "–"],
    ]);
    if (faults.length) {
      const items = add(document.getElementById("ledger-table"), "ul", "faults");
      faults.forEach(fault => add(items, "li", "", fault));
    }
  }

  // Environment

  function drawEnvironment() {
    drawRegions();
    const dataset = results.dataset || {};
    addEnvironment(environment, results.command);
    addPairs("dataset-table", "Dataset", [
      ["Scale", dataset.scale],
      ["Seed", dataset.seed],
      ["Cities", list(dataset.cities).join(", ")],
      ...Object.entries(dataset.rows || {}).map(([table, rows]) => [`Rows of ${table}`, whole(rows)]),
      ["Loaded in", secondsText(dataset.loadSeconds)],
    ]);
    drawChecks();
  }

  function drawRegions() {
    const parent = document.getElementById("regions-table");
    const known = list(results.regions);
    if (!known.length) {
      add(parent, "p", "muted", "No regions were recorded.");
      return;
    }
    const hasDistances = known.some(region => Object.keys(region.roundTripMs || {}).length);
    const body = addTable(addScroll(parent, "Regions"), "distances", "Regions",
      [["Region"], ["Cities"], ...(hasDistances ? known.map(region => [`Round trip to ${region.name}`, "number"]) : [])]);
    known.forEach(region => {
      const row = add(body, "tr");
      const name = addHeaderCell(row, region.name, "row");
      if (region.primary) {
        add(name, "span", "sub", "primary");
      }
      add(row, "td", "", list(region.cities).join(", ") || "–");
      if (hasDistances) {
        known.forEach(other => add(row, "td", "number", milliseconds((region.roundTripMs || {})[other.name])));
      }
    });
    if (!hasDistances) {
      add(parent, "p", "muted small", "The distances between these regions were not set by this program.");
    }
  }

  function drawChecks() {
    const parent = document.getElementById("checks-table");
    if (!list(results.checks).length) {
      add(parent, "p", "muted", "No checks were recorded.");
      return;
    }
    const body = addTable(addScroll(parent, "Checks"), "checks cards", "Checks", [["Check"], ["Status"], ["Found"], ["Remedy"]]);
    results.checks.forEach(check => {
      const row = add(body, "tr");
      addHeaderCell(row, check.name, "row");
      addBadge(addLabelled(row, "Status"), check.status, checkSigns[check.status]);
      addLabelled(row, "Found", "", check.detail || "–");
      addLabelled(row, "Remedy", "", check.remedy || "–");
    });
  }

  // Method

  function drawMethod() {
    const terms = add(document.getElementById("method-text"), "dl");
    const explain = (term, description) => {
      add(terms, "dt", "", term);
      add(terms, "dd", "", description);
    };
    const lasting = (seconds, otherwise) => isNumber(seconds) && seconds > 0 ? secondsText(seconds) : otherwise;
    explain("Open model", "Riders arrive independently of each other and of how fast they are served (a Poisson process), and each sends one request or several. "
      + "A service that slows down gets no fewer of them.");
    explain("Latency", "It counts from the moment at which a request was due, not from when it was sent: waiting that a slow service causes is part of it.");
    explain("Warm-up", `${isNumber(load.uncountedSeconds) ? `Before the first run at a stage, ${secondsText(load.uncountedSeconds)} of traffic count nowhere. ` : ""}Each run begins with ${lasting(load.warmUpSeconds, "a warm-up")} of the same traffic that no number of this page includes; only the latency over time shows it. `
      + `What follows, ${lasting(load.secondsPerRun, "the steady part")}, is counted${isNumber(load.runs) ? `, in ${count(load.runs, "run")} before and as many after` : ""}. `
      + "Traffic during a migration lasts as long as that takes, and half a run before it and after it.");
    explain("Order", alternating
      ? "Each stage has a database of its own, loaded with the same rows, and instances of the service that run all the time. Runs before and after alternate, every "
        + "second pair in reverse: before, after, after, before. The two runs of a pair have the same arrivals, and a ratio is that of pairs. So what changes more slowly, such as the temperature "
        + "of the machine or the load of its neighbours, is in neither side's favour."
      : "All runs before precede all runs after, because one database is migrated in between. Everything else that changed meanwhile, such as the temperature "
        + "of the machine or the load of its neighbours, is in the ratio.");
    explain("Failures", "A request that failed has no latency and is counted apart, in the success rate. One that timed out took longer than the time "
      + "after which it was given up, and stands with that time: a percentile that falls among timeouts is a lower bound.");
    explain("Requests a second", "Answers that came within the steady part, whenever their requests were due. In an open model a service that keeps up answers what is due.");
    explain("Waiting clients", "A closed loop: one client in each region sends the next request when the one before is answered, for cities of its own region, as the published ones did. "
      + "How much it gets done follows from how fast it is answered.");
    explain("Intervals", "Runs differ by more than the requests within them tell. So each run has a figure of its own, the estimate is the geometric mean of these, and its 95% "
      + `interval comes from how their logarithms vary (Student's t; for a ratio ${alternating ? "that of the pairs' ratios" : "Welch's"}). `
      + `With fewer than ${isNumber(load.leastRuns) ? load.leastRuns : 3} runs, or where fewer saw such a request, the interval holds within these very runs only (a bootstrap over their seconds). `
      + "Beside the slowest request stand the fastest and the slowest of the runs' slowest, because this method gives no interval for a maximum.");
    explain("Home and remote", `The home region of a row is that of its city. Of the arrivals, ${isNumber(load.remoteShare) ? percent(load.remoteShare) : "some"} `
      + "ask in one region for a city of another; “remote” counts these, “home” the others.");
    explain("Load generator", "How late it was itself and how much processor time it took are recorded for each run. "
      + "Where it could not keep up, the run says so and proves nothing about the service.");
    explain("Round trips", "Between regions, messages take the configured time there and back. How many of them a statement needs "
      + "follows from where its rows and their indexes are; a cell agrees when its median is about what these take.");
    explain("Ledger", "The load generator notes each write that the service acknowledged. In the end every one of them must be in the database exactly once. "
      + "A write whose answer was lost is sent again under the same key.");
  }
})();
