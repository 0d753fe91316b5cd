"use strict";

(() => {
  const tickText = value => d3.format(",.6~r")(value);
  const colour = name => `var(--${name.toLowerCase()})`;
  const significant = value => d3.format(",.3~r")(value);
  const narrowWidth = 640;

  // Tables

  /** Sorts the rows of a table by a column; rows without a value stay last. */
  function makeSortable(table) {
    const body = table.tBodies[0];
    [...table.tHead.rows[table.tHead.rows.length - 1].cells].forEach((heading, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => {
        const descending = heading.getAttribute("aria-sort") === "ascending";
        [...heading.parentElement.cells].forEach(other => other.removeAttribute("aria-sort"));
        heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
        const sign = descending ? -1 : 1;
        const key = row => row.cells[column].dataset.value ?? row.cells[column].textContent.trim();
        const compare = (one, other) => sign * key(one).localeCompare(key(other), "en", { numeric: true });
        const valued = (one, other) => sign * (Number(key(one)) - Number(key(other)));
        const isValued = row => row.cells[column].dataset.value !== undefined;
        const rows = [...body.rows];
        const numbers = rows.filter(isValued).sort(valued);
        const words = rows.filter(row => !isValued(row)).sort(compare);
        body.append(...numbers, ...words);
      });
    });
  }

  /** A link to something collapsed opens it. */
  function openTarget() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target) {
      for (let element = target; element; element = element.parentElement) {
        if (element instanceof HTMLDetailsElement) {
          element.open = true;
        }
      }
      target.scrollIntoView();
    }
  }

  // Parts of charts

  /** Ticks at round factors of each decade, thinned until their labels have room. */
  function logarithmicTicks([low, high], pixels, room) {
    const exponents = d3.range(Math.floor(Math.log10(low)), Math.ceil(Math.log10(high)) + 1);
    const sets = [[1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8], [1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]];
    const scale = d3.scaleLog([low, high], [0, pixels]);
    let ticks = [];
    for (const factors of sets) {
      ticks = exponents
        .flatMap(exponent => factors.map(factor => exponent < 0 ? factor / 10 ** -exponent : factor * 10 ** exponent))
        .filter(tick => tick >= low * 0.9999 && tick <= high * 1.0001);
      const distance = d3.min(d3.pairs(ticks.map(scale)), ([left, right]) => right - left) ?? Infinity;
      if (ticks.length <= Math.max(2, pixels / room) && distance >= room * 0.75) {
        break;
      }
    }
    return ticks;
  }

  function axis(isLog, domain, pixels, room, unit = "") {
    const tickFormat = tick => `${tickText(tick)}${unit}`;
    return isLog
      ? { type: "log", domain, ticks: logarithmicTicks(domain, pixels, room), tickFormat, label: null }
      : { domain, ticks: Math.max(2, Math.floor(pixels / room / 1.4)), tickFormat, label: null };
  }

  function padded([low, high], isLog, factor) {
    if (isLog) {
      return [low / factor, high * factor];
    }
    const padding = (high - low || Math.abs(high) || 1) * 0.04;
    return [low >= 0 ? Math.max(0, low - padding) : low - padding, high + padding];
  }

  function tip(data, pointer, options) {
    return Plot.tip(data, pointer({ ariaLabel: null, fill: "var(--paper)", stroke: "var(--line)", lineWidth: 30, lineHeight: 1.25, ...options }));
  }

  /** The names of rows: left of the chart, or above each row where there is no room. */
  function rowNames(names, details, narrow, left) {
    const place = narrow
      ? { frameAnchor: "top-left", dx: -left + 2, dy: 4 }
      : { frameAnchor: "left", dx: -left };
    return names.flatMap((name, position) => [
      Plot.text([name], { fy: [name], text: [name], ...place, dy: (place.dy ?? 0) - (details[position] && !narrow ? 8 : 0),
        textAnchor: "start", fill: "var(--ink)", fontSize: 13, fontWeight: 550 }),
      ...(details[position] ? [Plot.text([name], { fy: [name], text: [details[position]], ...place,
        dx: place.dx + (narrow ? 8 * name.length + 12 : 0), dy: (place.dy ?? 0) + (narrow ? 0 : 9), textAnchor: "start", fill: "var(--muted)" })] : []),
    ]);
  }

  function plot(width, options) {
    return Plot.plot({
      width,
      ...options,
      style: { background: "transparent", color: "var(--muted)", fontSize: "12px", overflow: "visible" },
      fy: { axis: null, padding: 0, ...options.fy },
      y: { label: null, ...options.y },
    });
  }

  function legend(series) {
    const list = document.createElement("ul");
    list.className = "legend";
    series.forEach(({ name, colour: hue, symbol, isFilled = true, isLine = false, isBand = false }) => {
      const item = document.createElement("li");
      const svg = d3.select(item).append("svg").attr("width", 24).attr("height", 16).attr("aria-hidden", "true");
      if (isBand) {
        svg.append("rect").attr("width", 22).attr("height", 16).style("fill", hue).style("fill-opacity", isBand);
      } else if (isLine) {
        svg.append("path").attr("d", "M1,8H23").style("stroke", hue).style("stroke-width", 2).style("stroke-dasharray", isLine);
      } else {
        const shape = d3[`symbol${symbol.charAt(0)}${symbol.slice(1).toLowerCase()}`];
        svg.append("path").attr("transform", "translate(12,8)").attr("d", d3.symbol(shape, 70)())
          .style("fill", isFilled ? hue : "var(--paper)").style("stroke", hue).style("stroke-width", 1.5);
      }
      item.append(name);
      list.append(item);
    });
    return list;
  }

  // Kinds of charts

  function intervals({ unit, reference, below, above, bandName, series, rows }, width) {
    const marks = rows.flatMap(row => row.marks.map(mark => ({ ...mark, ...mark.value, row: row.name })));
    const lanes = [...new Set(marks.map(mark => mark.lane))];
    const hasLanes = lanes.some(Boolean);
    const longest = d3.max(rows, row => row.name.length) * 7.6;
    const narrow = width < narrowWidth || longest > width / 3;
    const left = (narrow ? 12 : longest + 16) + (hasLanes ? 8 * d3.max(lanes, lane => lane.length) : 0);
    const banded = rows.filter(row => row.band).map(row => ({ name: row.name, ...row.band }));
    const floors = banded.flatMap(band => [band.low, band.high]);
    const ends = marks.flatMap(mark => mark.isInterval ? [mark.low, mark.high, mark.estimate] : [mark.estimate]).filter(value => value > 0);
    // A few huge factors must not squash the others.
    const bound = reference ? Math.max(10, 1.3 * d3.quantile(marks.map(mark => Math.exp(Math.abs(Math.log(mark.estimate)))), 0.95)) : Infinity;
    const [low, high] = d3.extent([...ends, ...floors, ...(reference ? [0.8, 1.25] : [])]);
    const domain = [Math.max(low, 1 / bound) / 1.12, Math.min(high, bound) * 1.12];
    const pixels = width - left - 24;
    const perFactor = pixels / Math.log(domain[1] / domain[0]);
    const rowHeight = Math.max(34, 17 * lanes.length + 12) + (narrow ? 20 : 0);
    const top = below || above ? 30 : 8;
    const inDomain = mark => ({ ...mark, low: Math.max(mark.low, domain[0]), high: Math.min(mark.high, domain[1]),
      estimate: Math.min(Math.max(mark.estimate, domain[0]), domain[1]) });
    return [legend([...series.map(one => ({ ...one, colour: colour(one.colour) })),
      ...(floors.length ? [{ name: bandName, colour: "var(--noise)", isBand: 0.8 }] : [])]),
    plot(width, {
      height: top + rowHeight * rows.length + 26,
      marginLeft: left, marginRight: 24, marginTop: top, marginBottom: 26, insetTop: narrow ? 18 : 0,
      x: axis(true, domain, pixels, 62, unit === "×" ? "×" : ""),
      y: { type: "point", domain: lanes, axis: null, padding: 1 },
      fy: { domain: rows.map(row => row.name) },
      marks: [
        Plot.gridX({ stroke: "var(--line)", strokeOpacity: 0.6 }),
        Plot.frame({ anchor: "top", stroke: "var(--line)", insetLeft: -left }),
        Plot.rect(banded.map(inDomain), { fy: "name", x1: "low", x2: "high",
          fill: "var(--noise)", fillOpacity: 0.8, insetTop: 3, insetBottom: 3 }),
        ...(reference ? [Plot.ruleX([reference], { stroke: "var(--muted)" })] : []),
        ...(below ? [Plot.text([reference], { x: [reference], text: [`← ${below}`], fy: [rows[0].name], frameAnchor: "top", dx: -10, dy: -16, textAnchor: "end" })] : []),
        ...(above ? [Plot.text([reference], { x: [reference], text: [`${above} →`], fy: [rows[0].name], frameAnchor: "top", dx: 10, dy: -16, textAnchor: "start" })] : []),
        ...rowNames(rows.map(row => row.name), [], narrow, left),
        ...(hasLanes ? [Plot.text(marks, { fy: "row", y: "lane", text: "lane", frameAnchor: "left", dx: -8, textAnchor: "end", fontSize: 11 })] : []),
        ...series.flatMap(one => {
          const own = marks.filter(mark => mark.series === one.name).map(inDomain);
          return [
            Plot.link(own.filter(mark => mark.isInterval && Math.log(mark.high / mark.low) * perFactor > 12),
              { fy: "row", y: "lane", x1: "low", x2: "high", stroke: colour(one.colour), strokeWidth: 2, marker: "tick" }),
            Plot.dot(own, { fy: "row", y: "lane", x: "estimate", symbol: one.symbol.toLowerCase(), r: 4.6,
              fill: one.isFilled ? colour(one.colour) : "var(--paper)", stroke: colour(one.colour), strokeWidth: 1.5 }),
          ];
        }),
        tip(marks.map(inDomain), Plot.pointer, { fy: "row", y: "lane", x: "estimate", title: "text" }),
      ],
    })];
  }

  function lines({ xName, isLogX, yName, isLogY, ticks, lines: shown, marked }, width) {
    const all = shown.flatMap(line => line.points.map(point => ({ ...point, line: line.name })));
    const height = 260;
    const [left, right] = [56, 24];
    const named = new Map(Object.entries(ticks).map(([place, text]) => [Number(place), text]));
    const extent = d3.extent(all, point => point.x);
    const xDomain = extent[0] === extent[1] ? padded(extent, isLogX, 2) : extent;
    const positive = all.flatMap(point => [point.low, point.high, point.y]).filter(value => !isLogY || value > 0);
    const yDomain = isLogY ? padded(d3.extent(positive), true, 1.25) : [0, (d3.max(positive) || 1) * 1.08];
    const x = { ...axis(isLogX, xDomain, width - left - right, 60), label: xName, labelAnchor: "right", labelArrow: false };
    if (named.size) {
      x.ticks = [...named.keys()];
      x.tickFormat = place => named.get(place);
    }
    const isNamed = shown.length > 1 || shown[0].points.length > 1;
    return [...(isNamed ? [legend(shown.map(line => ({ name: line.name, colour: colour(line.colour),
      symbol: "CIRCLE", isLine: line.stroke === "NONE" ? false : line.stroke === "DASHED" ? "4 4" : "none" })))] : []),
    plot(width, {
      height, marginLeft: left, marginRight: right, marginTop: 22, marginBottom: 42,
      x,
      y: { ...axis(isLogY, yDomain, height - 64, 34), label: yName, labelAnchor: "top", labelArrow: false, grid: true },
      marks: [
        ...(marked === null ? [] : [Plot.ruleX([marked], { stroke: "var(--good)", strokeDasharray: "4 3" })]),
        ...shown.flatMap(line => [
          ...(line.stroke === "NONE" ? [] : [Plot.line(line.points, { x: "x", y: "y", stroke: colour(line.colour), strokeWidth: 2,
            strokeDasharray: line.stroke === "DASHED" ? "4 4" : "none" })]),
          ...(line.stroke === "DASHED" ? [] : [
            Plot.ruleX(line.points.filter(point => point.high > point.low), { x: "x", y1: "low", y2: "high", stroke: colour(line.colour), strokeWidth: 1.5 }),
            Plot.dot(line.points, { x: "x", y: "y", r: line.points.length > 40 ? 1.7 : 4, fill: colour(line.colour) }),
            Plot.text(line.points.filter(point => point.label), { x: "x", y: "y", text: "label", dx: 8, dy: -8, textAnchor: "start",
              fill: "var(--ink)", stroke: "var(--paper)", strokeWidth: 3, fontWeight: 550 }),
          ]),
        ]),
        tip(all.filter(point => point.text), Plot.pointer, { x: "x", y: "y", title: "text" }),
      ],
    })];
  }

  /** Spreads dots up and down by how dense the samples are, evenly and the same at every drawing. */
  function spread(samples, place) {
    const binWidth = 6;
    const bins = d3.rollup(samples, inBin => inBin.length, sample => Math.round(place(sample) / binWidth));
    const density = sample => {
      const bin = Math.round(place(sample) / binWidth);
      return 2 * (bins.get(bin) || 0) + (bins.get(bin - 1) || 0) + (bins.get(bin + 1) || 0);
    };
    const densest = d3.max(samples, density) || 1;
    const goldenShare = (Math.sqrt(5) - 1) / 2;
    return samples.map((sample, position) =>
      (((position + 1) * goldenShare % 1) * 2 - 1) * Math.min(1, density(sample) / densest) * 0.85);
  }

  /** Samples by side, and where they are ordered, next to that or below it, in the order of measuring. */
  function samples(data, width) {
    if (!data.isOrdered) {
      return [distribution(data, width)];
    }
    const gap = 40;
    const isBeside = width >= 880;
    const plots = document.createElement("div");
    plots.className = "plots";
    plots.append(distribution(data, isBeside ? 0.6 * (width - gap) : width), order(data, isBeside ? 0.4 * (width - gap) : width));
    return [plots];
  }

  function distribution({ unit, isLog, bound, sides }, width) {
    const narrow = width < 460;
    const left = narrow ? 8 : 28 + 7 * d3.max(sides, side => Math.max(side.name.length, side.detail.length));
    const within = sides.map(side => side.groups.map(group => group.filter(sample => sample <= bound)));
    const medians = sides.flatMap(side => side.median ? [side.median.low, side.median.high, side.median.estimate] : []);
    const domain = padded(d3.extent([...within.flat(2), ...medians]), isLog, 1.06);
    const pixels = width - left - 20;
    const place = (isLog ? d3.scaleLog() : d3.scaleLinear()).domain(domain).range([0, pixels]);
    const most = d3.max(sides, side => side.groups.length);
    const rowHeight = Math.max(66, 16 + 9 * most) + (narrow ? 18 : 0);
    const names = sides.map(side => side.name);
    return plot(width, {
      height: rowHeight * sides.length + 30,
      marginLeft: left, marginRight: 20, marginTop: 4, marginBottom: 26,
      x: { ...axis(isLog, domain, pixels, 44), type: isLog ? "log" : "linear" },
      y: { domain: [-1.2, narrow ? 1.9 : 1.2], axis: null },
      fy: { domain: names },
      marks: [
        Plot.gridX({ stroke: "var(--line)", strokeOpacity: 0.6 }),
        Plot.frame({ anchor: "top", stroke: "var(--line)", insetLeft: -left }),
        ...rowNames(names, sides.map(side => side.detail), narrow, left),
        ...sides.flatMap((side, position) => {
          const fy = () => side.name;
          const dots = within[position].flatMap((group, number) => {
            const offsets = side.groups.length > 1 ? group.map(() => 0.9 - 1.8 * (number + 0.5) / side.groups.length) : spread(group, place);
            return group.map((sample, index) => ({ x: sample, y: offsets[index] }));
          });
          const beyond = side.groups.flat().filter(sample => sample > bound);
          return [
            ...(side.median ? [
              Plot.rect([side.median], { fy, x1: "low", x2: "high", fill: "var(--ink)", fillOpacity: 0.2, insetTop: 4, insetBottom: 4 }),
              Plot.tickX([side.median], { fy, x: "estimate", stroke: "var(--ink)", strokeWidth: 2, insetTop: 3, insetBottom: 3 })] : []),
            Plot.dot(dots, { fy, x: "x", y: "y", r: 1.8, fill: colour(side.colour), fillOpacity: 0.65 }),
            ...(side.quartiles.length === 2 ? [Plot.link([side.quartiles], { fy, x1: ([low]) => low, x2: ([, high]) => high, y: -1.1,
              stroke: "var(--ink)", marker: "tick" })] : []),
            ...(beyond.length ? [Plot.text([side], { fy, text: [`${beyond.length} up to ${significant(d3.max(beyond))} ${unit} ›`],
              frameAnchor: "top-right", dx: 18, dy: 6, textAnchor: "end", fill: colour(side.colour) })] : []),
          ];
        }),
      ],
    });
  }

  function order({ isLog, bound, sides }, width) {
    const [left, right, height] = [48, 12, 240];
    // Control first and after last: where sides overlap, the two that are compared stay visible.
    const shown = d3.sort(sides, side => ["Control", "Before", "After"].indexOf(side.name))
      .map(side => ({ ...side, points: side.groups[0].flatMap((y, place) => y <= bound ? [{ x: place + 1, y }] : []) }));
    const domain = padded(d3.extent(shown.flatMap(side => side.points), point => point.y), isLog, 1.06);
    return plot(width, {
      height, marginLeft: left, marginRight: right, marginTop: 8, marginBottom: 24,
      x: { ...axis(false, [1, d3.max(sides, side => side.groups[0].length)], width - left - right, 50) },
      y: { ...axis(isLog, domain, height - 32, 26), type: isLog ? "log" : "linear", grid: true },
      marks: shown.map(side => Plot.dot(side.points, { x: "x", y: "y", r: 1.6, fill: colour(side.colour), fillOpacity: 0.65 })),
    });
  }

  function bars({ unit, bars: shown }, width) {
    const left = Math.min(width / 2.5, 16 + 7.4 * d3.max(shown, bar => bar.name.length));
    return [plot(width, {
      height: 34 * shown.length + 12,
      marginLeft: left, marginRight: 90, marginTop: 4, marginBottom: 8,
      x: { axis: null, domain: [0, d3.max(shown, bar => bar.value) || 1] },
      y: { type: "band", domain: shown.map(bar => bar.name), axis: null, padding: 0.4 },
      marks: [
        Plot.barX(shown, { x: "value", y: "name", fill: bar => colour(bar.colour) }),
        Plot.text(shown, { y: "name", text: "name", frameAnchor: "left", dx: -left, textAnchor: "start", fill: "var(--ink)", fontWeight: 550 }),
        Plot.text(shown, { x: "value", y: "name", text: bar => `${significant(bar.value)} ${unit}`, dx: 8, textAnchor: "start" }),
        tip(shown, Plot.pointerY, { x: "value", y: "name", title: "text" }),
      ],
      color: { type: "identity" },
    })];
  }

  function densities({ unit, rows }, width) {
    const narrow = width < 560;
    const left = narrow ? 8 : 24 + 7.4 * d3.max(rows, row => row.name.length);
    const shapes = rows.map(row => {
      const total = d3.sum(row.bins, bin => bin[2]);
      return row.bins.filter(([low, high, number]) => low > 0 && high > low && number > 0)
        .map(([low, high, number]) => ({ low, high, density: number / total / Math.log(high / low) }));
    });
    const densest = d3.max(shapes.flat(), bin => bin.density);
    const domain = padded([d3.min(shapes.flat(), bin => bin.low),
      d3.max([...shapes.flat().map(bin => bin.high), ...rows.flatMap(row => Object.values(row.quantiles))])], true, 1.03);
    return [plot(width, {
      height: (narrow ? 110 : 92) * rows.length + 30,
      marginLeft: left, marginRight: 20, marginTop: 4, marginBottom: 26,
      x: axis(true, domain, width - left - 20, 44),
      y: { domain: [-0.35 * densest, densest * (narrow ? 1.3 : 1.06)], axis: null },
      fy: { domain: rows.map(row => row.name) },
      marks: [
        Plot.gridX({ stroke: "var(--line)", strokeOpacity: 0.6 }),
        ...rowNames(rows.map(row => row.name), rows.map(row => row.quantiles.p50 ? `p50 ${significant(row.quantiles.p50)} ${unit}` : ""), narrow, left),
        ...rows.flatMap((row, position) => {
          const fy = () => row.name;
          const quantiles = Object.entries(row.quantiles).map(([name, value]) => ({ name, value }));
          return [
            Plot.rect(shapes[position], { fy, x1: "low", x2: "high", y1: 0, y2: "density", fill: colour(row.colour), fillOpacity: 0.45, inset: -0.2 }),
            ...(position ? [Plot.line(shapes[0].flatMap(bin => [{ x: bin.low, y: bin.density }, { x: bin.high, y: bin.density }]),
              { fy, x: "x", y: "y", stroke: "var(--muted)" })] : []),
            Plot.ruleY([0], { fy, stroke: "var(--line)" }),
            Plot.link(quantiles, { fy, x: "value", y1: -0.08 * densest, y2: 0.2 * densest, stroke: "var(--ink)" }),
            Plot.text(quantiles, { fy, x: "value", y: -0.22 * densest, text: "name" }),
          ];
        }),
      ],
    })];
  }

  function timeline({ latencyClassWidth, ticks, bands, breaks, regions, seconds }, width, container) {
    const left = 46;
    const values = seconds.flatMap(second => [second.p50Ms, second.p99Ms, second.maxMs]).filter(value => value > 0);
    const domain = [(d3.min(values) || 1) / 1.6, (d3.max(values) || 10) * 1.2];
    const end = d3.max(bands, band => band.until);
    const pixels = width - left - 10;
    const named = new Map(Object.entries(ticks).map(([place, text]) => [Number(place), text]));
    const places = d3.sort(named.keys());
    const kept = [];
    places.forEach(place => {
      if (!kept.length || (place - kept[kept.length - 1]) * pixels / end >= 34) {
        kept.push(place);
      }
    });
    const hue = kind => kind === "migration" ? "var(--published)" : kind === "during" ? "var(--control)" : `var(--${kind})`;
    const series = { p50: "var(--ink)", p99: "var(--published)" };
    const room = band => (band.until - band.from) * pixels / end + (band.kind === "migration" ? 90 : 0);
    const labels = bands.filter(band => band.label)
      .map(band => ({ ...band, label: band.label.length * 6.6 < room(band) ? band.label : band.kind }))
      .filter(band => band.label.length * 6.6 < room(band));
    const drawn = plot(width, {
      height: 58 + 190 * regions.length,
      marginLeft: left, marginRight: 10, marginTop: 54, marginBottom: 24,
      x: { domain: [0, end], ticks: kept, tickFormat: place => named.get(place) ?? "", label: null },
      y: { ...axis(true, domain, 140, 30), grid: true },
      fy: { domain: regions, padding: 0.18 },
      color: { type: "identity" },
      marks: [
        Plot.rect(bands, { x1: "from", x2: "until", fill: band => hue(band.kind), fillOpacity: band => band.kind === "migration" ? 0.18 : band.isCounted ? 0.1 : 0.05 }),
        Plot.ruleX(breaks, { stroke: "var(--control)", strokeDasharray: "2 4" }),
        ...[false, true].map(isMigration => Plot.text(labels.filter(band => (band.kind === "migration") === isMigration), {
          fy: () => regions[0], x: band => (band.from + band.until) / 2, text: "label", frameAnchor: "top",
          dy: isMigration ? -41 : -27, fill: "var(--ink)" })),
        Plot.text(regions, { fy: region => region, text: region => `${region}, ms`, frameAnchor: "top-left", dy: -12, fill: "var(--ink)", fontWeight: 550, fontSize: 13 }),
        Plot.dot(seconds.filter(second => second.maxMs > 0), { fy: "region", x: "x", y: "maxMs", r: 1.5, fill: "var(--muted)", fillOpacity: 0.6 }),
        ...["p99", "p50"].map(name => Plot.line(seconds.filter(second => second[`${name}Ms`] > 0),
          { fy: "region", z: second => `${second.region} ${second.stretch}`, x: "x", y: `${name}Ms`, stroke: series[name], strokeWidth: 1.8 })),
        Plot.text(seconds.filter(second => second.failed > 0), { fy: "region", x: "x", text: () => "✕", frameAnchor: "bottom", dy: -6, fill: "var(--bad)" }),
        tip(seconds.filter(second => second.p99Ms > 0), Plot.pointerX, { fy: "region", x: "x", y: "p99Ms", title: second => [
          `${second.region}, second ${second.second}, ${second.phase}`, `p50 ${significant(second.p50Ms)} ms`, `p99 ${significant(second.p99Ms)} ms`,
          `slowest ${significant(second.maxMs)} ms`, `${second.answered} answered, ${second.failed} failed`].join("\n") }),
      ],
    });
    const kinds = [...new Set(bands.map(band => band.kind))];
    const parts = [legend([
      { name: "p50 of a second", colour: series.p50, isLine: "none" }, { name: "p99 of a second", colour: series.p99, isLine: "none" },
      { name: "slowest of a second", colour: "var(--muted)", symbol: "CIRCLE" },
      ...kinds.map(kind => ({ name: kind, colour: hue(kind), isBand: 0.3 })),
    ]), drawn];
    if (latencyClassWidth > 1 && seconds.some(second => Object.keys(second.counts).length)) {
      parts.push(span(container, drawn, { latencyClassWidth, regions, seconds }));
    }
    return parts;
  }

  /** Percentiles of the requests that were due within a span of time: of all of it until a reader chooses one. */
  function span(container, drawn, { latencyClassWidth, regions, seconds }) {
    const part = document.createElement("div");
    part.innerHTML = `<h3>Percentiles of a span of time</h3>
      <p>Of all requests that were due within it, those of a warm-up too, to within 1%. Drag over the chart, or type two seconds.</p>
      <p class="span"><label>From second <input id="span-from" type="number" step="1"></label>
      <label>until second <input id="span-until" type="number" step="1"></label> <button id="span-whole" type="button">Whole time</button></p>
      <div class="scroll" id="span-table"><table class="plain" aria-label="Percentiles of a span of time"><thead><tr><th scope="col">Region</th>
      ${["Answered", "Failed", "p50, ms", "p95, ms", "p99, ms", "Slowest, ms"].map(text => `<th scope="col" class="number">${text}</th>`).join("")}
      </tr></thead><tbody></tbody></table></div>`;
    const [from, until] = part.querySelectorAll("input");
    const body = part.querySelector("tbody");
    const [first, last] = d3.extent(seconds, second => second.second);
    const svg = drawn.tagName === "svg" ? drawn : drawn.querySelector("svg");
    const x = drawn.scale("x");
    const ordered = d3.sort(seconds, second => second.x);
    const mark = d3.select(svg).append("rect").attr("class", "selection").attr("y", 54).attr("height", svg.getAttribute("height") - 78);
    const select = (start, end) => {
      container.span = [start, end];
      const chosen = ordered.filter(second => second.second >= start && second.second < end);
      const [left, right] = chosen.length ? [x.apply(chosen[0].x - 0.5), x.apply(chosen[chosen.length - 1].x + 0.5)] : [0, 0];
      mark.attr("visibility", chosen.length && chosen.length < ordered.length ? "visible" : "hidden").attr("x", left).attr("width", right - left);
      [from.value, until.value] = [start, end];
      body.replaceChildren(...["all regions", ...regions].map((region, position) => {
        const own = seconds.filter(second => second.second >= start && second.second < end && (!position || second.region === region));
        const row = document.createElement("tr");
        const name = document.createElement("th");
        name.scope = "row";
        name.append(region);
        row.append(name);
        [d3.sum(own, second => second.answered), d3.sum(own, second => second.failed), ...percentiles(own, latencyClassWidth)].forEach(value => {
          const cell = document.createElement("td");
          cell.className = "number";
          cell.append(value === undefined ? "–" : value > 999 || Number.isInteger(value) ? d3.format(",.0f")(value) : significant(value));
          row.append(cell);
        });
        return row;
      }));
    };
    [from, until].forEach(input => input.addEventListener("change", () => {
      const [start, end] = d3.extent([Number(from.value), Number(until.value)]);
      select(Math.max(first, Math.min(start, last)), Math.max(start + 1, Math.min(end, last + 1)));
    }));
    part.querySelector("button").addEventListener("click", () => select(first, last + 1));
    const nearest = place => ordered[d3.bisector(second => second.x).center(ordered, place)].second;
    let start = null;
    const pointed = event => nearest(x.invert(d3.pointer(event, svg)[0]));
    // Plot keeps a press for itself, so these come before its listeners.
    svg.addEventListener("pointerdown", event => {
      start = pointed(event);
    }, true);
    svg.addEventListener("pointerup", event => {
      const [low, high] = d3.extent([start ?? first, pointed(event)]);
      if (start !== null && high > low) {
        select(low, high + 1);
      }
      start = null;
    }, true);
    select(...(container.span ?? [first, last + 1]));
    return part;
  }

  /** The middle of the class that each percentile falls into; the slowest is known exactly. */
  function percentiles(seconds, width) {
    const counts = d3.rollup(seconds.flatMap(second => Object.entries(second.counts)),
      entries => d3.sum(entries, ([, number]) => number), ([latencyClass]) => Number(latencyClass));
    const classes = d3.sort(counts, ([latencyClass]) => latencyClass);
    const cumulated = d3.cumsum(classes, ([, number]) => number);
    const slowest = d3.max(seconds, second => second.maxMs);
    return [...[0.5, 0.95, 0.99].map(share => {
      const found = classes[d3.bisectLeft(cumulated, share * cumulated[cumulated.length - 1])];
      return found && Math.min(slowest, width ** (found[0] + 0.5));
    }), slowest];
  }

  // Drawing

  const kinds = { intervals, lines, samples, bars, densities, timeline };
  const drawnCharts = [...document.querySelectorAll(".chart[data-kind]")].map(container => ({
    container, width: 0, data: JSON.parse(container.querySelector("script").textContent) }));

  /** Draws every chart whose width has changed; one in a part that is collapsed has none. */
  function draw(fixedWidth) {
    drawnCharts.forEach(chart => {
      const width = Math.min(fixedWidth ?? Infinity, chart.container.clientWidth);
      if (width > 0 && Math.abs(width - chart.width) >= 1) {
        chart.width = width;
        const parts = kinds[chart.container.dataset.kind](chart.data, width, chart.container);
        parts.flatMap(part => part.tagName === "svg" ? [part] : [...part.querySelectorAll("svg:not([aria-hidden])")]).forEach(svg => {
          svg.setAttribute("role", "img");
          svg.setAttribute("aria-label", chart.container.getAttribute("aria-label"));
          // The chart is one image to a screen reader; the library names its groups, which have no role.
          svg.querySelectorAll("g[aria-label]").forEach(group => group.removeAttribute("aria-label"));
        });
        chart.container.replaceChildren(...parts);
      }
    });
  }

  document.querySelectorAll("table.sortable").forEach(makeSortable);
  window.addEventListener("hashchange", openTarget);
  openTarget();
  if (drawnCharts.length) {
    draw();
    let printing = false;
    new ResizeObserver(() => printing || requestAnimationFrame(() => draw())).observe(document.querySelector("main"));
    document.addEventListener("toggle", () => draw(), true);
    // A chart drawn for a wide window would shrink on paper until its text is too small to read.
    window.addEventListener("beforeprint", () => {
      printing = true;
      draw(690);
    });
    window.addEventListener("afterprint", () => {
      printing = false;
      draw();
    });
  }
})();
