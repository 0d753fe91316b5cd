"use strict";

/** One chart of latency and one of requests for each region, over the last minutes. */
const Charts = (() => {
  const SPAN_S = 300;
  const all = new Map();
  const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  const size = figure => ({ width: Math.max(240, figure.clientWidth), height: 170 });
  const chart = (figure, series, scale) => {
    const axis = { stroke: () => css("--muted"), grid: { stroke: () => css("--line"), width: 1 }, ticks: { stroke: () => css("--line") } };
    const made = new uPlot({
      ...size(figure),
      legend: { show: false },
      cursor: { y: false, drag: { x: true, y: false, setScale: false } },
      hooks: {
        setSelect: [chart => {
          if (chart.select.width > 3) {
            const at = pixels => 1000 * chart.posToVal(pixels, "x");
            Console.select(at(chart.select.left), at(chart.select.left + chart.select.width));
          }
        }],
      },
      scales: { x: { time: true }, y: scale },
      axes: [{ ...axis, values: (chart, times) => times.map(at => Console.time(1000 * at)), space: 90 }, { ...axis, size: 52, values: (chart, ticks) => ticks.map(tick => tick === null ? "" : String(tick)) }],
      series: [{}, ...series],
    }, [[], ...series.map(() => [])], figure);
    // Its width is that of a column of the grid, and there are more columns with each chart that comes.
    new ResizeObserver(() => made.setSize(size(figure))).observe(figure);
    return made;
  };
  const line = (label, colour, dash) => ({ label, stroke: () => css(colour), width: 2, dash, points: { show: false }, spanGaps: false });

  const add = (parent, region) => {
    const both = document.createElement("div");
    parent.append(both);
    const figure = title => {
      const made = document.createElement("figure");
      const heading = document.createElement("h3");
      heading.textContent = title;
      made.append(heading);
      both.append(made);
      return made;
    };
    const latency = figure(`${region}: latency, ms`);
    const rate = figure(`${region}: requests/s; dotted: errors/s`);
    all.set(region, {
      latency: chart(latency, [
        line("p50", "--p50"), line("p95", "--p95", [2, 4]), line("p99", "--p99"),
        line("p50 before", "--p50", [10, 6]), line("p99 before", "--p99", [10, 6])],
      { distr: 3, range: (u, min, max) => [Math.min(min || 1, 1), Math.max(max || 100, 100)] }),
      rate: chart(rate, [line("requests/s", "--p50"), line("errors/s", "--p99", [2, 4])],
        { range: (u, min, max) => [0, Math.max(max || 1, 1) * 1.1] }),
    });
  };

  const positive = value => value > 0 ? value : null;

  /** Draws ticks up to the last one, with the figures before the migration. */
  const draw = (ticks, before) => {
    if (!ticks.length) {
      return;
    }
    const end = ticks[ticks.length - 1].t;
    const shown = ticks.filter(tick => tick.t > end - SPAN_S * 1000);
    const times = shown.map(tick => tick.t / 1000);
    for (const [region, { latency, rate }] of all) {
      const of = name => shown.map(tick => tick.regions[region]?.[name] ?? null);
      const ghost = name => times.map(time =>
        before && time * 1000 > before.until ? positive(before.regions[region]?.[name]) : null);
      latency.setData([times, of("p50Ms").map(positive), of("p95Ms").map(positive), of("p99Ms").map(positive), ghost("p50Ms"), ghost("p99Ms")]);
      rate.setData([times, of("perSecond"), of("errorsPerSecond")]);
    }
  };

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => all.forEach(of =>
    Object.values(of).forEach(made => made.setSize(size(made.root.parentElement)))));

  return { add, draw, clear: () => all.clear(), SPAN_S };
})();
