"use strict";

(() => {
  const { list, significant, count, momentText, add, addScroll, addHeaderCell, addTable, addChart, watchCharts, addSvg,
    tickText, showTooltip, hideTooltip } = charts;
  const history = JSON.parse(document.getElementById("data").textContent);
  const runs = list(history.runs);

  function drawRuns() {
    document.getElementById("lead").textContent = `${count(list(history.series).length, "measure")} of ${count(runs.length, "run")} in `
      + `${history.folder}, from ${momentText(runs[0].startedAt)} to ${momentText(runs[runs.length - 1].startedAt)}.`;
    const body = addTable(addScroll(document.getElementById("runs-table"), "Runs"), "", "Runs",
      [["Run"], ["Started"], ["Difference from the run before it"]]);
    runs.forEach(run => {
      const row = add(body, "tr");
      addHeaderCell(row, run.name, "row");
      add(row, "td", "", momentText(run.startedAt));
      add(row, "td", "", list(run.differences).join("; "));
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
      const svg = addSvg(container, width, height, `${series.name} by run`);
      const axis = svg.append("g").attr("class", "axis");
      y.ticks(4).forEach(tick => {
        axis.append("line").attr("x1", margin.left).attr("x2", width - margin.right).attr("y1", y(tick)).attr("y2", y(tick));
        axis.append("text").attr("x", margin.left - 8).attr("y", y(tick) + 4).attr("text-anchor", "end").text(tickText(tick));
      });
      [[0, "start"], [runs.length - 1, "end"]].slice(0, runs.length > 1 ? 2 : 1).forEach(([run, anchor]) => axis.append("text")
        .attr("x", x(run)).attr("y", height - 10).attr("text-anchor", anchor).text(momentText(runs[run].startedAt)));
      points.forEach(({ run, value }) => {
        if (value.high > value.low) {
          svg.append("line").attr("x1", x(run)).attr("x2", x(run)).attr("y1", y(value.low)).attr("y2", y(value.high))
            .style("stroke", "var(--measured)");
        }
        svg.append("circle").attr("cx", x(run)).attr("cy", y(value.estimate)).attr("r", 4).style("fill", "var(--measured)")
          .on("pointerenter pointermove", event => showTooltip(event, [runs[run].name, momentText(runs[run].startedAt),
            `${significant(value.estimate)} ${series.unit}`
              + (value.high > value.low ? ` [${significant(value.low)}, ${significant(value.high)}]` : ""),
            ...list(runs[run].differences)]))
          .on("pointerleave", hideTooltip);
      });
    });
  }

  drawRuns();
  list(history.series).forEach(drawSeries);
  watchCharts();
})();
