"use strict";

(() => {
  const { list, isNumber, fixed, significant, count, momentText, shortVersion, add, addScroll, addHeaderCell, addTable, addPairs,
    addBadge, addEnvironment, addChart, watchCharts, addSvg, logarithmicTicks, tickText, showTooltip, hideTooltip } = charts;
  const results = JSON.parse(document.getElementById("data").textContent);
  const calibration = results.kind === "calibration";
  const colours = ["--measured", "--before", "--published", "--good", "--part", "--bad", "--control", "--link"];

  function section(id) {
    document.getElementById(id).hidden = false;
  }

  function drawHead() {
    const environment = results.environment || {};
    document.getElementById("heading").textContent = calibration ? "Calibration of this machine" : `Workload ${results.workload}`;
    document.getElementById("lead").textContent =
      `${shortVersion(environment)}, ${environment.processor || "an unknown processor"}, ${count(environment.cores || 0, "core")}. `
      + `${significant(results.seconds)} s measured, begun ${momentText(results.startedAt)}.`;
    const notices = document.getElementById("notices");
    const notice = text => add(notices, "p", "notice", text);
    list(results.faults).forEach(fault => notice(`Wrong rows: ${fault}.`));
    if (results.overdue > 0) {
      notice(`${count(results.overdue, "operation was", "operations were")} due and never sent: the latencies are too low.`);
    }
    if (results.cost && results.cost.bottleneck) {
      notice(`This run measured the runner: ${results.cost.bottleneck}.`);
    }
    list(results.notes).forEach(notice);
  }

  function rowsTable(parent, caption, headings, rows) {
    const body = addTable(addScroll(document.getElementById(parent), caption), "", caption, headings);
    rows.forEach(([name, ...cells]) => {
      const row = add(body, "tr");
      addHeaderCell(row, name, "row");
      cells.forEach((cell, column) => add(row, "td", headings[column + 1][1] || "", isNumber(cell) ? significant(cell) : cell));
    });
    return body;
  }

  function drawOperations() {
    const headings = [["Operation"], ["Done", "number"], ["A second", "number"], ["Mean, ms", "number"], ["p50", "number"],
      ["p95", "number"], ["p99", "number"], ["p99.9", "number"], ["Max", "number"]];
    const row = (name, operation, latency) => [name, fixed(operation.count, 0), operation.perSecond, latency.meanMs, latency.p50Ms,
      latency.p95Ms, latency.p99Ms, latency.p999Ms, latency.maxMs];
    const operations = list(results.operations);
    const rows = operations.map(operation => row(operation.name, operation, operation.response));
    if (results.total && operations.length > 1) {
      rows.push(row("all", results.total, results.total.response));
    }
    if (Number(results.settings && results.settings["max-rate"]) > 0) {
      operations.forEach(operation => rows.push(row(`${operation.name}, from when it was sent`, operation, operation.service)));
    }
    rowsTable("operations-table", "Operations", headings, rows);
    const causes = operations.flatMap(operation => [
      ...Object.entries(operation.failures || {}).map(([cause, number]) => [operation.name, "failed", cause, fixed(number, 0)]),
      ...Object.entries(operation.retries || {}).map(([cause, number]) => [operation.name, "tried again", cause, fixed(number, 0)]),
    ]);
    if (causes.length) {
      rowsTable("causes-table", "Failures and retries", [["Operation"], ["What"], ["Cause"], ["Times", "number"]], causes);
    }
  }

  function drawJudgement() {
    section("judgement");
    rowsTable("expected-table", "Expected and published",
      [["Operation"], ["Measured mean, ms", "number"], ["Measured p99, ms", "number"], ["Healthy, ms"], ["Published mean, ms", "number"],
        ["Published p99, ms", "number"], ["Judgement"]],
      list(results.expectations).map(one => [one.operation, one.meanMs, one.p99Ms, `${one.lowMs} to ${one.highMs}`,
        one.publishedMeanMs, one.publishedP99Ms, one.judgement]));
    const body = addTable(addScroll(document.getElementById("layers-table"), "Layers"), "", "Layers",
      [["Layer"], ["What was measured"], ["Median, ms", "number"], ["p99, ms", "number"], ["At most, ms", "number"], ["Judgement"], ["Where to look"]]);
    list(results.layers).forEach(layer => {
      const row = add(body, "tr");
      addHeaderCell(row, layer.name, "row");
      add(row, "td", "", layer.measure);
      [layer.medianMs, layer.p99Ms, layer.limitMs].forEach(value => add(row, "td", "number", significant(value)));
      addBadge(add(row, "td"), layer.judgement);
      add(row, "td", "", layer.advice);
    });
  }

  function drawSweep() {
    const steps = list(results.sweep);
    if (!steps.length) {
      return;
    }
    section("sweep");
    document.getElementById("sweep-text").textContent = `The knee is at ${count(results.kneeConcurrency, "worker")}: `
      + "fewest that reach nine tenths of the highest throughput. More of them wait for each other.";
    const x = step => step.concurrency;
    lines("sweep-throughput", [{ name: "throughput", points: steps.map(step => [x(step), step.perSecond]) }],
      { logarithmicX: true, unit: "/s", xName: "workers", marked: results.kneeConcurrency });
    lines("sweep-latency", [
      { name: "p50", points: steps.map(step => [x(step), step.p50Ms]) },
      { name: "p99", points: steps.map(step => [x(step), step.p99Ms]) },
    ], { logarithmicX: true, logarithmicY: true, unit: " ms", xName: "workers", marked: results.kneeConcurrency });
    rowsTable("sweep-table", "Concurrency", [["Workers"], ["Operations a second", "number"], ["Mean, ms", "number"], ["p50", "number"],
      ["p95", "number"], ["p99", "number"]],
    steps.map(step => [String(step.concurrency), step.perSecond, step.meanMs, step.p50Ms, step.p95Ms, step.p99Ms]));
  }

  function drawCourse() {
    const points = list(results.timeline);
    if (points.length < 2) {
      return;
    }
    section("course");
    const names = Array.from(new Set(points.map(point => point.operation)));
    const of = value => names.map(name => ({ name,
      points: points.filter(point => point.operation === name).map(point => [point.seconds, value(point)]) }));
    lines("course-throughput", of(point => point.perSecond), { unit: "/s", xName: "s" });
    lines("course-latency", of(point => point.p99Ms), { logarithmicY: true, unit: " ms", xName: "s" });
  }

  /** Lines over a common axis, each named at its end. */
  function lines(parent, series, { logarithmicX, logarithmicY, unit, xName, marked }) {
    const shown = series
      .map(({ name, points }) => ({ name, points: points.filter(([, y]) => isNumber(y) && (!logarithmicY || y > 0)) }))
      .filter(({ points }) => points.length);
    const all = shown.flatMap(({ points }) => points);
    if (!all.length) {
      return;
    }
    addChart(document.getElementById(parent), 690, (container, width) => {
      const margin = { top: 10, right: 130, bottom: 34, left: 56 };
      const height = 240;
      const [low, high] = d3.extent(all, ([x]) => x);
      const horizontal = (logarithmicX ? d3.scaleLog() : d3.scaleLinear())
        .domain(low === high ? [low / 2 || 0, high * 2 || 1] : [low, high]).range([margin.left, width - margin.right]);
      const top = d3.max(all, ([, y]) => y) || 1;
      const vertical = (logarithmicY ? d3.scaleLog().domain([d3.min(all, ([, y]) => y) / 1.2, top * 1.2])
        : d3.scaleLinear().domain([0, top * 1.05])).range([height - margin.bottom, margin.top]);
      const svg = addSvg(container, width, height, `${shown.map(({ name }) => name).join(", ")} by ${xName}`);
      const axis = svg.append("g").attr("class", "axis");
      (logarithmicY ? logarithmicTicks(vertical, 34) : vertical.ticks(5)).forEach(tick => {
        axis.append("line").attr("x1", margin.left).attr("x2", width - margin.right).attr("y1", vertical(tick)).attr("y2", vertical(tick));
        axis.append("text").attr("x", margin.left - 8).attr("y", vertical(tick) + 4).attr("text-anchor", "end").text(tickText(tick));
      });
      const ticks = logarithmicX ? Array.from(new Set(all.map(([x]) => x))) : horizontal.ticks(6);
      ticks.forEach(tick => axis.append("text").attr("x", horizontal(tick)).attr("y", height - 14).attr("text-anchor", "middle")
        .text(tickText(tick)));
      axis.append("text").attr("x", width - margin.right + 14).attr("y", height - 14).text(xName);
      if (isNumber(marked)) {
        axis.append("line").attr("x1", horizontal(marked)).attr("x2", horizontal(marked)).attr("y1", margin.top)
          .attr("y2", height - margin.bottom).style("stroke", "var(--good)").style("stroke-dasharray", "4 3");
      }
      let free = Infinity;
      const ends = d3.sort(shown.map((one, position) => ({ ...one, colour: `var(${colours[position % colours.length]})`,
        end: vertical(one.points[one.points.length - 1][1]) })), one => -one.end);
      ends.forEach(({ name, points, colour, end }) => {
        svg.append("path").attr("d", d3.line(([x]) => horizontal(x), ([, y]) => vertical(y))(points))
          .style("fill", "none").style("stroke", colour).style("stroke-width", 2);
        points.forEach(([x, y]) => svg.append("circle").attr("cx", horizontal(x)).attr("cy", vertical(y)).attr("r", points.length > 40 ? 2 : 4)
          .style("fill", colour)
          .on("pointerenter pointermove", event => showTooltip(event, [name, `${tickText(x)} ${xName}: ${significant(y)}${unit}`]))
          .on("pointerleave", hideTooltip));
        // Names of lines that end side by side are moved apart.
        free = Math.min(end, free - 15);
        svg.append("text").attr("x", width - margin.right + 10).attr("y", free + 4).style("fill", colour).text(name);
      });
    });
  }

  function drawEnvironment() {
    addEnvironment(results.environment || {}, results.command);
    addPairs("workload-table", "Workload", Object.entries(results.settings || {}));
    const cost = results.cost || {};
    addPairs("cost-table", "The runner itself", [
      ["Processor time", isNumber(cost.processorShare) ? `${significant(100 * cost.processorShare)}% of all cores` : null],
      ["Workers' time in the runner", isNumber(cost.ownShare) ? `${significant(100 * cost.ownShare)}%` : null],
      ["Threads woke up late, p99", isNumber(cost.lagMsP99) ? `${significant(cost.lagMsP99)} ms` : null],
      ["Garbage collection", isNumber(cost.collectionSeconds) ? `${significant(cost.collectionSeconds)} s` : null],
    ]);
  }

  drawHead();
  drawOperations();
  if (calibration) {
    drawJudgement();
  }
  drawSweep();
  drawCourse();
  drawEnvironment();
  watchCharts();
})();
