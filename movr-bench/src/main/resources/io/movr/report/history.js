"use strict";

(() => {
  const { list, isNumber, significant, count, momentText, add, addScroll, addHeaderCell, addTable, addBadge, addChart, watchCharts,
    addSvg, tickText, showTooltip, hideTooltip } = charts;
  const history = JSON.parse(document.getElementById("data").textContent);
  const runs = list(history.runs);

  function drawChanges() {
    const changes = list(history.series).flatMap(series => list(series.changes).map(change => ({ series, change })));
    document.getElementById("lead").textContent = `${count(list(history.series).length, "measure")} of ${count(runs.length, "run")} in `
      + `${history.folder}, from ${momentText(runs[0].startedAt)} to ${momentText(runs[runs.length - 1].startedAt)}.`;
    document.getElementById("changes-text").textContent = changes.length ? "" : "No change was found.";
    if (!changes.length) {
      return;
    }
    const body = addTable(addScroll(document.getElementById("changes-table"), "Changes"), "", "Changes",
      [["Measure"], ["From run"], ["Before", "number"], ["After", "number"], ["p", "number"], ["Change"], ["What else changed"]]);
    changes.forEach(({ series, change }) => {
      const row = add(body, "tr");
      addHeaderCell(row, series.name, "row");
      add(row, "td", "", runs[change.run].name);
      add(row, "td", "number", `${significant(change.before)} ${series.unit}`);
      add(row, "td", "number", `${significant(change.after)} ${series.unit}`);
      add(row, "td", "number", change.pValue < 0.001 ? "<0.001" : change.pValue.toFixed(3));
      addBadge(add(row, "td"), change.verdict);
      add(row, "td", "", list(change.differences).join("; "));
    });
  }

  function drawSeries(series) {
    const figure = add(document.getElementById("charts"), "figure");
    add(figure, "h3", "", `${series.name}, ${series.unit}`);
    const parent = add(figure, "div", "chart");
    addChart(parent, 690, (container, width) => {
      const margin = { top: 10, right: 16, bottom: 30, left: 56 };
      const height = 190;
      const points = list(series.points);
      const x = d3.scaleLinear().domain([0, Math.max(1, runs.length - 1)]).range([margin.left + 8, width - margin.right]);
      const y = d3.scaleLinear().domain([0, d3.max(points, ({ value }) => value.high) * 1.05]).range([height - margin.bottom, margin.top]);
      const svg = addSvg(container, width, height, `${series.name} by run, ${count(list(series.changes).length, "change")}`);
      const axis = svg.append("g").attr("class", "axis");
      y.ticks(4).forEach(tick => {
        axis.append("line").attr("x1", margin.left).attr("x2", width - margin.right).attr("y1", y(tick)).attr("y2", y(tick));
        axis.append("text").attr("x", margin.left - 8).attr("y", y(tick) + 4).attr("text-anchor", "end").text(tickText(tick));
      });
      [[0, "start"], [runs.length - 1, "end"]].slice(0, runs.length > 1 ? 2 : 1).forEach(([run, anchor]) => axis.append("text")
        .attr("x", x(run)).attr("y", height - 10).attr("text-anchor", anchor).text(momentText(runs[run].startedAt)));
      const changes = list(series.changes);
      const colour = { better: "var(--good)", worse: "var(--bad)" };
      changes.forEach((change, index) => {
        const place = x(change.run) - (x(1) - x(0)) / 2;
        svg.append("line").attr("x1", place).attr("x2", place).attr("y1", margin.top).attr("y2", height - margin.bottom)
          .style("stroke", colour[change.verdict]).style("stroke-dasharray", "4 3");
        const from = index ? changes[index - 1].run : points[0].run;
        level(svg, x(from), place, y(change.before));
        const next = changes[index + 1];
        level(svg, place, next ? x(next.run) - (x(1) - x(0)) / 2 : x(points[points.length - 1].run), y(change.after));
      });
      points.forEach(({ run, value }) => {
        if (value.high > value.low) {
          svg.append("line").attr("x1", x(run)).attr("x2", x(run)).attr("y1", y(value.low)).attr("y2", y(value.high))
            .style("stroke", "var(--measured)");
        }
        svg.append("circle").attr("cx", x(run)).attr("cy", y(value.estimate)).attr("r", 4).style("fill", "var(--measured)")
          .on("pointerenter pointermove", event => showTooltip(event, [runs[run].name, momentText(runs[run].startedAt),
            `${significant(value.estimate)} ${series.unit}`
              + (value.high > value.low ? ` [${significant(value.low)}, ${significant(value.high)}]` : "")]))
          .on("pointerleave", hideTooltip);
      });
    });
  }

  function level(svg, from, to, height) {
    if (isNumber(height)) {
      svg.append("line").attr("x1", from).attr("x2", to).attr("y1", height).attr("y2", height).style("stroke", "var(--control)");
    }
  }

  drawChanges();
  list(history.series).forEach(drawSeries);
  watchCharts();
})();
