"use strict";

(() => {
  const {
    list, isNumber, isInterval, hasEnds, decimalsFor, fixed, significant, ratio, range, ratioRange, ratioWithRange, count, momentText,
    shortVersion, joinWords, add, addLink, addBadge, addTerm, addScroll, addHeaderCell, addTable, addLabelled, addPair, addPairs, addEnvironment,
    addPre, addChart, watchCharts, addSvg, logarithmicTicks, tickText, addHorizontalAxis, drawMark, dotPath, showTooltip, hideTooltip,
  } = charts;

  const results = JSON.parse(document.getElementById("data").textContent);
  if (!results) {
    document.getElementById("lead").textContent = "This page holds no results.";
    return;
  }

  const unit = results.unit;
  const traffic = results.traffic;
  // Traffic is judged by figures of its own, which have intervals where experiments have samples.
  const figures = traffic ? list(traffic.figures).map(figure => ({ ...figure, status: "measured", isFigure: true })) : [];
  const measuredHere = list(results.experiments);
  const experiments = [...measuredHere, ...figures];
  const sourcesOf = some => [...new Set(some.flatMap(experiment => list(experiment.published)).map(one => one.source))];
  const sources = sourcesOf(experiments);
  const columnSources = figures.length && sourcesOf(measuredHere).length ? sourcesOf(measuredHere) : sources;
  /** Marks of what was published lie below each other, as many as one experiment has. */
  const lanes = Math.max(1, ...experiments.map(experiment => sourcesOf([experiment]).length));
  const sourceShapes = [d3.symbolDiamond, d3.symbolTriangle, d3.symbolSquare, d3.symbolWye, d3.symbolStar];
  const sides = [
    { key: "before", name: "Before" },
    { key: "control", name: "Control" },
    { key: "after", name: "After" },
  ];
  const verdicts = {
    "reproduced": { sign: "✓", means: "a real difference in the published direction and of about the published size" },
    "direction only": { sign: "↗", means: "a real difference in the published direction, of another size" },
    "no difference": { sign: "=", means: "no difference between before and after was shown" },
    "not reproduced": { sign: "✗", means: "a real difference in the opposite direction" },
    "not judged": { sign: "?", means: "too few runs at a stage to tell by how much runs differ" },
    "failed": { sign: "!", means: "the answer or the plan was wrong, so nothing is concluded" },
  };
  const weakMeaning = "the published figure is a single run on at least one side";
  const checkSigns = { ok: "✓", warning: "!", problem: "✗", unknown: "?" };

  drawHeader();
  drawSummary();
  drawComparison();
  drawGrowth();
  experiments.forEach(drawExperiment);
  drawEnvironment();
  drawMethod();
  watchCharts();

  // Values

  function isFailed(experiment) {
    return experiment.status !== "measured";
  }

  function samplesOf(side) {
    return side ? list(side.samplesMs).filter(isNumber) : [];
  }

  /** What a measured ratio is held against: the ratio of published medians, otherwise the printed ratio. */
  function targetOf(published) {
    if (isInterval(published.medians)) {
      return published.medians;
    }
    return isNumber(published.improvement) && published.improvement > 0 ? { estimate: published.improvement } : null;
  }

  // Numbers as text

  function pValueText(value) {
    if (!isNumber(value)) {
      return "–";
    }
    return value < 0.001 ? "p < 0.001" : `p = ${fixed(value, value < 0.01 ? 3 : 2)}`;
  }

  function unitsText(value) {
    return `${significant(value)} units`;
  }

  function milliseconds(value) {
    return isNumber(value) ? `${significant(value)} ms` : "–";
  }

  /** One unit for both medians of a row, so that they can be compared at a glance. */
  function latencyUnit(values) {
    const known = values.filter(isNumber);
    if (known.length && d3.max(known) < 0.1) {
      return { name: "µs", factor: 1000 };
    }
    if (known.length && d3.min(known) >= 1000) {
      return { name: "s", factor: 0.001 };
    }
    return { name: "ms", factor: 1 };
  }

  function medianOf(side) {
    if (!side) {
      return null;
    }
    if (side.medianMs && isNumber(side.medianMs.estimate)) {
      return side.medianMs.estimate;
    }
    return side.latencyMs && isNumber(side.latencyMs.median) ? side.latencyMs.median : null;
  }

  /** Published figures are shown as they were printed, not rounded again. */
  function publishedFigure(value, unit) {
    const spaced = unit === "%" || !unit ? unit || "" : ` ${unit}`;
    return isNumber(value) ? `${d3.format(",.8~r")(value)}${spaced}` : "–";
  }

  function printedRatio(published) {
    return isNumber(published.improvement) ? `${fixed(published.improvement, 2)}×` : "–";
  }

  function durationText(seconds) {
    if (!isNumber(seconds)) {
      return "–";
    }
    if (seconds < 120) {
      return `${significant(seconds, 2)} s`;
    }
    const whole = Math.round(seconds);
    return whole < 7200
      ? `${Math.floor(whole / 60)} min ${whole % 60} s`
      : `${Math.floor(whole / 3600)} h ${Math.round((whole % 3600) / 60)} min`;
  }

  // Elements: data becomes text nodes only, never markup.

  function addFileLink(parent, text, file) {
    if (!file) {
      return null;
    }
    return addLink(parent, text, `./${String(file).split("/").map(encodeURIComponent).join("/")}`);
  }

  function addTrafficLink(parent, text) {
    return addLink(parent, text, `${String(traffic.bundle).split("/").map(encodeURIComponent).join("/")}/report.html`);
  }

  function addVerdict(parent, verdict) {
    const known = verdicts[verdict];
    const badge = addBadge(parent, verdict, known && known.sign);
    if (known) {
      badge.title = known.means;
    }
  }

  function addWeak(parent) {
    add(parent, "span", "weak", "weak evidence").title = weakMeaning;
  }

  // Header

  function drawHeader() {
    const environment = results.environment || {};
    const dataset = results.dataset || {};
    const measured = experiments.filter(experiment => !isFailed(experiment));
    const comparisons = measured.flatMap(experiment => list(experiment.published));
    const failures = experiments.length - measured.length;

    const measuredWords = failures
      ? `${measured.length} of ${count(experiments.length, "experiment")} ${measured.length === 1 ? "was" : "were"} measured on ${shortVersion(environment)} and ${failures} failed`
      : `${count(measured.length, "experiment")} ${measured.length === 1 ? "was" : "were"} measured on ${shortVersion(environment)}`;
    const tallies = ["reproduced", "direction only", "no difference", "not reproduced", "not judged"]
      .map(verdict => [comparisons.filter(one => one.verdict === verdict).length, verdict])
      .filter(([number]) => number > 0)
      .map(([number, verdict]) => `${number} ${verdict}`);
    const weak = comparisons.filter(one => one.weakEvidence).length;
    const answers = list(results.headlines);
    document.getElementById("lead").textContent = tallies.length
      ? `${measuredWords}; verdicts beside ${count(comparisons.length, "published ratio")}: ${joinWords(tallies)}`
        + `${weak ? ` (${weak} on weak evidence)` : ""}.`
      : answers.length && !failures ? "" : `${measuredWords}.`;
    const lead = document.getElementById("lead");
    lead.textContent = [...answers, lead.textContent].filter(Boolean).join(" ");

    if (results.complete === false) {
      const notice = document.getElementById("incomplete");
      notice.hidden = false;
      notice.textContent = "This run is incomplete: not every experiment that was asked for was measured and passed its checks.";
    }

    const facts = document.getElementById("facts");
    const rides = dataset.rows && dataset.rows.rides;
    addTerm(facts, "Started", momentText(results.startedAt));
    addTerm(facts, "Took", durationText(results.tookSeconds));
    addTerm(facts, "Server", shortVersion(environment));
    addTerm(facts, "Cores", isNumber(environment.cores) ? String(environment.cores) : "–");
    if (isNumber(rides)) {
      addTerm(facts, "Scale", dataset.scale || "–");
      addTerm(facts, "Rides", d3.format(",")(rides));
    }
  }

  // Summary

  function drawSummary() {
    if (unit) {
      add(document.getElementById("summary-notes"), "p", "", unit.meaning);
    }
    if (traffic) {
      const notes = add(document.getElementById("summary-notes"), "p", "", "Of multi-region-* before and after are no medians: "
        + "they are requests answered a second by clients that wait, where more is better, and the 99th percentile of the latency "
        + `since a request was due, at stage ${traffic.before} and at stage ${traffic.after}. The `);
      addTrafficLink(notes, "report of that traffic");
      notes.append(traffic.complete ? " holds all about it." : " says what was not measured whole.");
    }
    const headings = [
      ["Experiment"], ["Before", "number"], ["After", "number"], ["Improvement", "number"],
      ["Noise floor", "number"], ...columnSources.map(source => [`Published in ${source}`]),
    ];
    const scroll = addScroll(document.getElementById("summary-table"), "Summary of the experiments");
    const body = addTable(scroll, "summary cards", "Summary of the experiments", headings);

    experiments.forEach(experiment => {
      const row = add(body, "tr");
      const name = addHeaderCell(row, null, "row");
      addLink(name, experiment.id, `#${sectionId(experiment)}`);
      add(name, "span", "sub", experiment.title);

      if (isFailed(experiment)) {
        const cell = add(row, "td");
        cell.colSpan = headings.length - 1;
        addVerdict(cell, "failed");
        add(cell, "span", "", experiment.failure || "No reason was recorded.");
        return;
      }

      const values = experiment.isFigure
        ? [experiment.before.estimate, experiment.after.estimate]
        : [medianOf(experiment.before), medianOf(experiment.after)];
      const scale = experiment.isFigure ? { name: experiment.unit, factor: 1 } : latencyUnit(values);
      [["Before", experiment.before], ["After", experiment.after]].forEach(([name, side], position) => {
        const cell = addLabelled(row, name, "number");
        add(cell, "span", "", isNumber(values[position]) ? `${significant(values[position] * scale.factor)} ${scale.name}` : "–");
        if (isNumber(side.medianUnits)) {
          add(cell, "span", "sub", unitsText(side.medianUnits));
        }
      });
      const improvement = addLabelled(row, "Improvement", "number");
      if (isInterval(experiment.improvement)) {
        add(improvement, "span", "strong", ratio(experiment.improvement.estimate));
        add(improvement, "span", "sub", ratioRange(experiment.improvement));
        if (!list(experiment.published).length) {
          add(improvement, "span", "sub", outcome(experiment));
        }
      } else {
        improvement.textContent = "–";
      }
      addLabelled(row, "Noise floor", "number", ratio(experiment.noiseFloor));
      if (experiment.isFigure && columnSources !== sources) {
        const cell = addPublishedCell(row, sourcesOf([experiment]).join(", "), list(experiment.published));
        cell.parentElement.colSpan = columnSources.length;
        add(cell, "span", "sub", `published in ${sourcesOf([experiment]).join(", ")}`);
        return;
      }
      columnSources.forEach(source => addPublishedCell(row, source, list(experiment.published).filter(one => one.source === source)));
    });

    const key = document.getElementById("badge-key");
    const shown = new Set(experiments.flatMap(experiment => list(experiment.published)).map(one => one.verdict));
    const compared = shown.size > 0;
    const explained = verdict => verdict === "failed" ? experiments.some(isFailed) : (verdict === "not judged" ? shown.has(verdict) : compared);
    key.hidden = !compared && !experiments.some(isFailed);
    Object.entries(verdicts).filter(([verdict]) => explained(verdict)).forEach(([verdict, { means }]) => {
      addVerdict(add(key, "dt"), verdict);
      add(key, "dd", "", means);
    });
    if (compared) {
      addWeak(add(key, "dt"));
      add(key, "dd", "", weakMeaning);
    }
  }

  // Of an experiment that nothing published is compared with.
  function outcome(experiment) {
    return !experiment.different ? "no difference was shown"
      : experiment.improvement.estimate > 1 ? "after is faster" : "after is slower";
  }

  function addPublishedCell(row, source, published) {
    const cell = addLabelled(row, source, "verdict", published.length ? null : "–");
    published.forEach(one => {
      const line = add(cell, "div");
      if (isInterval(one.medians)) {
        add(line, "span", "strong", ratio(one.medians.estimate));
        line.append(" of medians, ");
        add(line, "span", "nowrap", `${printedRatio(one)} printed`);
      } else {
        add(line, "span", "strong", printedRatio(one));
        line.append(" printed");
      }
      const judged = add(cell, "div");
      if (one.verdict) {
        addVerdict(judged, one.verdict);
      }
      if (one.weakEvidence) {
        addWeak(judged);
      }
    });
    return cell;
  }

  function sectionId(experiment) {
    return `experiment-${experiment.id}`;
  }

  // Measured beside published

  function drawComparison() {
    if (!sources.length) {
      document.getElementById("comparison-heading").textContent = "Improvements";
    }
    drawComparisonLegend();
    addChart(document.getElementById("comparison-chart"), 700, (container, width) => {
      const narrow = width < 640;
      const rowHeight = 30 + 12 * lanes + (narrow ? 16 : 0);
      const margin = { top: 30, right: 18, bottom: 26, left: narrow ? 10 : 170 };
      const height = margin.top + rowHeight * experiments.length + margin.bottom;
      const values = [0.8, 1.25];
      experiments.forEach(experiment => {
        [experiment.improvement, ...list(experiment.published).map(targetOf)].filter(isInterval).forEach(interval => {
          values.push(interval.estimate);
          if (hasEnds(interval)) {
            values.push(interval.low, interval.high);
          }
        });
        if (!isFailed(experiment) && experiment.noiseFloor >= 1) {
          values.push(experiment.noiseFloor, 1 / experiment.noiseFloor);
        }
      });
      const scale = d3.scaleLog()
        .domain([d3.min(values) / 1.12, d3.max(values) * 1.12])
        .range([margin.left, width - margin.right]);
      const svg = addSvg(container, width, height,
        `${sources.length ? "Measured and published improvement" : "Measured improvement"} of ${count(experiments.length, "experiment")} on a logarithmic axis; the tables hold the same numbers`);

      const backs = svg.append("g");
      const ticks = logarithmicTicks(scale, 62);
      addHorizontalAxis(svg, scale, ticks, margin.top, height - margin.bottom, tick => `${tickText(tick)}×`);
      const unity = scale(1);
      if (unity - margin.left > 75) {
        svg.append("text").attr("x", unity - 10).attr("y", 14).attr("text-anchor", "end").text("← after is slower");
      }
      svg.append("text").attr("x", unity + 10).attr("y", 14).text("after is faster →");

      svg.append("line").attr("class", "unity")
        .attr("x1", unity).attr("x2", unity).attr("y1", margin.top - 8).attr("y2", height - margin.bottom);

      const rows = svg.append("g");
      experiments.forEach((experiment, position) => {
        const top = margin.top + position * rowHeight;
        drawComparisonRow(rows.append("g").attr("class", "row"), experiment,
          { top, rowHeight, width, margin, narrow, scale });
        backs.append("line").attr("class", "row-line")
          .attr("x1", 0).attr("x2", width).attr("y1", top).attr("y2", top);
      });
    });
  }

  function drawComparisonRow(row, experiment, { top, rowHeight, width, margin, narrow, scale }) {
    row.append("rect").attr("class", "row-back")
      .attr("x", 0).attr("y", top + 1).attr("width", width).attr("height", rowHeight - 1);
    const failed = isFailed(experiment);
    const lanesTop = top + (narrow ? 16 : 0);
    const lanesHeight = rowHeight - (narrow ? 16 : 0);

    if (!failed && experiment.noiseFloor >= 1) {
      const start = scale(1 / experiment.noiseFloor);
      row.append("rect").attr("class", "noise")
        .attr("x", start).attr("width", Math.max(2, scale(experiment.noiseFloor) - start))
        .attr("y", lanesTop + 4).attr("height", lanesHeight - 7);
    }
    const name = row.append("text").attr("class", "name").attr("x", narrow ? 2 : 0)
      .attr("y", narrow ? top + 16 : top + rowHeight / 2 + 4).text(experiment.id);
    if (failed) {
      if (narrow) {
        name.append("tspan").attr("dx", 8).style("font-weight", 400).text("failed");
      } else {
        name.attr("y", top + rowHeight / 2 - 3);
        row.append("text").attr("x", 0).attr("y", top + rowHeight / 2 + 14).text("failed");
      }
    }

    const lane = number => lanesTop + 15 + number * ((lanesHeight - 28) / lanes);
    const published = sourcesOf([experiment]);
    sources.forEach((source, position) => {
      list(experiment.published).filter(one => one.source === source).forEach(one => {
        const target = targetOf(one);
        if (target) {
          drawMark(row, scale, target, lane(published.indexOf(source) + 1), sourceShapes[position % sourceShapes.length], 58,
            isInterval(one.medians) ? "published" : "published printed");
        }
      });
    });
    if (!failed && isInterval(experiment.improvement)) {
      drawMark(row, scale, experiment.improvement, lane(0), d3.symbolCircle, 80, "measured");
    }
    row.on("pointermove", event => showTooltip(event, comparisonLines(experiment)))
      .on("pointerleave", hideTooltip);
  }

  function comparisonLines(experiment) {
    const lines = [experiment.id];
    if (isFailed(experiment)) {
      lines.push(`failed: ${experiment.failure || "no reason was recorded"}`);
    } else {
      lines.push(`measured ${ratioWithRange(experiment.improvement)}`, `noise floor ${ratio(experiment.noiseFloor)}`);
    }
    list(experiment.published).forEach(one => {
      const value = isInterval(one.medians)
        ? `${ratioWithRange(one.medians)} of medians, ${printedRatio(one)} printed`
        : `${printedRatio(one)} printed`;
      const judged = !isFailed(experiment) && one.verdict ? `: ${one.verdict}${one.weakEvidence ? ", weak evidence" : ""}` : "";
      lines.push(`${one.source} ${value}${judged}`);
    });
    return lines;
  }

  function drawComparisonLegend() {
    const legend = document.getElementById("comparison-legend");
    const item = (text, draw) => {
      const entry = add(legend, "li");
      const svg = d3.select(entry).append("svg").attr("width", 30).attr("height", 16).attr("aria-hidden", "true");
      draw(svg);
      entry.append(text);
    };
    const scale = d3.scaleLinear().range([3, 27]);
    const middle = { estimate: 0.5, low: 0.0001, high: 1 };
    item("measured, 95% interval", svg => drawMark(svg, scale, middle, 8, d3.symbolCircle, 80, "measured"));
    const published = experiments.flatMap(experiment => list(experiment.published));
    sources.forEach((source, position) => {
      const shape = sourceShapes[position % sourceShapes.length];
      const ofSource = published.filter(one => one.source === source);
      if (ofSource.some(one => isInterval(one.medians))) {
        item(`${source}: ratio of medians, 95% interval`, svg => drawMark(svg, scale, middle, 8, shape, 58, "published"));
      }
      if (ofSource.some(one => !isInterval(one.medians))) {
        item(`${source}: printed ratio only`, svg => drawMark(svg, scale, { estimate: 0.5 }, 8, shape, 58, "published printed"));
      }
    });
    item("noise floor of the row", svg => svg.append("rect").attr("class", "noise")
      .attr("x", 8).attr("y", 0).attr("width", 14).attr("height", 16));
  }

  // Growth

  function drawGrowth() {
    const growth = list(results.growth);
    document.getElementById("growth").hidden = !growth.length;
    growth.forEach(one => {
      const parent = document.getElementById("growth-sections");
      add(parent, "h3", "", one.experiment);
      const points = list(one.points).filter(point => isInterval(point.beforeMs) && isInterval(point.afterMs));
      if (points.length > 1) {
        const figure = add(parent, "figure");
        addChart(add(figure, "div", "chart"), 640, (container, width) => drawGrowthChart(container, width, one.experiment, points));
        add(figure, "figcaption", "", "Median latency in ms by multiple of the rows, both logarithmic, with 95% intervals that are wider than a mark.");
      }
      drawGrowthTable(parent, one);
    });
  }

  function drawGrowthChart(container, width, name, points) {
    const margin = { top: 12, right: 70, bottom: 42, left: 56 };
    const height = 300;
    const ends = points.flatMap(point => [point.beforeMs, point.afterMs])
      .flatMap(interval => hasEnds(interval) ? [interval.low, interval.high] : [interval.estimate]);
    const scales = points.map(point => point.scale);
    const x = d3.scaleLog().domain([d3.min(scales), d3.max(scales)]).range([margin.left + 12, width - margin.right - 12]);
    const y = d3.scaleLog().domain([d3.min(ends) / 1.3, d3.max(ends) * 1.3]).range([height - margin.bottom, margin.top]);
    const svg = addSvg(container, width, height, `Latency of ${name} by multiple of the rows; the table below holds the same numbers`);

    const axis = svg.append("g").attr("class", "axis");
    logarithmicTicks(y, 26).forEach(tick => {
      axis.append("line").attr("x1", margin.left).attr("x2", width - margin.right).attr("y1", y(tick)).attr("y2", y(tick));
      axis.append("text").attr("x", margin.left - 7).attr("y", y(tick) + 4).attr("text-anchor", "end").text(tickText(tick));
    });
    scales.forEach(scale => {
      axis.append("text").attr("x", x(scale)).attr("y", height - margin.bottom + 18).attr("text-anchor", "middle").text(`× ${tickText(scale)}`);
    });

    // From where before begins as far as the chart reaches: the slope of what grows as the rows do.
    const from = points[0];
    const most = Math.min(d3.max(scales), from.scale * y.domain()[1] / from.beforeMs.estimate);
    svg.append("line").attr("class", "proportional")
      .attr("x1", x(from.scale)).attr("y1", y(from.beforeMs.estimate))
      .attr("x2", x(most)).attr("y2", y(from.beforeMs.estimate * most / from.scale));

    [["after", "afterMs"], ["before", "beforeMs"]].forEach(([side, key]) => {
      svg.append("path").attr("class", `growth-line ${side}`)
        .attr("d", d3.line(point => x(point.scale), point => y(point[key].estimate))(points));
      points.forEach(point => {
        const interval = point[key];
        if (hasEnds(interval) && y(interval.low) - y(interval.high) > 10) {
          svg.append("line").attr("class", `growth-line ${side}`)
            .attr("x1", x(point.scale)).attr("x2", x(point.scale)).attr("y1", y(interval.low)).attr("y2", y(interval.high));
        }
        svg.append("circle").attr("class", `growth-mark ${side}`).attr("r", 4.5)
          .attr("cx", x(point.scale)).attr("cy", y(interval.estimate))
          .on("pointermove", event => showTooltip(event, [`${side}, × ${tickText(point.scale)}`, milliseconds(interval.estimate)]))
          .on("pointerleave", hideTooltip);
      });
      const last = points[points.length - 1];
      svg.append("text").attr("class", "name").attr("x", x(last.scale) + 12).attr("y", y(last[key].estimate) + 4).text(side);
    });
  }

  function drawGrowthTable(parent, growth) {
    const body = addTable(addScroll(parent, `Growth of ${growth.experiment}`), "cards", `Growth of ${growth.experiment}`, [
      ["Rows"], ["Before", "number"], ["After", "number"], ["Improvement", "number"], ["Result"],
    ]);
    const interval = value => isInterval(value)
      ? `${significant(value.estimate)} ${range(value, decimalsFor(value.estimate))} ms` : "–";
    list(growth.points).forEach(point => {
      const experiment = measuredHere.find(one => one.id === point.experiment) || {};
      const row = add(body, "tr");
      const name = addHeaderCell(row, null, "row");
      addLink(name, `× ${tickText(point.scale)}`, `#experiment-${point.experiment}`);
      if (experiment.rows) {
        add(name, "span", "sub", Object.entries(experiment.rows).map(([table, rows]) => `${table} ${d3.format(",")(rows)}`).join(", "));
      }
      addLabelled(row, "Before", "number", interval(point.beforeMs));
      addLabelled(row, "After", "number", interval(point.afterMs));
      addLabelled(row, "Improvement", "number", ratioWithRange(point.improvement));
      addLabelled(row, "Result", "", isInterval(point.improvement) ? outcome(experiment)
        : `failed: ${(experiment.failure || "").split("\n")[0]}`);
    });
  }

  // Experiments

  function drawExperiment(experiment) {
    const article = add(document.getElementById("experiment-sections"), "article", "experiment");
    article.id = sectionId(experiment);
    const heading = add(article, "h3", "", experiment.title || experiment.id);
    heading.id = `${article.id}-heading`;
    article.setAttribute("aria-labelledby", heading.id);
    const identity = add(article, "p", "identity", `${experiment.id} · `);
    addLink(identity, "summary", "#summary");

    if (isFailed(experiment)) {
      const notice = add(article, "p", "notice failure");
      addVerdict(notice, "failed");
      notice.append(experiment.failure || "No reason was recorded.");
    }
    if (experiment.lesson) {
      add(article, "p", "", experiment.lesson);
    }
    if (list(experiment.notes).length) {
      const notes = add(article, "ul", "notes");
      experiment.notes.forEach(note => add(notes, "li", "", note));
    }
    if (experiment.rows) {
      add(article, "p", "muted small", `Rows: ${Object.entries(experiment.rows)
        .map(([table, rows]) => `${table} ${d3.format(",")(rows)}`).join(", ")}`);
    }

    if (experiment.isFigure) {
      drawFigure(article, experiment);
      return;
    }
    drawSamples(article, experiment);
    drawStatistics(article, experiment);
    drawVerdicts(article, experiment);
    drawParameterRows(article, experiment);
    list(results.prices).filter(price => price.experiment === experiment.id).forEach(price => drawPrice(article, price));
    drawSides(article, experiment);
  }

  /** What each row of parameters measured, where these differ in kind. */
  function drawParameterRows(article, experiment) {
    const measured = list(experiment.byParameters);
    if (!measured.length) {
      return;
    }
    add(article, "h4", "", "By row of parameters");
    add(article, "p", "muted small", "The rows of parameters differ in kind, therefore the improvement above is the geometric mean of theirs.");
    const title = `${experiment.id} by row of parameters`;
    const body = addTable(addScroll(article, title), "cards", title, [
      ["Parameters"], ["Before", "number"], ["After", "number"], ["Improvement", "number"],
    ]);
    measured.forEach(one => {
      const row = add(body, "tr");
      addHeaderCell(row, one.parameters, "row");
      addLabelled(row, "Before", "number", milliseconds(one.beforeMs.estimate));
      addLabelled(row, "After", "number", milliseconds(one.afterMs.estimate));
      addLabelled(row, "Improvement", "number", ratioWithRange(one.improvement));
    });
  }

  /** What the change costs: sizes, time to build, and writes, which are measured as experiments are. */
  function drawPrice(article, price) {
    add(article, "h4", "", "Price of the change");
    const body = addTable(addScroll(article, `Price of ${price.experiment}`), "cards", `Price of ${price.experiment}`, [
      ["What"], ["Before", "number"], ["After", "number"], ["Improvement", "number"], ["Noise floor", "number"], ["Result"],
    ]);
    const addRow = (what, before, after, improvement = "", noise = "", result = "") => {
      const row = add(body, "tr");
      const name = addHeaderCell(row, what, "row");
      addLabelled(row, "Before", "number", before);
      addLabelled(row, "After", "number", after);
      addLabelled(row, "Improvement", "number", improvement);
      addLabelled(row, "Noise floor", "number", noise);
      addLabelled(row, "Result", "", result);
      return name;
    };
    list(price.tables).forEach(size => {
      addRow(`Size of ${size.table}, with its indexes`, bytesText(size.beforeBytes), bytesText(size.afterBytes));
      addRow(`Indexes of ${size.table}`, bytesText(size.beforeIndexBytes), bytesText(size.afterIndexBytes));
    });
    addRow("Time to build", durationText(price.beforeBuildSeconds), durationText(price.afterBuildSeconds));
    list(price.writes).forEach(write => {
      const measured = write.measured;
      const failed = isFailed(measured);
      const bound = isNumber(write.maxSlowdownPercent) ? `may become ${write.maxSlowdownPercent}% slower` : "";
      const name = failed
        ? addRow(write.name, "–", "–", "–", "–", `failed: ${measured.failure}`)
        : addRow(write.name, milliseconds(medianOf(measured.before)), milliseconds(medianOf(measured.after)),
          ratioWithRange(measured.improvement), ratio(measured.noiseFloor), [outcome(measured), bound].filter(Boolean).join("; "));
      if (!failed) {
        add(name, "span", "sub", list(measured.before.statements).join(";\n"));
        addFileLink(name, "samples", measured.before.rawFile);
      }
      const [costBefore, costAfter] = [write.beforeCost, write.afterCost];
      if (costBefore && costAfter) {
        addRow(`Write-ahead log of ${write.name}`, `${count(costBefore.walBytes, "byte")}`, `${count(costAfter.walBytes, "byte")}`);
        if (isNumber(costBefore.hotPercent) && isNumber(costAfter.hotPercent)) {
          addRow(`Heap-only (HOT) part of ${write.name}`, `${fixed(costBefore.hotPercent, 0)}%`, `${fixed(costAfter.hotPercent, 0)}%`);
        }
      }
    });
    list(price.notMeasured).forEach(line => add(article, "p", "muted small", `Not measured: ${line}`));
  }

  function bytesText(bytes) {
    if (!isNumber(bytes)) {
      return "–";
    }
    return bytes < 1024 * 1024 ? `${d3.format(",.1f")(bytes / 1024)} kB` : `${d3.format(",.1f")(bytes / 1024 / 1024)} MB`;
  }

  function drawFigure(article, figure) {
    const withUnit = interval => isInterval(interval)
      ? `${significant(interval.estimate)} ${range(interval, decimalsFor(interval.estimate))} ${figure.unit}`
      : "–";
    const outcome = add(article, "dl", "outcome");
    addTerm(outcome, `${figure.metric}, before (${traffic.before})`, withUnit(figure.before));
    addTerm(outcome, `${figure.metric}, after (${traffic.after})`, withUnit(figure.after));
    addTerm(outcome, "Improvement", ratioWithRange(figure.improvement));
    addTerm(outcome, "Runs at one stage differ by up to", ratio(figure.noiseFloor));
    addTerm(outcome, "Before and after differ", figure.different ? "yes"
      : isNumber(figure.noiseFloor) ? "no difference was shown" : "not judged: too few runs");
    if (isNumber(figure.pAdjusted)) {
      addTerm(outcome, "p of the t-test over the runs, adjusted", pValueText(figure.pAdjusted));
    }
    drawVerdicts(article, figure);
    addTrafficLink(add(article, "p", ""), "The report of this traffic, with its latencies by region and operation");
  }

  /** What the plots of one experiment share: the sides that have samples, and one latency domain for all of them. */
  function samplePlan(experiment) {
    const shown = sides
      .map(side => ({ ...side, samples: samplesOf(experiment[side.key]), data: experiment[side.key] }))
      .filter(side => side.samples.length);
    if (!shown.length) {
      return null;
    }
    const sorted = shown.map(side => d3.sort(side.samples));
    const lowest = d3.min(sorted, samples => samples[0]);
    const highest = d3.max(sorted, samples => samples[samples.length - 1]);
    // Rare outliers must not squash the rest: past this they are drawn at the edge and counted.
    const bound = Math.min(highest, 1.15 * d3.max(sorted, samples => d3.quantileSorted(samples, 0.99)));
    const logarithmic = lowest > 0 && bound / lowest > 6;
    const padding = (bound - lowest || Math.abs(bound) || 1) * 0.04;
    const domain = logarithmic
      ? [lowest / 1.06, bound * 1.06]
      : [Math.max(0, lowest - padding), bound + padding];
    return { shown, logarithmic, domain, bound };
  }

  function latencyScale(plan) {
    return (plan.logarithmic ? d3.scaleLog() : d3.scaleLinear()).domain(plan.domain);
  }

  function latencyTicks(plan, scale, room) {
    const [start, end] = scale.range();
    return plan.logarithmic
      ? logarithmicTicks(scale, room)
      : scale.ticks(Math.max(2, Math.floor(Math.abs(end - start) / (room * 1.4))));
  }

  function drawSamples(article, experiment) {
    const plan = samplePlan(experiment);
    if (!plan) {
      return;
    }
    const plots = add(article, "div", "plots");
    const axis = plan.logarithmic ? "ms, logarithmic" : "ms";

    const distribution = add(plots, "figure");
    addChart(add(distribution, "div", "chart"), 400, (container, width) => drawDistribution(container, width, experiment, plan));
    add(distribution, "figcaption", "", `Latency in ${axis}. A dot is a sample, spread wider where samples are dense; the line is the median, `
      + "the shade behind it its 95% interval, the bracket the middle half. Chevrons count samples beyond the axis.");

    const course = add(plots, "figure");
    addChart(add(course, "div", "chart"), 270, (container, width) => drawCourse(container, width, experiment, plan));
    add(course, "figcaption", "", `The same samples in the order of measuring; latency in ${axis}.`);
  }

  function drawDistribution(container, width, experiment, plan) {
    const narrow = width < 460;
    const margin = { top: 4, right: 16, bottom: 24, left: narrow ? 6 : 104 };
    const labelHeight = narrow ? 20 : 0;
    const rowHeight = 62 + labelHeight;
    const height = margin.top + rowHeight * plan.shown.length + margin.bottom;
    const scale = latencyScale(plan).range([margin.left, width - margin.right]);
    const medians = plan.shown.map(side => `${side.name.toLowerCase()} ${milliseconds(medianOf(side.data))}`);
    const svg = addSvg(container, width, height, `Distribution of latencies of ${experiment.id}; medians: ${medians.join(", ")}`);
    addHorizontalAxis(svg, scale, latencyTicks(plan, scale, 40), margin.top, height - margin.bottom, tickText);

    plan.shown.forEach((side, position) => {
      const top = margin.top + position * rowHeight + labelHeight;
      const middle = top + 31;
      const row = svg.append("g");
      if (position) {
        row.append("line").attr("class", "row-line").attr("x1", 0).attr("x2", width)
          .attr("y1", top - labelHeight).attr("y2", top - labelHeight);
      }
      const median = medianOf(side.data);
      const name = row.append("text").attr("class", "name").attr("x", 0).attr("y", narrow ? top - 4 : middle - 3).text(side.name);
      if (narrow) {
        name.append("tspan").attr("dx", 8).style("font-weight", 400).text(milliseconds(median));
      } else {
        row.append("text").attr("x", 0).attr("y", middle + 14).text(milliseconds(median));
      }

      const inside = side.samples.filter(sample => sample <= plan.bound);
      row.append("path").attr("class", `dots ${side.key}`).attr("d", dotPath(spread(inside, scale, middle, 25)));

      const sorted = d3.sort(side.samples);
      const quartiles = [0.25, 0.75].map(share => scale(d3.quantileSorted(sorted, share)));
      row.append("path").attr("class", "quartiles").attr("fill", "none")
        .attr("d", `M${quartiles[0]},${middle + 24}v4H${quartiles[1]}v-4`);
      const interval = side.data.medianMs;
      if (interval && isInterval(interval) && hasEnds(interval)) {
        row.append("rect").attr("class", "median-interval").attr("x", scale(interval.low)).attr("y", middle - 25)
          .attr("width", Math.max(1, scale(interval.high) - scale(interval.low))).attr("height", 50);
      }
      if (isNumber(median)) {
        row.append("line").attr("class", "median").attr("x1", scale(median)).attr("x2", scale(median))
          .attr("y1", middle - 27).attr("y2", middle + 27);
      }

      const beyond = side.samples.length - inside.length;
      if (beyond) {
        const edge = width - 7;
        row.append("path").attr("class", `beyond ${side.key}`).attr("d", `M${edge},${middle - 5}l5,5l-5,5`);
        row.append("text").attr("x", width - 2).attr("y", middle - 14).attr("text-anchor", "end")
          .text(`${beyond} up to ${milliseconds(d3.max(side.samples))}`);
      }
    });
  }

  /** Spreads dots up and down by how dense the samples are, evenly and the same at every drawing. */
  function spread(samples, scale, middle, reach) {
    const binWidth = 6;
    const places = samples.map(sample => scale(sample));
    const bins = d3.rollup(places, inBin => inBin.length, place => Math.round(place / binWidth));
    const density = place => {
      const bin = Math.round(place / binWidth);
      return 2 * (bins.get(bin) || 0) + (bins.get(bin - 1) || 0) + (bins.get(bin + 1) || 0);
    };
    const densest = d3.max(places, density) || 1;
    const goldenShare = (Math.sqrt(5) - 1) / 2;
    return places.map((place, position) => {
      const offset = ((position + 1) * goldenShare % 1) * 2 - 1;
      return [place, middle + offset * reach * Math.min(1, density(place) / densest)];
    });
  }

  function drawCourse(container, width, experiment, plan) {
    const margin = { top: 20, right: 8, bottom: 24, left: 46 };
    const height = 214;
    const scale = latencyScale(plan).range([height - margin.bottom, margin.top]);
    const longest = d3.max(plan.shown, side => side.samples.length);
    const place = d3.scaleLinear().domain([1, Math.max(2, longest)]).range([margin.left + 6, width - margin.right - 4]);
    const svg = addSvg(container, width, height, `Latencies of ${experiment.id} in the order of measuring`);

    const axis = svg.append("g").attr("class", "axis");
    latencyTicks(plan, scale, 26).forEach(tick => {
      axis.append("line").attr("x1", margin.left).attr("x2", width - margin.right).attr("y1", scale(tick)).attr("y2", scale(tick));
      axis.append("text").attr("x", margin.left - 7).attr("y", scale(tick) + 4).attr("text-anchor", "end").text(tickText(tick));
    });
    const last = place.ticks(4).filter(tick => Number.isInteger(tick) && tick > 0);
    [1, ...last.filter(tick => tick > 1)].forEach(tick => {
      axis.append("text").attr("x", place(tick)).attr("y", height - 6).attr("text-anchor", "middle").text(tickText(tick));
    });

    // Control first and after last: where sides overlap, the two that are compared stay visible.
    const order = ["control", "before", "after"];
    d3.sort(plan.shown, side => order.indexOf(side.key)).forEach(side => {
      const inside = [];
      side.samples.forEach((sample, position) => {
        const x = place(position + 1);
        if (sample <= plan.bound) {
          inside.push([x, scale(sample)]);
        } else {
          svg.append("path").attr("class", `beyond ${side.key}`).attr("d", `M${x - 3},${margin.top - 9}l3,-4l3,4`);
        }
      });
      svg.append("path").attr("class", `dots ${side.key}`).attr("d", dotPath(inside));
    });

    // Direct labels need no separate legend: each stands at the colour of its side.
    let x = margin.left;
    plan.shown.forEach(side => {
      svg.append("path").attr("class", `dots ${side.key}`).style("stroke-width", "8").style("stroke-opacity", 1)
        .attr("d", `M${x + 4},${height + 8}h0`);
      svg.append("text").attr("x", x + 13).attr("y", height + 12).text(side.name.toLowerCase());
      x += side.name.length * 7 + 32;
    });
    svg.attr("viewBox", `0 0 ${width} ${height + 18}`);
  }

  function drawStatistics(article, experiment) {
    const present = sides.filter(side => experiment[side.key] && experiment[side.key].latencyMs);
    if (present.length) {
      add(article, "h4", "", "Latency in milliseconds");
      const body = addTable(addScroll(article, `Latency of ${experiment.id}`), "statistics", `Latency of ${experiment.id}`, [
        ["Side"], ["n", "number"], ["Median, 95% interval", "number"], ...(unit ? [["Median, units", "number"]] : []),
        ["Mean", "number"], ["Min", "number"],
        ["p95", "number"], ["p99", "number"], ["Max", "number"], ["Samples"],
      ]);
      present.forEach(side => {
        const data = experiment[side.key];
        const latency = data.latencyMs;
        const row = add(body, "tr");
        const name = addHeaderCell(row, side.name, "row");
        add(name, "span", "sub", sideText(data));
        add(row, "td", "number", isNumber(latency.n) ? d3.format(",")(latency.n) : "–");
        const median = add(row, "td", "number");
        const estimate = medianOf(data);
        add(median, "span", "strong", significant(estimate));
        if (data.medianMs && isInterval(data.medianMs)) {
          median.append(` ${range(data.medianMs, decimalsFor(estimate))}`);
        }
        if (unit) {
          add(row, "td", "number", significant(data.medianUnits));
        }
        ["mean", "min", "p95", "p99", "max"].forEach(name => add(row, "td", "number", significant(latency[name])));
        addFileLink(add(row, "td"), "raw", data.rawFile);
      });
    }

    const hasOutcome = isInterval(experiment.improvement) || isInterval(experiment.noise);
    if (hasOutcome) {
      const outcome = add(article, "dl", "outcome");
      addTerm(outcome, "Improvement, before / after", ratioWithRange(experiment.improvement));
      addTerm(outcome, "Noise, before / control", ratioWithRange(experiment.noise));
      addTerm(outcome, "Noise floor", ratio(experiment.noiseFloor));
      addTerm(outcome, "p, before and after", pValueText(experiment.pValue));
      if (isNumber(experiment.pAdjusted)) {
        addTerm(outcome, "Adjusted for the number of experiments", pValueText(experiment.pAdjusted));
      }
      addTerm(outcome, "Before and after differ", experiment.different ? "yes" : "no difference was shown");
    }
  }

  function sideText(side) {
    // Of a folder it is not a stage, but what the database was made of.
    const isStage = /^[a-z-]+$/.test(side.stage || "") && side.stage !== "copy";
    return [side.label, side.stage && (isStage ? `stage ${side.stage}` : `database: ${side.stage}`)].filter(Boolean).join(", ");
  }

  function drawVerdicts(article, experiment) {
    if (!list(experiment.published).length) {
      return;
    }
    add(article, "h4", "", "Published");
    const verdictList = add(article, "div", "verdicts");
    experiment.published.forEach(one => {
      const block = add(verdictList, "div");
      const heading = add(block, "h5", "", one.source);
      if (!isFailed(experiment) && one.verdict) {
        addVerdict(heading, one.verdict);
      }
      if (one.weakEvidence) {
        addWeak(heading);
      }
      if (one.reason) {
        add(block, "p", "", one.reason);
      }
      const figures = add(block, "dl", "scans");
      addPair(figures, one.metric || "figures", `${publishedFigure(one.before, one.unit)} → ${publishedFigure(one.after, one.unit)}`);
      addPair(figures, "printed ratio", printedRatio(one));
      if (isInterval(one.medians)) {
        addPair(figures, "ratio of medians", ratioWithRange(one.medians));
      }
      const conditions = [one.engine, one.conditions].filter(Boolean).join("; ");
      if (conditions) {
        addPair(figures, "measured on", conditions);
      }
    });
  }

  // Statements and plans

  function drawSides(article, experiment) {
    const compared = sides.filter(side => side.key !== "control" && experiment[side.key]);
    if (!compared.length) {
      return;
    }
    add(article, "h4", "", "Statements and plans");
    const columns = add(article, "div", "columns");
    compared.forEach(side => {
      const data = experiment[side.key];
      const block = add(columns, "div", `side ${side.key}`);
      add(block, "h4", "", side.name);
      add(block, "p", "muted small", [sideText(data), data.answer && `answer: ${data.answer}`].filter(Boolean).join("; "));
      const statements = list(data.statements);
      if (statements.length) {
        add(block, "h5", "", count(statements.length, "statement"));
        addStatements(block, statements);
      }
      list(data.plans).forEach(plan => {
        add(block, "h5", "", "Plan");
        // The statement is repeated only where it would otherwise be unclear which one is planned.
        if (plan.statement && !(statements.length === 1 && statements[0] === plan.statement)) {
          addPre(block, "sql", plan.statement, `${side.name}: planned statement`);
        }
        const scans = add(block, "dl", "scans");
        addPair(scans, "expected", plan.expected);
        addPair(scans, "found", plan.found);
        if (plan.text) {
          addPre(block, "plan", plan.text, `${side.name}: plan`);
        }
        if (list(plan.recommendations).length > 0) {
          addPre(block, "sql", plan.recommendations.join(";\n"), `${side.name}: what the database recommends`);
        }
        if (plan.file) {
          addFileLink(add(block, "p", "small"), "whole plan", plan.file);
        }
      });
    });
  }

  function addStatements(parent, statements) {
    const shownAtOnce = 4;
    const first = statements.length > shownAtOnce + 1 ? statements.slice(0, shownAtOnce) : statements;
    addPre(parent, "sql", first.join(";\n"), "Statements");
    if (first.length < statements.length) {
      const rest = add(parent, "details");
      add(rest, "summary", "", `${statements.length - first.length} more`);
      addPre(rest, "sql", statements.slice(first.length).join(";\n"), "More statements");
    }
  }

  // Environment

  function drawEnvironment() {
    const environment = results.environment || {};
    const dataset = results.dataset || {};
    addEnvironment(environment, results.command);
    addPairs("dataset-table", "Dataset", [
      ...(list(dataset.cities).length ? [["Scale", dataset.scale]] : []),
      ["Seed", dataset.seed],
      ...(list(dataset.cities).length ? [["Cities", list(dataset.cities).join(", ")]] : []),
      ...Object.entries(dataset.rows || {}).map(([table, rows]) => [`Rows of ${table}`, isNumber(rows) ? d3.format(",")(rows) : rows]),
      ["Loaded in", durationText(dataset.loadSeconds)],
    ]);

    const checks = list(results.preflight);
    const parent = document.getElementById("preflight-table");
    if (!checks.length) {
      add(parent, "p", "muted", "No checks were recorded.");
      return;
    }
    const body = addTable(addScroll(parent, "Preflight checks"), "checks cards", "Preflight checks",
      [["Check"], ["Status"], ["Found"], ["Remedy"]]);
    checks.forEach(check => {
      const row = add(body, "tr");
      addHeaderCell(row, check.name, "row");
      addBadge(addLabelled(row, "Status"), check.status, checkSigns[check.status]);
      addLabelled(row, "Found", "", check.detail || "–");
      addLabelled(row, "Remedy", "", check.remedy || "–");
    });
  }

  // Method

  function drawMethod() {
    const rules = results.rules || {};
    const text = document.getElementById("method-text");
    const order = rules.order || "A C B B C A";
    const confidence = isNumber(rules.confidence) ? `${significant(rules.confidence * 100, 2)}%` : "95%";
    const number = (value, word) => isNumber(value) ? `at least ${count(value, word)}` : `${word}s`;
    const terms = add(text, "dl");
    const explain = (term, description) => {
      add(terms, "dt", "", term);
      add(terms, "dd", "", description);
    };
    explain("Taking turns", `Sides take turns in the order ${order}, again and again: A is before, B is after, and C is the before side once more `
      + "on another connection. A slow drift of the machine then touches all sides alike, and each side comes equally often right after itself.");
    explain("Warm-up", isNumber(rules.leastWarmUps)
      ? `Each side runs at least ${count(rules.leastWarmUps, "time")} on each connection before anything is counted.`
      : "Each side runs on its connection before anything is counted.");
    explain("Samples", `Each side has ${number(rules.leastSamples, "sample")}. All are kept and none is dropped as an outlier.`);
    explain("Blocks", `Samples are taken in ${number(rules.leastBlocks, "block")}, each on new connections, because where the operating system `
      + "puts a server process can be worth more than an index. Blocks, not single samples, are what is compared.");
    explain("Medians", "A side is summed up by its median, which a few slow executions cannot move. The improvement is the ratio of the "
      + "block's medians, before over after, as the geometric mean over all blocks; until 2026-11-23 it was the ratio of the sides' medians.");
    explain("Intervals and p", `Each block has one ratio. The ${confidence} interval of their mean and the p-value are those of Student’s t-test over their `
      + "logarithms. A small p says that chance alone would rarely produce such a difference. Among many experiments chance has many tries: the "
      + "adjusted p allows for that (Holm). Until 2026-11-23 intervals were a bootstrap’s and p that of the Mann–Whitney U test.");
    explain("Intervals of medians", `Blocks, and samples within them, are drawn again with replacement${isNumber(rules.resamples) ? ` ${d3.format(",")(rules.resamples)} times` : ""}; `
      + `percentiles of their median${isNumber(rules.resamples) ? "s" : ", whose distribution is computed,"} are the interval, farther out where blocks are few (expanded percentile bootstrap).`);
    explain("Noise floor", "A and C do the same work, so they differ by noise alone. The floor is the factor that this noise reaches; "
      + "no ratio within it, in either direction, is called a difference.");
    explain("Published target", "Where a publication has at least 20 raw samples on both sides, the target p is the ratio of their medians; "
      + "otherwise it is the printed ratio. Other hardware, other versions and other data make equal times unlikely, so ratios are "
      + "compared and times are not.");
    explain("Verdict", "A real difference in the published direction is “reproduced” when the ratio lies between half and twice the published "
      + "ratio p, and, for ratios near 1, also between √p and p²; it is “direction only” when it is of another size. “No difference” means "
      + "that the interval reaches into the noise floor, or that the adjusted p of the test is 0.05 or more. “Not reproduced” means a real difference in the opposite direction.");
    explain("Weak evidence", "A verdict carries this mark where the published figure is a single run on at least one side: the target itself is then uncertain.");
    if (traffic) {
      explain("Traffic", "multi-region-* are measured by traffic from several regions, in runs at one stage and at the other. Their "
        + "intervals and p-values come from how runs differ (a t-test over the logarithms of the runs' figures, of pairs of runs where they alternated), adjusted for the two "
        + "figures. Fewer than three runs are too few to judge.");
    }
    if (list(results.prices).length) {
      explain("Price", "Sizes are those before any run has written the tables: on PostgreSQL bytes on disk, on CockroachDB bytes of live rows in one replica "
        + "before compression. The time to build is that of before.sql or after.sql. Writes are measured as experiments are, and their p is adjusted for the number of writes.");
    }
    explain("Failed", "An experiment whose answer or plan is wrong fails, and no verdict is given: a fast wrong answer proves nothing.");
  }
})();
