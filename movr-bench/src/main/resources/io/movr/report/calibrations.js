"use strict";

(() => {
  const { list, isNumber, significant, fixed, count, momentText, joinWords, add, addPre, addTerm, addScroll, addHeaderCell, addTable, addChart,
    watchCharts, addSvg, logarithmicTicks, tickText, addHorizontalAxis, showTooltip, hideTooltip } = charts;
  const results = JSON.parse(document.getElementById("data").textContent);
  const colours = ["--measured", "--before", "--good", "--bad", "--part", "--control"];
  const shapes = [d3.symbolCircle, d3.symbolSquare, d3.symbolTriangle, d3.symbolStar, d3.symbolCross, d3.symbolWye];
  // What was published keeps its colour and shape, however many systems there are.
  const systems = list(results.systems).map((system, position) => ({
    ...system,
    colour: `var(${system.published ? "--published" : colours[position % colours.length]})`,
    shape: system.published ? d3.symbolDiamond : shapes[position % shapes.length],
    className: system.published ? "system published" : "system",
  }));
  const measured = systems.filter(system => !system.published);
  const operations = list(results.healthy).map(healthy => healthy.operation);
  const metrics = [["avg", "meanMs"], ["p50", "p50Ms"], ["p95", "p95Ms"], ["p99", "p99Ms"], ["max", "maxMs"]];

  function operationOf(system, name) {
    return list(system.operations).find(operation => operation.name === name) || {};
  }

  function healthyOf(name) {
    return list(results.healthy).find(healthy => healthy.operation === name);
  }

  function layerOf(system, name) {
    return list(system.layers).find(layer => layer.name === name && layer.samples > 0);
  }

  function addSymbol(parent, system, x, y, size) {
    return parent.append("path").attr("class", system.className).style("--system", system.colour)
      .attr("transform", `translate(${x},${y})`).attr("d", d3.symbol(system.shape, size)());
  }

  function explain(selection, lines) {
    selection.on("pointerenter pointermove", event => showTooltip(event, lines)).on("pointerleave", hideTooltip);
  }

  // Header

  function drawHeader() {
    document.getElementById("lead").textContent =
      `${joinWords(measured.map(system => system.name))} beside the published machine (${systems.filter(system => system.published)
        .map(system => system.source).join(", ")}).`;
    const facts = document.getElementById("facts");
    addTerm(facts, "Compared", momentText(results.createdAt));
    addTerm(facts, "Systems", String(measured.length));
    list(results.healthy).forEach(healthy =>
      addTerm(facts, `Healthy ${healthy.operation}`, `${tickText(healthy.lowMs)} to ${tickText(healthy.highMs)} ms on average`));
    addPre(document.getElementById("command"), "command", list(results.command).join(" "), "Command");
    list(results.warnings).forEach(warning => add(document.getElementById("warnings"), "p", "notice", warning));
    list(results.notes).forEach(note => add(document.getElementById("notes"), "li", "", note));
  }

  function drawLegend(id, shown) {
    const legend = document.getElementById(id);
    shown.forEach(system => addKey(legend, system.name, 14, svg => addSymbol(svg, system, 7, 7, 64)));
    return legend;
  }

  function addKey(legend, text, width, draw) {
    const item = add(legend, "li");
    draw(d3.select(item).append("svg").attr("width", width).attr("height", 14));
    item.append(text);
  }

  // Throughput

  function drawThroughput(name) {
    addChart(document.getElementById(`throughput-${name}`), 330, (container, width) => {
      const room = 74;
      const step = 42;
      const scale = d3.scaleLinear().domain([0, d3.max(systems, system => operationOf(system, name).perSecond) || 1]).range([0, width - room]);
      const svg = addSvg(container, width, systems.length * step + 4, `${name}s a second by system`);
      systems.forEach((system, position) => {
        const top = position * step;
        const value = operationOf(system, name).perSecond;
        svg.append("text").attr("class", "name").attr("x", 1).attr("y", top + 13).text(system.name);
        const bar = svg.append("rect").attr("class", system.className).style("--system", system.colour)
          .attr("x", 1).attr("y", top + 19).attr("width", Math.max(1, scale(value) - 1)).attr("height", 14);
        explain(bar, [system.name, `${significant(value, 4)} ${name}s a second`]);
        svg.append("text").attr("class", "value").attr("x", scale(value) + 8).attr("y", top + 30).text(fixed(value, value < 100 ? 1 : 0));
      });
    });
  }

  // Lanes: groups of marks over one logarithmic axis, a lane for each system

  /** A group has a name, marks of systems with a value and how far they reach, and perhaps a band or a limit. */
  function drawLanes(id, paperWidth, label, groups) {
    addChart(document.getElementById(id), paperWidth, (container, width) => {
      const left = 64;
      const lane = 15;
      const gap = 16;
      const values = groups.flatMap(group => [...group.marks.flatMap(mark => [mark.value, mark.reach]), ...(group.band || []), group.limit])
        .filter(value => isNumber(value) && value > 0);
      if (!values.length) {
        add(container, "p", "muted", "Nothing was measured.");
        return;
      }
      const scale = d3.scaleLog().domain([d3.min(values) / 1.15, d3.max(values) * 1.15]).range([left, width - 12]);
      const height = d3.sum(groups, group => group.marks.length * lane + gap) + 30;
      const svg = addSvg(container, width, height, `${label}; the table below holds the same numbers`);
      addHorizontalAxis(svg, scale, logarithmicTicks(scale, 40), 4, height - 26, tickText);
      let top = 4;
      groups.forEach((group, position) => {
        const bottom = top + group.marks.length * lane + gap;
        if (position) {
          svg.append("line").attr("class", "row-line").attr("x1", 0).attr("x2", width).attr("y1", top).attr("y2", top);
        }
        if (group.band) {
          svg.append("rect").attr("class", "healthy").attr("x", scale(group.band[0])).attr("y", top)
            .attr("width", scale(group.band[1]) - scale(group.band[0])).attr("height", bottom - top);
        }
        if (isNumber(group.limit)) {
          svg.append("line").attr("class", "limit").attr("x1", scale(group.limit)).attr("x2", scale(group.limit))
            .attr("y1", top + 3).attr("y2", bottom - 3);
        }
        svg.append("text").attr("class", "name").attr("x", 0).attr("y", (top + bottom) / 2 + 4).text(group.name);
        group.marks.forEach((mark, number) => {
          const y = top + gap / 2 + (number + 0.5) * lane;
          const row = svg.append("g").attr("class", "row");
          row.append("rect").attr("class", "row-back").attr("x", left).attr("width", width - left).attr("y", y - lane / 2).attr("height", lane);
          explain(row, mark.lines);
          if (mark.value > 0 && mark.reach > mark.value) {
            row.append("line").attr("class", "reach system").style("--system", mark.system.colour)
              .attr("x1", scale(mark.value)).attr("x2", scale(mark.reach)).attr("y1", y).attr("y2", y);
          }
          if (mark.value > 0) {
            addSymbol(row, mark.system, scale(mark.value), y, 64);
          }
        });
        top = bottom;
      });
    });
  }

  function drawLatency(name) {
    const healthy = healthyOf(name);
    drawLanes(`latency-${name}`, 330, `Latency of ${name}s by system`, metrics.map(([metric, field]) => ({
      name: metric,
      band: metric === "avg" ? [healthy.lowMs, healthy.highMs] : null,
      marks: systems.filter(system => isNumber(operationOf(system, name)[field])).map(system => ({
        system,
        value: operationOf(system, name)[field],
        lines: [system.name, `${name}, ${metric}: ${significant(operationOf(system, name)[field])} ms`],
      })),
    })));
  }

  function drawOperations() {
    const body = addTable(addScroll(document.getElementById("operations-table"), "Operations"), "", "Operations",
      [["System"], ["Operation"], ["A second", "number"], ...metrics.map(([metric]) => [`${metric}, ms`, "number"]), ["Judgement of the average"]]);
    operations.forEach(name => systems.forEach(system => {
      const operation = operationOf(system, name);
      const row = add(body, "tr");
      addHeaderCell(row, system.name, "row");
      add(row, "td", "", name);
      add(row, "td", "number", significant(operation.perSecond, 4));
      metrics.forEach(([, field]) => add(row, "td", "number", significant(operation[field])));
      add(row, "td", "", operation.judgement);
    }));
  }

  // Layers

  function drawLayers() {
    const names = Array.from(new Set(measured.flatMap(system => list(system.layers).map(layer => layer.name))));
    if (!names.length) {
      return;
    }
    document.getElementById("layers").hidden = false;
    addKey(drawLegend("layers-legend", measured), "at most", 8, svg => svg.append("line").attr("class", "limit")
      .attr("x1", 4).attr("x2", 4).attr("y1", 0).attr("y2", 14));
    drawLanes("layers-chart", 690, "Layers by system", names.map(name => {
      const found = measured.filter(system => layerOf(system, name));
      return {
        name,
        limit: found.length ? layerOf(found[0], name).limitMs : null,
        marks: found.map(system => {
          const { medianMs, p99Ms, measure } = layerOf(system, name);
          return { system, value: medianMs, reach: p99Ms,
            lines: [system.name, measure, `median ${significant(medianMs)} ms, p99 ${significant(p99Ms)} ms`] };
        }),
      };
    }));
    const body = addTable(addScroll(document.getElementById("layers-table"), "Layers"), "", "Layers",
      [["Layer"], ["What was measured"], ["System"], ["Median, ms", "number"], ["p99, ms", "number"], ["At most, ms", "number"], ["Judgement"]]);
    names.forEach(name => measured.forEach(system => {
      const layer = list(system.layers).find(one => one.name === name);
      if (!layer) {
        return;
      }
      const row = add(body, "tr");
      addHeaderCell(row, name, "row");
      add(row, "td", "", layer.measure);
      add(row, "td", "", system.name);
      [layer.samples > 0 ? layer.medianMs : null, layer.samples > 0 ? layer.p99Ms : null, layer.limitMs]
        .forEach(value => add(row, "td", "number", significant(value)));
      add(row, "td", "", layer.judgement);
    }));
  }

  // Concurrency

  function drawSweeps() {
    const swept = measured.filter(system => list(system.sweep).length);
    if (!swept.length) {
      return;
    }
    document.getElementById("sweep").hidden = false;
    drawLegend("sweep-legend", swept);
    drawCourses("sweep-mean", swept, "Average", "meanMs");
    drawCourses("sweep-p99", swept, "p99", "p99Ms");
    const workers = d3.sort(new Set(swept.flatMap(system => system.sweep.map(step => step.concurrency))));
    const body = addTable(addScroll(document.getElementById("sweep-table"), "Concurrency"), "", "Concurrency",
      [["Workers"], ...swept.flatMap(system => [[`${system.name}: operations a second`, "number group"], ["avg, ms", "number"], ["p99, ms", "number"]])]);
    workers.forEach(number => {
      const row = add(body, "tr");
      addHeaderCell(row, String(number), "row");
      swept.forEach(system => {
        const step = system.sweep.find(one => one.concurrency === number) || {};
        const knee = number === system.kneeConcurrency;
        const cell = add(row, "td", `number group${knee ? " strong" : ""}`, significant(step.perSecond, 4));
        if (knee) {
          add(cell, "span", "sub", "the knee");
        }
        [step.meanMs, step.p99Ms].forEach(value => add(row, "td", "number", significant(value)));
      });
    });
  }

  function drawCourses(id, swept, title, field) {
    addChart(document.getElementById(id), 330, (container, width) => {
      const margin = { top: 14, right: 26, bottom: 40, left: 46 };
      const height = 320;
      const steps = swept.flatMap(system => system.sweep).filter(step => step[field] > 0);
      const horizontal = d3.scaleLinear().domain([0, d3.max(steps, step => step.perSecond) * 1.05]).nice()
        .range([margin.left, width - margin.right]);
      const vertical = d3.scaleLog().domain([d3.min(steps, step => step[field]) / 1.3, d3.max(steps, step => step[field]) * 1.3])
        .range([height - margin.bottom, margin.top]);
      const svg = addSvg(container, width, height, `${title} latency against operations a second; the table below holds the same numbers`);
      const axis = addHorizontalAxis(svg, horizontal, horizontal.ticks(Math.max(3, width / 110)), margin.top, height - margin.bottom, d3.format(","));
      logarithmicTicks(vertical, 30).forEach(tick => {
        axis.append("line").attr("x1", margin.left).attr("x2", width - margin.right).attr("y1", vertical(tick)).attr("y2", vertical(tick));
        axis.append("text").attr("x", margin.left - 8).attr("y", vertical(tick) + 4).attr("text-anchor", "end").text(tickText(tick));
      });
      axis.append("text").attr("x", width - margin.right).attr("y", height - 4).attr("text-anchor", "end").text("operations a second");
      swept.forEach(system => {
        const shown = system.sweep.filter(step => step[field] > 0);
        const group = svg.append("g").style("--system", system.colour);
        group.append("path").attr("class", "course")
          .attr("d", d3.line(step => horizontal(step.perSecond), step => vertical(step[field]))(shown));
        shown.forEach(step => {
          const [x, y] = [horizontal(step.perSecond), vertical(step[field])];
          const isKnee = step.concurrency === system.kneeConcurrency;
          if (isKnee) {
            group.append("circle").attr("class", "ring").attr("cx", x).attr("cy", y).attr("r", 9);
          }
          explain(addSymbol(group, system, x, y, 56), [system.name, `${count(step.concurrency, "worker")}${isKnee ? ", the knee" : ""}`,
            `${significant(step.perSecond, 4)} operations a second, ${title === "p99" ? "p99" : "average"} ${significant(step[field])} ms`]);
        });
      });
      // Over all lines, so that none crosses them.
      swept.forEach(system => {
        const knee = system.sweep.find(step => step.concurrency === system.kneeConcurrency && step[field] > 0);
        if (knee) {
          svg.append("text").attr("class", "knee").style("--system", system.colour).attr("x", horizontal(knee.perSecond) - 13)
            .attr("y", vertical(knee[field]) - 8).attr("text-anchor", "end").text(count(knee.concurrency, "worker"));
        }
      });
    });
  }

  // Where and how

  function drawSystems() {
    const body = addTable(addScroll(document.getElementById("systems-table"), "Where and how"), "systems", "Where and how",
      [["What"], ...systems.map(system => [system.name])]);
    const addRow = (what, values) => {
      const row = add(body, "tr");
      addHeaderCell(row, what, "row");
      const differs = new Set(values.filter(Boolean)).size > 1;
      values.forEach(value => add(row, "td", !value ? "muted" : differs ? "strong" : "", value || "–"));
    };
    addRow("source", systems.map(system => system.source));
    list(results.facts).forEach(fact => addRow(fact.what, list(fact.values)));
  }

  drawHeader();
  addKey(drawLegend("latency-legend", systems), "average called healthy", 22, svg => svg.append("rect").attr("class", "healthy")
    .attr("width", 22).attr("height", 14));
  operations.forEach(name => {
    drawThroughput(name);
    drawLatency(name);
  });
  drawOperations();
  drawLayers();
  drawSweeps();
  drawSystems();
  watchCharts();
})();
