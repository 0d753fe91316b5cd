"use strict";

(() => {
  const {
    list, isNumber, isInterval, significant, ratio, ratioRange, count, momentText, shortVersion,
    add, addBadge, addTerm, addScroll, addHeaderCell, addTable, addLabelled, addPairs, addEnvironment, addChart, watchCharts, addSvg,
    logarithmicTicks, tickText, addHorizontalAxis, drawMark, showTooltip, hideTooltip,
  } = charts;

  const results = JSON.parse(document.getElementById("data").textContent);
  if (!results) {
    document.getElementById("lead").textContent = "This page holds no results.";
    return;
  }

  const figures = list(results.figures);
  const staleness = list(results.staleness);
  const distances = results.distances || {};
  const ways = { direct: "direct", presence: "point of presence", near: "beside the client" };
  const signs = { "reproduced": "✓", "direction only": "↗", "no difference": "=", "not reproduced": "✗" };

  drawHeader();
  drawConclusions();
  drawPublished();
  drawStaleness();
  drawRuns();
  addEnvironment(results.environment || {}, results.command);
  addPairs("distances-table", "Round trips", [
    ["Client to database", milliseconds(distances.databaseMs)],
    ["Client to point of presence", milliseconds(distances.presenceMs)],
    ["Point of presence to database", milliseconds(distances.presenceToDatabaseMs)],
    ["A new connection to the point of presence", milliseconds(distances.openingMs)],
  ]);
  watchCharts();

  // Numbers as text

  function milliseconds(value) {
    return isNumber(value) ? `${significant(value)} ms` : "–";
  }

  function percent(share) {
    return isNumber(share) ? `${tickText(Number((100 * share).toPrecision(3)))}%` : "–";
  }

  // Header

  function drawHeader() {
    document.getElementById("lead").textContent = `A client ${milliseconds(distances.databaseMs)} away from `
      + `${shortVersion(results.environment || {})} asks it directly, through a cache ${milliseconds(distances.presenceMs)} away, `
      + "and through a cache in its own process.";
    const warnings = document.getElementById("warnings");
    if (list(results.faults).length) {
      const notice = add(warnings, "div", "notice failure", `Not everything was right: ${count(results.faults.length, "fault")}.`);
      const faults = add(notice, "ul");
      results.faults.forEach(fault => add(faults, "li", "", fault));
    }
    const facts = document.getElementById("facts");
    addTerm(facts, "Started", momentText(results.startedAt));
    addTerm(facts, "Took", `${Math.round(results.tookSeconds / 6) / 10} min`);
    addTerm(facts, "Server", shortVersion(results.environment || {}));
    addTerm(facts, "Answers are kept for", `${tickText(results.timeToLiveMs / 1000)} s`);
    addTerm(facts, "Complete", results.complete ? "yes" : "no");
  }

  function drawConclusions() {
    const target = document.getElementById("conclusions-list");
    list(results.conclusions).forEach(sentence => add(target, "li", "", sentence));
  }

  // Published

  function drawPublished() {
    const legend = document.getElementById("published-legend");
    addLegendItem(legend, "measured, with its 95% interval", "measured", d3.symbolCircle);
    addLegendItem(legend, "published", "published", d3.symbolDiamond);

    addChart(document.getElementById("published-chart"), 690, (container, width) => {
      const rowHeight = 30;
      const margin = { top: 8, right: 18, bottom: 34, left: Math.min(210, width * 0.38) };
      const height = margin.top + figures.length * rowHeight + margin.bottom;
      const values = figures.flatMap(figure => [figure.improvement.low, figure.improvement.high, ...list(figure.published).map(one => one.improvement)])
        .filter(value => value > 0);
      const scale = d3.scaleLog([Math.min(0.5, d3.min(values) / 1.2), Math.max(2, d3.max(values) * 1.2)], [margin.left, width - margin.right]);
      const svg = addSvg(container, width, height, `Improvement, measured and published, of ${count(figures.length, "figure")}`);
      addHorizontalAxis(svg, scale, logarithmicTicks(scale, 46), margin.top, height - margin.bottom, value => `${tickText(value)}×`);
      svg.append("line").attr("class", "unity").attr("x1", scale(1)).attr("x2", scale(1)).attr("y1", margin.top).attr("y2", height - margin.bottom);
      figures.forEach((figure, position) => {
        const y = margin.top + (position + 0.5) * rowHeight;
        const row = svg.append("g").attr("class", "row");
        row.append("rect").attr("class", "row-back").attr("x", 0).attr("y", y - rowHeight / 2).attr("width", width).attr("height", rowHeight);
        const [low, high] = [1 / figure.noiseFloor, figure.noiseFloor].map(value => Math.min(Math.max(value, scale.domain()[0]), scale.domain()[1])).map(scale);
        row.append("rect").attr("class", "noise").attr("x", low).attr("y", y - 8).attr("width", Math.max(0, high - low)).attr("height", 16);
        row.append("text").attr("class", "name").attr("x", 0).attr("y", y + 4).text(figure.id);
        list(figure.published).forEach(one => drawMark(row, scale, { estimate: one.improvement }, y, d3.symbolDiamond, 60, "published"));
        drawMark(row, scale, figure.improvement, y, d3.symbolCircle, 60, "measured");
        row.on("mousemove", event => showTooltip(event, [
          figure.id,
          `measured ${ratio(figure.improvement.estimate)} ${ratioRange(figure.improvement)}`,
          ...list(figure.published).map(one => `published ${ratio(one.improvement)}: ${one.verdict}`),
        ])).on("mouseleave", hideTooltip);
      });
    });

    const body = addTable(addScroll(document.getElementById("published-table"), "Measured and published"), "cards", "Measured and published", [
      ["Figure"], ["Direct", "number"], ["Cached", "number"], ["Improvement", "number"], ["Published", "number"], ["Verdict"],
    ]);
    figures.forEach(figure => list(figure.published).forEach(published => {
      const row = add(body, "tr");
      addHeaderCell(row, figure.id, "row");
      addLabelled(row, "Direct", "number", `${significant(figure.before.estimate)} ${figure.unit}`);
      addLabelled(row, "Cached", "number", `${significant(figure.after.estimate)} ${figure.unit}`);
      addLabelled(row, "Improvement", "number", `${ratio(figure.improvement.estimate)} ${isInterval(figure.improvement) ? ratioRange(figure.improvement) : ""}`);
      addLabelled(row, "Published", "number", `${ratio(published.improvement)} (${tickText(published.before)} → ${tickText(published.after)} ${published.unit})`);
      const verdict = addLabelled(row, "Verdict", "");
      addBadge(verdict, published.verdict, signs[published.verdict]).title = published.reason;
    }));
  }

  function addLegendItem(legend, text, className, shape) {
    const entry = add(legend, "li");
    const svg = d3.select(entry).append("svg").attr("width", 18).attr("height", 16).attr("aria-hidden", "true");
    svg.append("path").attr("class", `mark ${className}`).attr("transform", "translate(9,8)").attr("d", d3.symbol(shape, 60)());
    entry.append(text);
  }

  // Staleness

  function drawStaleness() {
    if (!staleness.length) {
      document.getElementById("staleness").hidden = true;
      return;
    }
    addChart(document.getElementById("staleness-chart"), 690, (container, width) => {
      const margin = { top: 14, right: 24, bottom: 48, left: 56 };
      const height = 320;
      const latencies = staleness.map(one => one.meanMs).filter(value => value > 0);
      const x = d3.scaleLog([d3.min(latencies) / 2, d3.max(latencies) * 3], [margin.left, width - margin.right]);
      const y = d3.scaleLinear([0, Math.max(0.01, d3.max(staleness, one => one.staleShare) * 1.15)], [height - margin.bottom, margin.top]);
      const svg = addSvg(container, width, height, "Mean latency against the share of stale reads, by mode");
      addHorizontalAxis(svg, x, logarithmicTicks(x, 56), margin.top, height - margin.bottom, value => `${tickText(value)} ms`);
      const axis = svg.append("g").attr("class", "axis");
      y.ticks(5).forEach(tick => {
        axis.append("line").attr("x1", margin.left).attr("x2", width - margin.right).attr("y1", y(tick)).attr("y2", y(tick));
        axis.append("text").attr("x", margin.left - 8).attr("y", y(tick) + 4).attr("text-anchor", "end").text(percent(tick));
      });
      svg.append("text").attr("x", margin.left).attr("y", height - 8).text("mean latency of a read");
      const taken = [];
      d3.sort(staleness, one => y(one.staleShare)).forEach(one => {
        const [left, top] = [x(one.meanMs), y(one.staleShare)];
        const group = svg.append("g").attr("class", "row");
        group.append("path").attr("class", "mark measured").attr("transform", `translate(${left},${top})`).attr("d", d3.symbol(d3.symbolCircle, 70)());
        let labelTop = top - 6;
        while (taken.some(([otherLeft, otherTop]) => Math.abs(otherLeft - left) < 110 && Math.abs(otherTop - labelTop) < 14)) {
          labelTop -= 14;
        }
        taken.push([left, labelTop]);
        const atRight = left > width - 150;
        group.append("text").attr("class", "name").attr("x", atRight ? left - 9 : left + 9).attr("y", labelTop)
          .attr("text-anchor", atRight ? "end" : "start").text(one.mode);
        group.on("mousemove", event => showTooltip(event, [one.mode, one.meaning, `mean ${milliseconds(one.meanMs)}, p99 ${milliseconds(one.p99Ms)}`,
          `${percent(one.staleShare)} of ${count(one.reads, "read")} stale`])).on("mouseleave", hideTooltip);
      });
    });

    const body = addTable(addScroll(document.getElementById("staleness-table"), "Staleness"), "cards", "Staleness by mode", [
      ["Mode"], ["Meaning"], ["p50", "number"], ["Mean", "number"], ["p99", "number"], ["Reads", "number"], ["Stale", "number"],
      ["Age p50", "number"], ["Age p99", "number"], ["Oldest", "number"],
    ]);
    staleness.forEach(one => {
      const row = add(body, "tr");
      addHeaderCell(row, one.mode, "row");
      addLabelled(row, "Meaning", "", one.meaning);
      addLabelled(row, "p50", "number", milliseconds(one.medianMs));
      addLabelled(row, "Mean", "number", milliseconds(one.meanMs));
      addLabelled(row, "p99", "number", milliseconds(one.p99Ms));
      addLabelled(row, "Reads", "number", d3.format(",")(one.reads));
      addLabelled(row, "Stale", "number", percent(one.staleShare));
      ["ageP50Ms", "ageP99Ms", "ageMaxMs"].forEach((key, index) =>
        addLabelled(row, ["Age p50", "Age p99", "Oldest"][index], "number", one.stale ? milliseconds(one[key]) : "–"));
    });
  }

  // Runs

  function drawRuns() {
    const body = addTable(addScroll(document.getElementById("runs-table"), "Runs"), "cards", "Runs under load", [
      ["Workload"], ["Way"], ["Clients", "number"], ["A second", "number"], ["p50", "number"], ["p99", "number"], ["Hits", "number"],
      ["Invalidations", "number"], ["Errors", "number"],
    ]);
    list(results.runs).forEach(run => {
      const row = add(body, "tr");
      addHeaderCell(row, run.workload, "row");
      addLabelled(row, "Way", "", ways[run.way] || run.way);
      addLabelled(row, "Clients", "number", run.clients);
      addLabelled(row, "A second", "number", significant(run.perSecond));
      addLabelled(row, "p50", "number", milliseconds(run.p50Ms));
      addLabelled(row, "p99", "number", milliseconds(run.p99Ms));
      addLabelled(row, "Hits", "number", percent(run.hitRate));
      addLabelled(row, "Invalidations", "number", isNumber(run.hitRate) ? d3.format(",")(run.invalidations) : "–");
      addLabelled(row, "Errors", "number", d3.format(",")(run.errors));
    });
  }
})();
