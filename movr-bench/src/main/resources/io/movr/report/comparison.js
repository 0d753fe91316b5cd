"use strict";

(() => {
  const {
    list, isNumber, isInterval, hasEnds, decimalsFor, fixed, significant, ratio, range, ratioRange, ratioWithRange, count, momentText,
    shortVersion, joinWords, add, addLink, addBadge, addTerm, addScroll, addHeaderCell, addTable, addPre, addChart, drawCharts, watchCharts,
    addSvg, logarithmicTicks, tickText, addHorizontalAxis, drawMark, dotPath, showTooltip, hideTooltip,
  } = charts;

  const comparison = JSON.parse(document.getElementById("data").textContent);
  if (!comparison) {
    document.getElementById("lead").textContent = "This page holds no comparison.";
    return;
  }

  const variants = list(comparison.variants);
  const compared = variants.slice(1);
  const rules = comparison.rules || {};
  const confidence = percentText(isNumber(rules.confidence) ? rules.confidence : 0.95);
  const verdicts = {
    "baseline": { kind: "baseline", text: "baseline", sign: "" },
    "better": { kind: "better", text: "better", sign: "▲" },
    "worse": { kind: "worse", text: "worse", sign: "▼" },
    "~": { kind: "unshown", text: "no difference shown", sign: "~" },
    "new": { kind: "new", text: "new", sign: "+" },
    "one value": { kind: "unshown", text: "one value, no interval: cannot tell", sign: "?" },
  };
  const modes = {
    sample: "sample: the time of single calls",
    avgt: "avgt: average time of a call",
    thrpt: "thrpt: calls a time",
    ss: "ss: single shot",
  };
  const seconds = { ns: 1e-9, us: 1e-6, "µs": 1e-6, ms: 1e-3, s: 1, min: 60, hr: 3600, day: 86400 };
  const rows = list(comparison.rows);
  const { differing, common } = partParameters();
  const calls = nameCalls();
  const shown = calls.flatMap(call => call.cells).filter(cell => cell && (cell.verdict === "better" || cell.verdict === "worse") && isInterval(cell.improvement));
  const heatCap = capOf(shown.map(cell => cell.improvement.estimate));
  const dialog = document.getElementById("call");
  const tooltip = document.getElementById("tooltip");
  const grid = { items: [], row: 0, column: 0 };
  let open = { call: null, chosen: new Set(), opener: null };

  drawHeader();
  drawEnvironments();
  drawHeatMap();
  drawIntervals();
  drawNumbers();
  drawUnmatched();
  drawMethod();
  watchCharts();
  watchCalls();

  // Calls

  /** Parameters that are the same for all rows are said once; the others become a part of a row's name. */
  function partParameters() {
    const names = [...new Set(rows.flatMap(row => Object.keys(row.params || {})))];
    const valuesOf = name => new Set(rows.map(row => (row.params || {})[name]));
    const isDiffering = name => valuesOf(name).size > 1;
    const severalModes = new Set(rows.map(row => row.mode)).size > 1;
    const same = rows.length
      ? [...names.filter(name => !isDiffering(name)).map(name => `${name}=${rows[0].params[name]}`), ...(severalModes ? [] : [`mode ${rows[0].mode}`])]
      : [];
    return { differing: { names: names.filter(isDiffering), severalModes }, common: same };
  }

  function nameCalls() {
    const taken = new Set();
    return rows.map((row, position) => {
      const own = differing.names.filter(name => name in (row.params || {})).map(name => `${name}=${row.params[name]}`);
      if (differing.severalModes) {
        own.push(row.mode);
      }
      const plain = ["row", row.benchmark, ...own].join("-").replace(/[^A-Za-z0-9._-]+/g, "-");
      let id = plain;
      for (let number = 2; taken.has(id); number++) {
        id = `${plain}-${number}`;
      }
      taken.add(id);
      const cells = variants.map((variant, index) => list(row.cells)[index] || null);
      return { row, position, id, cells, name: String(row.benchmark), detail: own.join(", "), unit: unitOf(row, cells) };
    });
  }

  /** One unit for all medians of a row, so that they can be compared at a glance: the one in which the first is at least 1. */
  function unitOf(row, cells) {
    const [, counted = "", per = ""] = /^([^/]+)\/(.+)$/.exec(row.unit || "") || [];
    const first = cells.map(medianOf).find(isNumber) || 0;
    if (per === "op" && seconds[counted]) {
      const base = seconds[counted];
      const sizes = [["s", 1], ["ms", 1e-3], ["µs", 1e-6], ["ns", 1e-9]];
      const [name, size] = sizes.find(one => first * base >= one[1]) || sizes[3];
      return { name, factor: base / size, base };
    }
    if (counted === "ops" && seconds[per]) {
      const base = 1 / seconds[per];
      const sizes = [["ops/µs", 1e6], ["ops/ms", 1e3], ["ops/s", 1]];
      const [name, size] = sizes.find(one => first * base >= 1000 * one[1]) || sizes[2];
      return { name, factor: base / size, base };
    }
    return { name: row.unit || "", factor: 1, base: 1 };
  }

  function medianOf(cell) {
    return cell && cell.median && isNumber(cell.median.estimate) ? cell.median.estimate : null;
  }

  function verdictOf(cell) {
    return verdicts[cell.verdict] || verdicts["~"];
  }

  function fullName(call) {
    return call.detail ? `${call.name} (${call.detail})` : call.name;
  }

  // Numbers as text

  function value(call, number) {
    return isNumber(number) ? `${significant(number * call.unit.factor)} ${call.unit.name}`.trim() : "–";
  }

  function scaled(call, interval) {
    const { factor } = call.unit;
    return { estimate: interval.estimate * factor, low: interval.low * factor, high: interval.high * factor };
  }

  function medianRange(call, cell) {
    const interval = scaled(call, cell.median);
    return range(interval, decimalsFor(interval.estimate));
  }

  function medianWithRange(call, cell) {
    return medianOf(cell) === null ? "–" : `${value(call, cell.median.estimate)} ${medianRange(call, cell)}`.trim();
  }

  function percentText(share) {
    return `${tickText(100 * share)}%`;
  }

  function probability(number) {
    if (!isNumber(number)) {
      return "–";
    }
    return number < 0.001 ? "< 0.001" : fixed(number, number < 0.01 ? 3 : 2);
  }

  function withSign(number) {
    return number.startsWith("<") ? number : `= ${number}`;
  }

  function noiseText(floor) {
    return isNumber(floor) ? ratio(floor) : "not measured";
  }

  function runsText(cell) {
    return `n = ${d3.format(",")(cell.n)} in ${count(cell.forks, "fork")}`;
  }

  /** Cuts the middle out of a name that has no room: names of results differ at their ends. */
  function shorten(text, room) {
    const most = Math.max(6, Math.floor(room / 7.4));
    if (text.length <= most) {
      return text;
    }
    const kept = most - 1;
    return `${text.slice(0, Math.ceil(kept / 2))}…${text.slice(text.length - Math.floor(kept / 2))}`;
  }

  function cellLines(call, index) {
    const cell = call.cells[index];
    const lines = [`${fullName(call)}: ${variants[index].name}`];
    if (!cell) {
      return [...lines, "not measured"];
    }
    lines.push(verdictOf(cell).text, `median ${medianWithRange(call, cell)}`);
    const baseline = call.cells.find(other => other && other.verdict === "baseline");
    if (baseline && baseline !== call.cells[index]) {
      lines.push(`baseline ${medianWithRange(call, baseline)}`);
    }
    if (isInterval(cell.improvement)) {
      lines.push(`improvement ${ratioWithRange(cell.improvement)}`);
    }
    if (isNumber(cell.pValue)) {
      lines.push(`p ${withSign(probability(cell.pValue))}, adjusted p ${withSign(probability(cell.pAdjusted))}`);
    }
    lines.push(`noise floor ${noiseText(call.row.noiseFloor)}`, runsText(cell));
    return lines;
  }

  // Header

  function drawHeader() {
    const names = compared.length > 3 ? `${compared.length} variants` : joinWords(compared.map(variant => variant.name));
    const by = comparison.by === "result" ? "result by result" : `by ${comparison.by}`;
    document.getElementById("lead").textContent = compared.length
      ? `${names} ${compared.length === 1 ? "is" : "are"} compared with the baseline ${comparison.baseline}, ${by}.`
      : `There is nothing to compare ${comparison.baseline} with.`;

    const facts = document.getElementById("facts");
    addTerm(facts, "Compared", momentText(comparison.createdAt));
    addTerm(facts, "By", comparison.by);
    addTerm(facts, "Baseline", comparison.baseline);
    addTerm(facts, "Variants", d3.format(",")(compared.length));
    addTerm(facts, "Calls", d3.format(",")(calls.length));
    if (common.length) {
      addTerm(facts, "Same for all calls", common.join(", "));
    }
    const sources = [...new Set(variants.map(variant => variant.source).filter(Boolean))];
    addTerm(facts, sources.length === 1 ? "Source" : "Sources", sources.join(", ") || "–");

    if (list(comparison.command).length) {
      addPre(document.getElementById("command"), "command", comparison.command.join(" "), "Command");
    }
    const warnings = document.getElementById("warnings");
    list(comparison.warnings).forEach(warning => add(warnings, "p", "notice", warning));
  }

  // Environments

  function drawEnvironments() {
    const section = document.getElementById("environments");
    const differences = list(comparison.differences);
    const unknown = variants.filter(variant => !variant.environment).map(variant => variant.name);
    if (!differences.length) {
      const environment = (variants.find(variant => variant.environment) || {}).environment;
      let sentence = "Where these were measured is not recorded, so their environments cannot be compared.";
      if (environment && unknown.length) {
        sentence = `The environments agree as far as they are recorded; that of ${joinWords(unknown)} is not.`;
      } else if (environment) {
        const words = [shortVersion(environment), environment.java && `Java ${environment.java}`,
          isNumber(environment.cores) && count(environment.cores, "core")];
        sentence = `The environments agree: ${words.filter(Boolean).join(", ")}.`;
      }
      section.className = "agree";
      add(section, "p", environment && !unknown.length ? "" : "notice", sentence);
      return;
    }

    section.removeAttribute("aria-label");
    const heading = add(section, "h2", "", "The environments differ");
    heading.id = "environments-heading";
    section.setAttribute("aria-labelledby", heading.id);
    add(section, "p", "", "Any improvement below may come from one of these differences.");
    const body = addTable(addScroll(section, "Differences of the environments"), "differences", "Differences of the environments",
      [["What"], ...variants.map(variant => [variant.name])]);
    differences.forEach(difference => {
      const line = add(body, "tr");
      addHeaderCell(line, difference.what, "row");
      variants.forEach((variant, index) => {
        const recorded = list(difference.values)[index];
        const known = recorded !== null && recorded !== undefined && recorded !== "";
        const isOther = index > 0 && recorded !== list(difference.values)[0];
        add(line, "td", !known ? "muted" : isOther ? "strong" : "", known ? String(recorded) : "not recorded");
      });
    });
  }

  // Heat map

  /** The factor at which colour is strongest: the least that covers nine in ten of what is coloured. */
  function capOf(estimates) {
    const sizes = d3.sort(estimates.map(estimate => Math.exp(Math.abs(Math.log(estimate)))));
    const covered = d3.quantileSorted(sizes, 0.9) || 1;
    return [1.5, 2, 4, 8].find(cap => covered <= cap) || 8;
  }

  /** From 30, which still differs from grey, to 100 at the cap. */
  function strength(estimate) {
    return 30 + 70 * Math.min(1, Math.abs(Math.log(estimate)) / Math.log(heatCap));
  }

  function colourHeat(element, kind, estimate) {
    element.classList.add("heat", kind);
    if (estimate) {
      element.style.setProperty("--strength", `${strength(estimate).toFixed(1)}%`);
    }
  }

  function withRole(element, role) {
    element.setAttribute("role", role);
    return element;
  }

  /** A table with a line for each call and a column for each variant; its roles are said because narrow windows lay it out as a grid. */
  function addCallTable(parent, className, label, columns, role, fillHeading) {
    const table = withRole(add(parent, "table", `calls ${className}`), role);
    table.setAttribute("aria-label", label);
    table.style.setProperty("--columns", columns.length);
    const line = withRole(add(withRole(add(table, "thead"), "rowgroup"), "tr"), "row");
    withRole(addHeaderCell(line, "Call", "col", "corner"), "columnheader");
    columns.forEach(variant => fillHeading(withRole(addHeaderCell(line, null, "col"), "columnheader"), variant));
    return table;
  }

  function addCallLink(parent, call) {
    const link = addLink(parent, "", `#${call.id}`);
    addBreakable(link, call.name);
    return link;
  }

  /** Lets a long name break between its words, which have no spaces between them. */
  function addBreakable(parent, text) {
    text.split(/(?<=[./_=-])|(?<=[a-z0-9])(?=[A-Z])/).forEach((part, position) => {
      if (position) {
        add(parent, "wbr");
      }
      parent.append(part);
    });
  }

  function addCallName(line, call) {
    const header = withRole(addHeaderCell(line, null, "row"), "rowheader");
    const name = add(header, "div", "call-name");
    const link = addCallLink(name, call);
    if (call.detail) {
      add(name, "span", "sub", call.detail);
    }
    return link;
  }

  function drawHeatMap() {
    const tally = ["better", "worse", "~", "one value"].map(verdict => [calls.flatMap(call => call.cells.slice(1)).filter(cell => cell && cell.verdict === verdict).length, verdict]);
    const total = d3.sum(tally, ([number]) => number);
    document.getElementById("tally").textContent = total
      ? `Of ${count(total, "comparison")}, ${joinWords(tally.filter(([number]) => number).map(([number, verdict]) =>
        `${number} ${verdict === "~" ? `${number === 1 ? "shows" : "show"} no difference` : verdict === "one value" ? `${number === 1 ? "has" : "have"} one value on a side, which tells nothing` : `${number === 1 ? "is" : "are"} ${verdict}`}`))}. `
        + "An improvement above 1 is better whatever is measured. Press a cell or a call for its details."
      : "No call was measured both in the baseline and in another variant.";
    if (!calls.length) {
      return;
    }
    drawHeatLegend();

    const scroll = add(document.getElementById("heat-map"), "div", "scroll");
    const table = addCallTable(scroll, "heat-map", "Improvement of each call over the baseline", variants, "grid", (heading, variant) => {
      addBreakable(heading, variant.name);
      if (variant === variants[0]) {
        add(heading, "span", "sub", "baseline, median");
      }
    });
    const body = withRole(add(table, "tbody"), "rowgroup");
    calls.forEach(call => {
      const line = withRole(add(body, "tr"), "row");
      const link = addCallName(line, call);
      const cells = call.cells.map((cell, index) => addHeatCell(line, call, cell, index));
      const items = [link, ...cells];
      items.forEach((item, column) => prepareItem(item, grid.items.length, column));
      grid.items.push(items);
    });
    grid.items[0][0].tabIndex = 0;
    addMeans(table);
    table.addEventListener("keydown", moveInGrid);

    // Where all columns fit, the headings may stay in sight while the page scrolls; a scroll container would hold them.
    new ResizeObserver(() => {
      scroll.classList.remove("fits");
      scroll.classList.toggle("fits", table.scrollWidth <= scroll.clientWidth);
    }).observe(document.querySelector("main"));
  }

  function addHeatCell(line, call, cell, index) {
    const element = withRole(add(line, "td"), "gridcell");
    if (!cell) {
      colourHeat(element, "absent");
      element.textContent = "–";
      element.setAttribute("aria-label", "not measured");
    } else if (cell.verdict === "baseline" || cell.verdict === "new") {
      colourHeat(element, verdictOf(cell).kind);
      element.append(value(call, medianOf(cell)));
      if (index) {
        add(element, "span", "mini", verdictOf(cell).text);
      }
    } else {
      const { kind, text } = verdictOf(cell);
      const estimate = isInterval(cell.improvement) ? cell.improvement.estimate : null;
      const number = estimate ? ratio(estimate) : isNumber(cell.quotient) ? ratio(cell.quotient) : "";
      colourHeat(element, kind, kind === "unshown" ? null : estimate);
      element.textContent = kind === "unshown" ? `${verdictOf(cell).sign} ${number}`.trim() : number || text;
      element.setAttribute("aria-label", `${number} ${text}`.trim());
    }
    element.addEventListener("click", () => openCall(call, index, element));
    return element;
  }

  function prepareItem(item, row, column) {
    const call = calls[row];
    item.tabIndex = -1;
    item.addEventListener("focus", () => {
      grid.items[grid.row][grid.column].tabIndex = -1;
      grid.row = row;
      grid.column = column;
      item.tabIndex = 0;
      if (column && item.matches(":focus-visible")) {
        const box = item.getBoundingClientRect();
        showTooltip({ clientX: box.left, clientY: box.bottom - 8 }, cellLines(call, column - 1), box.height - 8);
      }
    });
    item.addEventListener("blur", hideTooltip);
    if (column) {
      item.addEventListener("pointermove", event => showTooltip(event, cellLines(call, column - 1)));
      item.addEventListener("pointerleave", hideTooltip);
    }
  }

  function moveInGrid(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      if (!(event.ctrlKey && (event.key === "Home" || event.key === "End"))) {
        return;
      }
    }
    const { items } = grid;
    const lastRow = items.length - 1;
    const lastColumn = items[0].length - 1;
    let { row, column } = grid;
    switch (event.key) {
      case "ArrowUp": row--; break;
      case "ArrowDown": row++; break;
      case "ArrowLeft": column--; break;
      case "ArrowRight": column++; break;
      case "Home": column = 0; row = event.ctrlKey ? 0 : row; break;
      case "End": column = lastColumn; row = event.ctrlKey ? lastRow : row; break;
      case "PageUp": row -= 10; break;
      case "PageDown": row += 10; break;
      case "Escape": hideTooltip(); return;
      case "Enter":
      case " ":
        event.preventDefault();
        items[row][column].click();
        return;
      default: return;
    }
    event.preventDefault();
    items[Math.max(0, Math.min(lastRow, row))][Math.max(0, Math.min(lastColumn, column))].focus();
  }

  function addMeans(table) {
    const means = list(comparison.geometricMeans);
    if (!means.length) {
      return;
    }
    const line = withRole(add(withRole(add(table, "tfoot"), "rowgroup"), "tr"), "row");
    const header = withRole(addHeaderCell(line, null, "row"), "rowheader");
    const name = add(header, "div", "call-name", "Geometric mean");
    add(name, "span", "sub", "of all rows that the baseline has too, shown or not");
    variants.forEach((variant, index) => {
      const cell = withRole(add(line, "td"), "gridcell");
      // Names of results may be the same; the order is not.
      const mean = !index ? null : means.length === compared.length ? means[index - 1] : means.find(one => one.variant === variant.name);
      if (mean && isNumber(mean.improvement)) {
        cell.append(ratio(mean.improvement));
        add(cell, "span", "sub", `of ${count(mean.of, "call")}`);
      } else {
        cell.textContent = index ? "–" : "";
      }
    });
  }

  function drawHeatLegend() {
    const legend = document.getElementById("heat-legend");
    const swatch = (text, kind, number, estimate) => {
      const entry = add(legend, "li");
      const box = add(entry, "span", "swatch", number);
      colourHeat(box, kind, estimate);
      entry.append(text);
    };
    const middle = Math.sqrt(heatCap);
    swatch("or less, worse", "worse", ratio(1 / heatCap), 1 / heatCap);
    swatch("worse", "worse", ratio(1 / middle), 1 / middle);
    swatch("no difference shown", "unshown", "~");
    swatch("better", "better", ratio(middle), middle);
    swatch("or more, better", "better", ratio(heatCap), heatCap);
    const cells = calls.flatMap(call => call.cells);
    if (cells.includes(null)) {
      swatch("not measured", "absent", "–");
    }
    if (cells.some(cell => cell && cell.verdict === "new")) {
      swatch("not in the baseline, so its median stands here", "new", "new");
    }
    document.getElementById("heat-caption").textContent = "Colour follows the logarithm of the improvement: twice as good and half as good are equally strong. "
      + `From ${ratio(heatCap)} up and from ${ratio(1 / heatCap)} down it grows no stronger; the numbers do. Grey cells are inside the noise floor or not significant.`;
  }

  // Intervals

  function intervalsOf(call) {
    return call.cells.slice(1).filter(cell => cell && isInterval(cell.improvement)).map(cell => cell.improvement);
  }

  function drawIntervals() {
    const intervals = calls.flatMap(intervalsOf);
    const section = document.getElementById("intervals");
    if (!intervals.length) {
      section.hidden = true;
      return;
    }
    drawIntervalsLegend();
    const floors = calls.map(call => call.row.noiseFloor).filter(floor => isNumber(floor) && floor >= 1);
    const sizes = d3.sort(intervals.map(interval => Math.exp(Math.abs(Math.log(interval.estimate)))));
    // A few huge factors must not squash the rest.
    const bound = Math.max(10, d3.quantileSorted(sizes, 0.9) * 1.3);
    const ends = [0.9, 1 / 0.9, ...floors, ...floors.map(floor => 1 / floor),
      ...intervals.flatMap(interval => hasEnds(interval) ? [interval.low, interval.high] : [interval.estimate])];
    const domain = [Math.max(1 / bound, d3.min(ends)) / 1.08, Math.min(bound, d3.max(ends)) * 1.08];

    addChart(document.getElementById("intervals-chart"), 690, (container, width) => {
      const narrow = width < 640;
      const nameWidth = narrow ? 0 : Math.max(170, Math.min(320, width * 0.26));
      const columnWidth = Math.max(narrow ? Math.min(width, 190) : 96, Math.floor((width - nameWidth) / compared.length) - 1);
      const scale = d3.scaleLog().domain(domain).range([14, columnWidth - 14]).clamp(true);
      const ticks = logarithmicTicks(scale, 46);
      const scroll = addScroll(container, "Intervals of the improvements");
      const table = addCallTable(scroll, "intervals", "Improvement with its interval", compared, "table", (heading, variant) => {
        addBreakable(heading, variant.name);
        addAxis(heading, columnWidth, scale, ticks);
      });
      table.style.setProperty("--name", `${nameWidth}px`);
      table.style.setProperty("--column", `${columnWidth}px`);
      const body = withRole(add(table, "tbody"), "rowgroup");
      calls.forEach(call => {
        const line = withRole(add(body, "tr"), "row");
        addCallName(line, call);
        compared.forEach((variant, index) => drawInterval(withRole(add(line, "td"), "cell"), call, index + 1, columnWidth, scale, ticks));
      });
    });
  }

  function addAxis(parent, width, scale, ticks) {
    const svg = addSvg(parent, width, 18, "Axis of improvement").attr("width", width).attr("aria-hidden", "true");
    ticks.forEach(tick => svg.append("text").attr("x", scale(tick)).attr("y", 13).attr("text-anchor", "middle").text(tickText(tick)));
  }

  function drawInterval(parent, call, index, width, scale, ticks) {
    const cell = call.cells[index];
    const height = call.detail ? 40 : 30;
    const middle = height / 2;
    const svg = addSvg(parent, width, height, "").attr("width", width);
    const floor = call.row.noiseFloor;
    if (isNumber(floor) && floor >= 1) {
      const start = scale(1 / floor);
      svg.append("rect").attr("class", "noise").attr("x", start).attr("width", Math.max(2, scale(floor) - start)).attr("y", 0).attr("height", height);
    }
    const axis = svg.append("g").attr("class", "axis");
    ticks.forEach(tick => axis.append("line").attr("x1", scale(tick)).attr("x2", scale(tick)).attr("y1", 0).attr("y2", height));
    svg.append("line").attr("class", "unity").attr("x1", scale(1)).attr("x2", scale(1)).attr("y1", 0).attr("y2", height);
    if (!cell || !isInterval(cell.improvement)) {
      const words = cell ? verdictOf(cell).text : "–";
      svg.attr("aria-label", cell ? words : "not measured");
      svg.append("text").attr("class", "on-paper").attr("x", scale(1)).attr("y", middle + 4).attr("text-anchor", "middle").text(words);
    } else {
      const { kind, text } = verdictOf(cell);
      const { estimate } = cell.improvement;
      svg.attr("aria-label", `${ratioWithRange(cell.improvement)}, ${text}`);
      const [low, high] = scale.domain();
      if (estimate > high || estimate < low) {
        const edge = estimate > high ? width - 8 : 8;
        const back = estimate > high ? -5 : 5;
        svg.append("path").attr("class", `beyond ${kind}`).attr("d", `M${edge + back},${middle - 5}L${edge},${middle}L${edge + back},${middle + 5}`);
        svg.append("text").attr("class", "on-paper").attr("x", edge + 2 * back).attr("y", middle + 4)
          .attr("text-anchor", back < 0 ? "end" : "start").text(ratio(estimate));
      } else {
        drawMark(svg, scale, cell.improvement, middle, d3.symbolCircle, 62, kind);
      }
    }
    svg.on("pointermove", event => showTooltip(event, cellLines(call, index))).on("pointerleave", hideTooltip);
  }

  function drawIntervalsLegend() {
    const legend = document.getElementById("intervals-legend");
    const scale = d3.scaleLinear().range([3, 27]);
    const item = (text, draw) => {
      const entry = add(legend, "li");
      draw(d3.select(entry).append("svg").attr("width", 30).attr("height", 16).attr("aria-hidden", "true"));
      entry.append(text);
    };
    [["better", "better"], ["worse", "worse"], ["unshown", "no difference shown"]].forEach(([kind, text]) =>
      item(`${text}, ${confidence} interval`, svg => drawMark(svg, scale, { estimate: 0.5, low: 0.0001, high: 1 }, 8, d3.symbolCircle, 62, kind)));
    if (!calls.some(call => isNumber(call.row.noiseFloor))) {
      return;
    }
    item("noise floor of the row", svg => svg.append("rect").attr("class", "noise").attr("x", 8).attr("y", 0).attr("width", 14).attr("height", 16));
  }

  // All numbers

  function drawNumbers() {
    if (!calls.length) {
      document.getElementById("numbers").hidden = true;
      return;
    }
    const container = document.getElementById("numbers-table");
    const lines = calls.flatMap(call => call.cells.map((cell, index) => ({ call, cell, index })).filter(line => line.cell));
    const order = Object.keys(verdicts);
    const columns = [
      { name: "Call", of: ({ call }) => fullName(call), text: true },
      { name: "Variant", of: ({ index }) => index },
      { name: "Median", note: `${confidence} interval`, of: ({ call, cell }) => medianOf(cell) * call.unit.base, number: true },
      { name: "Improvement", note: `${confidence} interval`, of: ({ cell }) => isInterval(cell.improvement) ? cell.improvement.estimate : null, number: true },
      { name: "Verdict", of: ({ cell }) => order.indexOf(cell.verdict) },
      { name: "p", of: ({ cell }) => cell.pValue, number: true },
      { name: "Adjusted p", of: ({ cell }) => cell.pAdjusted, number: true },
      { name: "Noise floor", of: ({ call }) => call.row.noiseFloor, number: true },
      { name: "Mean", of: ({ call, cell }) => cell.mean * call.unit.base, number: true },
      { name: "n", of: ({ cell }) => cell.n, number: true },
    ];
    const body = addTable(addScroll(container, "All numbers"), "numbers", "All numbers", []);
    const headings = body.parentElement.querySelector("thead tr");
    lines.forEach(line => {
      line.element = document.createElement("tr");
      fillNumbers(line.element, line);
    });
    let sorted = { column: null, descending: false };

    columns.forEach(column => {
      const heading = addHeaderCell(headings, null, "col", column.number ? "number" : "");
      const button = add(heading, "button", "sort", column.name);
      button.type = "button";
      add(button, "span", "arrow").setAttribute("aria-hidden", "true");
      if (column.note) {
        add(heading, "span", "sub", column.note);
      }
      button.addEventListener("click", () => {
        sorted = { column, descending: sorted.column === column && !sorted.descending };
        [...headings.children].forEach(other => other.removeAttribute("aria-sort"));
        heading.setAttribute("aria-sort", sorted.descending ? "descending" : "ascending");
        fill();
      });
    });

    // What has no value stays last in either order.
    const compare = (left, right) => {
      const { column, descending } = sorted;
      const [a, b] = [column.of(left), column.of(right)];
      if (column.text) {
        return a.localeCompare(b, "en", { numeric: true }) * (descending ? -1 : 1);
      }
      if (!isNumber(a) || !isNumber(b)) {
        return isNumber(b) - isNumber(a);
      }
      return descending ? b - a : a - b;
    };
    const fill = () => body.replaceChildren(...(sorted.column ? [...lines].sort(compare) : lines).map(line => line.element));
    fill();
  }

  function fillNumbers(element, { call, cell, index }) {
    const header = addHeaderCell(element, null, "row");
    addCallLink(header, call);
    if (call.detail) {
      add(header, "span", "sub", call.detail);
    }
    add(element, "td", "variant", variants[index].name);
    addMedian(element, call, cell);
    addImprovement(element, cell);
    addVerdict(add(element, "td"), cell);
    add(element, "td", "number", probability(cell.pValue));
    add(element, "td", "number", probability(cell.pAdjusted));
    add(element, "td", "number", isNumber(call.row.noiseFloor) ? ratio(call.row.noiseFloor) : "–");
    add(element, "td", "number", value(call, cell.mean));
    addRuns(element, cell);
  }

  function addMedian(line, call, cell) {
    const element = add(line, "td", "number");
    add(element, "span", "strong", value(call, medianOf(cell)));
    if (medianOf(cell) !== null) {
      add(element, "span", "sub", medianRange(call, cell));
    }
  }

  function addImprovement(line, cell) {
    const element = add(line, "td", "number", isInterval(cell.improvement) ? null : "–");
    if (isInterval(cell.improvement)) {
      add(element, "span", "strong", ratio(cell.improvement.estimate));
      add(element, "span", "sub", ratioRange(cell.improvement));
    }
  }

  function addRuns(line, cell) {
    const element = add(line, "td", "number", isNumber(cell.n) ? d3.format(",")(cell.n) : "–");
    if (isNumber(cell.forks)) {
      add(element, "span", "sub", count(cell.forks, "fork"));
    }
  }

  function addVerdict(parent, cell) {
    const { kind, text, sign } = verdictOf(cell);
    const badge = addBadge(parent, text, sign);
    badge.classList.add(`is-${kind}`);
  }

  // Missing and added

  function drawUnmatched() {
    const lists = document.getElementById("unmatched-lists");
    const draw = (entries, heading) => list(entries).filter(entry => list(entry.rows).length).forEach(entry => {
      document.getElementById("unmatched").hidden = false;
      const block = add(lists, "div");
      add(block, "h3", "", heading(entry));
      const names = add(block, "ul", "notes");
      entry.rows.forEach(name => add(names, "li", "", name));
    });
    draw(comparison.missing, entry => `In the baseline, not in ${entry.variant}`);
    draw(comparison.added, entry => `In ${entry.variant}, not in the baseline`);
  }

  // Method

  function drawMethod() {
    const terms = add(document.getElementById("method-text"), "dl");
    const explain = (term, description) => {
      add(terms, "dt", "", term);
      add(terms, "dd", "", description);
    };
    const alpha = isNumber(rules.alpha) ? tickText(rules.alpha) : "0.05";
    const percent = percentText(isNumber(rules.alpha) ? rules.alpha : 0.05);
    explain("Values", "Each iteration of each fork counts as one value, and none is dropped as an outlier. A variant is summed up by the median of its values, "
      + "which a few slow iterations cannot move.");
    explain("Improvement", "For times, it is the baseline’s median over the variant’s; for throughputs, the variant’s over the baseline’s. "
      + "So above 1 is better in both. With several forks a median here is the geometric mean of the forks’ medians.");
    if (calls.some(call => call.cells.slice(1).some(cell => cell && cell.verdict === "baseline"))) {
      explain("Baseline", "What was not measured at the baseline is held against the first that was measured.");
    }
    explain("Intervals", `The ${confidence} interval of an improvement is that of Welch’s t-test over the logarithms of the forks’ medians, and the improvement the ratio `
      + `of their geometric means. For the interval of a median, forks are drawn with replacement, then values within each of them; it is computed how the median of what is drawn is distributed. `
      + "With one fork only values can be drawn.");
    explain("p", "The Mann–Whitney U test asks whether the values of one variant tend to be larger than those of the other. A small p says that chance alone would "
      + "rarely produce such a difference. It takes values for independent, which those of one fork are not: with several forks on both sides the p that is adjusted "
      + "is not below that of Welch’s test between the medians of forks.");
    explain("Adjusted p", isNumber(rules.family) && rules.family > 1
      ? `This page makes ${count(rules.family, "comparison")}, and of so many, some would look different by chance alone. `
        + `${rules.correction || "Holm"}’s correction raises each p so that even one false difference among them all has a chance of at most ${percent}.`
      : `${rules.correction || "Holm"}’s correction corrects for many comparisons at once; here there are not two.`);
    explain("Noise floor", "The same thing measured twice differs by noise alone. The floor is the factor that this noise reaches; no improvement within it, in either "
      + "direction, is called a difference. Where no control was measured, the floor is not known and the interval must only leave out 1.");
    explain("Better and worse", `The adjusted p is below ${alpha}, and the whole interval of the improvement is on one side of 1 and outside the noise floor.`);
    explain("No difference shown (~)", "All else. It does not prove that two variants are equal, only that this measurement does not tell them apart.");
    if (isNumber(rules.failOnPercent)) {
      explain("Gate", `The command fails where a call is worse, and by more than ${tickText(rules.failOnPercent)}%.`);
    }
    if (list(comparison.placement).length) {
      explain("Placement", list(comparison.placement).join(" "));
    }
    explain("Geometric mean", "The mean of ratios, in which twice as good and half as good cancel out. It is of all calls that both variants have, and is not tested.");
  }

  // Details of a call

  function watchCalls() {
    window.addEventListener("hashchange", readHash);
    dialog.addEventListener("click", event => {
      if (event.target === dialog) {
        dialog.close();
      }
    });
    dialog.addEventListener("close", () => {
      const { call, opener } = open;
      hideTooltip();
      document.body.append(tooltip);
      dialog.replaceChildren();
      open = { call: null, chosen: new Set(), opener: null };
      if (callOfHash()) {
        history.replaceState(null, "", location.href.split("#")[0]);
      }
      const target = opener && opener.isConnected ? opener : grid.items[call.position][0];
      target.focus();
    });
    readHash();
  }

  function callOfHash() {
    return calls.find(call => `#${call.id}` === location.hash);
  }

  function readHash() {
    const call = callOfHash();
    if (!call) {
      if (dialog.open) {
        dialog.close();
      }
    } else if (open.call !== call) {
      const active = document.activeElement;
      showCall(call, open.next ?? null, dialog.open ? open.opener : active === document.body ? null : active);
    }
  }

  function openCall(call, index, opener) {
    opener.focus();
    open.next = index;
    location.hash = call.id;
  }

  /** Shows a call, the distribution of one variant beside the baseline's, or of all where none was chosen. */
  function showCall(call, index, opener) {
    const chosen = index ? [0, index] : variants.map((variant, position) => position);
    open = { call, chosen: new Set(chosen), opener };
    hideTooltip();
    drawCall(call);
    if (!dialog.open) {
      // An open dialog lies above all else, so what is to be seen with it must be inside it.
      dialog.append(tooltip);
      dialog.showModal();
    }
    dialog.scrollTop = 0;
    drawCharts();
  }

  function drawCall(call) {
    const { row } = call;
    dialog.replaceChildren(tooltip);
    const page = add(dialog, "div", "call-page");
    const head = add(page, "div", "call-head");
    const bar = add(head, "div", "call-bar");
    const heading = add(head, "h2");
    addBreakable(heading, call.name);
    heading.id = "call-heading";
    // The first button would be focused otherwise, which says less than the name of what was opened.
    heading.tabIndex = -1;
    heading.autofocus = true;
    const step = (text, label, target) => {
      const button = add(bar, "button", "button", text);
      button.type = "button";
      button.setAttribute("aria-label", label);
      button.disabled = !target;
      button.addEventListener("click", () => {
        history.replaceState(null, "", `#${target.id}`);
        showCall(target, open.chosen.size === variants.length ? null : [...open.chosen].find(Boolean), null);
        const again = dialog.querySelector(`button[aria-label="${label}"]:enabled`) || dialog.querySelector("button.close");
        again.focus();
      });
    };
    step("←", "Previous call", calls[call.position - 1]);
    step("→", "Next call", calls[call.position + 1]);
    const close = add(bar, "button", "button close", "Close");
    close.type = "button";
    close.addEventListener("click", () => dialog.close());

    const facts = [...Object.entries(row.params || {}).map(([name, given]) => `${name}=${given}`), modes[row.mode] || row.mode,
      row.better === "higher" ? "higher is better" : "lower is better", `noise floor ${noiseText(row.noiseFloor)}`];
    add(page, "p", "muted small", facts.filter(Boolean).join(" · "));

    const body = addTable(addScroll(page, "Variants"), "call-table", "Variants", [
      ["Variant"], [`Median, ${confidence} interval`, "number"], ["Improvement", "number"], ["Verdict"], ["p", "number"], ["Adjusted p", "number"],
      ["n", "number"],
    ]);
    call.cells.forEach((cell, index) => {
      const line = add(body, "tr");
      addHeaderCell(line, variants[index].name, "row");
      if (!cell) {
        add(line, "td", "muted", "not measured").colSpan = 6;
        return;
      }
      addMedian(line, call, cell);
      addImprovement(line, cell);
      addVerdict(add(line, "td"), cell);
      add(line, "td", "number", probability(cell.pValue));
      add(line, "td", "number", probability(cell.pAdjusted));
      addRuns(line, cell);
    });

    add(page, "h3", "", "Iterations");
    const figure = add(page, "figure");
    const extent = extentOf(call);
    if (extent) {
      addChart(add(figure, "div", "chart"), 660, (container, width) => drawValues(container, width, call, extent));
      add(figure, "figcaption", "", `In ${axisText(call)}${extent.logarithmic ? ", logarithmic" : ""}. A dot is an iteration; each line of dots is a fork. `
        + `The upright line is the median, the shade behind it its ${confidence} interval.`);
    } else {
      add(figure, "p", "muted", "No values were recorded.");
    }
    drawDistributions(page, call);
  }

  function axisText(call) {
    const { name } = call.unit;
    return name.includes("/") ? name : `${name} a call`;
  }

  function valuesOf(cell) {
    return cell ? list(cell.values).map(fork => list(fork).filter(isNumber)) : [];
  }

  function extentOf(call) {
    const { factor } = call.unit;
    const all = call.cells.flatMap(cell => cell
      ? [...valuesOf(cell).flat(), ...(medianOf(cell) === null ? [] : [cell.median.estimate, cell.median.low, cell.median.high])] : [])
      .filter(isNumber).map(number => number * factor);
    if (!all.length) {
      return null;
    }
    const [lowest, highest] = d3.extent(all);
    const logarithmic = lowest > 0 && highest / lowest > 6;
    const padding = (highest - lowest || Math.abs(highest) || 1) * 0.04;
    return { logarithmic, domain: logarithmic ? [lowest / 1.06, highest * 1.06] : [Math.max(0, lowest - padding), highest + padding] };
  }

  function laneLayout(width) {
    const narrow = width < 560;
    return { narrow, left: narrow ? 16 : 176, right: width - 16, labelHeight: narrow ? 22 : 0 };
  }

  function addLaneName(lane, layout, top, height, name, second) {
    if (layout.narrow) {
      lane.append("text").attr("class", "name").attr("x", 0).attr("y", top - 6).text(shorten(name, (layout.right + 16) * 0.6))
        .append("tspan").attr("dx", 8).style("font-weight", 400).text(second);
    } else {
      lane.append("text").attr("class", "name").attr("x", 0).attr("y", top + height / 2 - 2).text(shorten(name, 160));
      lane.append("text").attr("x", 0).attr("y", top + height / 2 + 15).text(second);
    }
  }

  function drawValues(container, width, call, extent) {
    const layout = laneLayout(width);
    const present = call.cells.map((cell, index) => ({ cell, index })).filter(({ cell }) => valuesOf(cell).flat().length || medianOf(cell) !== null);
    const laneHeights = present.map(({ cell }) => Math.max(46, 14 + valuesOf(cell).length * (valuesOf(cell).length > 8 ? 6 : 10)));
    const height = 6 + d3.sum(laneHeights) + present.length * layout.labelHeight + 24;
    const scale = (extent.logarithmic ? d3.scaleLog() : d3.scaleLinear()).domain(extent.domain).range([layout.left, layout.right]);
    const svg = addSvg(container, width, height, `Values of the iterations of ${fullName(call)}; medians: `
      + present.map(({ cell, index }) => `${variants[index].name} ${value(call, medianOf(cell))}`).join(", "));
    const ticks = extent.logarithmic ? logarithmicTicks(scale, 44) : scale.ticks(Math.max(2, Math.floor((layout.right - layout.left) / 64)));
    addHorizontalAxis(svg, scale, ticks, 4, height - 24, tickText);

    let top = 6;
    present.forEach(({ cell, index }, position) => {
      const laneHeight = laneHeights[position];
      const { factor } = call.unit;
      const { kind } = verdictOf(cell);
      const lane = svg.append("g").attr("class", "row");
      lane.append("rect").attr("class", "row-back").attr("x", 0).attr("y", top).attr("width", width).attr("height", laneHeight + layout.labelHeight);
      if (position) {
        lane.append("line").attr("class", "row-line").attr("x1", 0).attr("x2", width).attr("y1", top).attr("y2", top);
      }
      top += layout.labelHeight;
      const numbers = isInterval(cell.improvement) ? `${value(call, medianOf(cell))}, ${ratio(cell.improvement.estimate)}` : value(call, medianOf(cell));
      addLaneName(lane, layout, top, laneHeight, variants[index].name, numbers);

      if (medianOf(cell) !== null) {
        const interval = scaled(call, cell.median);
        if (hasEnds(interval)) {
          lane.append("rect").attr("class", "median-interval").attr("x", scale(interval.low)).attr("y", top + 4)
            .attr("width", Math.max(1, scale(interval.high) - scale(interval.low))).attr("height", laneHeight - 8);
        }
        lane.append("line").attr("class", "median").attr("x1", scale(interval.estimate)).attr("x2", scale(interval.estimate))
          .attr("y1", top + 3).attr("y2", top + laneHeight - 3);
      }
      const forks = valuesOf(cell);
      const step = (laneHeight - 14) / Math.max(1, forks.length);
      const points = forks.flatMap((fork, number) => fork.map(one => [scale(one * factor), top + 7 + step * (number + 0.5)]));
      lane.append("path").attr("class", `dots big ${kind}`).attr("d", dotPath(points));
      lane.on("pointermove", event => showTooltip(event, cellLines(call, index))).on("pointerleave", hideTooltip);
      top += laneHeight;
    });
  }

  // Distributions

  function binsOf(call, cell) {
    const bins = cell ? list(cell.histogram).filter(([low, high, number]) => high > low && low > 0 && number > 0) : [];
    const total = d3.sum(bins, bin => bin[2]);
    const { factor } = call.unit;
    return bins.map(([low, high, number]) => ({ low: low * factor, high: high * factor, density: number / total / Math.log(high / low) }));
  }

  function quantilesOf(call, cell) {
    return new Map(Object.entries((cell && cell.quantiles) || {}).filter(([, number]) => isNumber(number))
      .map(([share, number]) => [Number(share), number * call.unit.factor]));
  }

  function quantileName(share) {
    return share === 1 ? "max" : share === 0 ? "min" : `p${tickText(share * 100)}`;
  }

  function drawDistributions(page, call) {
    const present = call.cells.map((cell, index) => ({ cell, index, bins: binsOf(call, cell), quantiles: quantilesOf(call, cell) }))
      .filter(({ bins }) => bins.length);
    if (!present.length) {
      return;
    }
    add(page, "h3", "", "Distribution of single calls");
    const figure = add(page, "figure");
    let container;
    const redraw = () => {
      const fresh = document.createElement("div");
      fresh.className = "chart";
      container.replaceWith(fresh);
      container = fresh;
      const drawn = present.filter(({ index }) => open.chosen.has(index));
      addChart(container, 660, (element, width) => drawDensities(element, width, call, drawn, present[0].index === 0 ? present[0] : null));
      drawCharts();
    };
    if (present.length > 1) {
      const choice = add(figure, "fieldset", "choice");
      add(choice, "legend", "", "Show");
      present.forEach(({ index }) => {
        const label = add(choice, "label");
        const box = add(label, "input");
        box.type = "checkbox";
        box.checked = open.chosen.has(index);
        label.append(` ${variants[index].name}`);
        box.addEventListener("change", () => {
          open.chosen[box.checked ? "add" : "delete"](index);
          redraw();
        });
      });
    }
    container = add(figure, "div", "chart");
    redraw();
    add(figure, "figcaption", "", `In ${axisText(call)}, logarithmic. The area shows how the times of single calls are spread, to the same scale for all; `
      + "the outline over it is the baseline’s. Marks stand at the median, p95, p99 and the slowest call.");

    const shares = [...new Set(present.flatMap(({ quantiles }) => [...quantiles.keys()]))].sort((a, b) => a - b);
    if (shares.length) {
      const body = addTable(addScroll(page, "Quantiles"), "call-table", `Quantiles in ${call.unit.name}`,
        [[`Single calls, ${call.unit.name}`], ...shares.map(share => [quantileName(share), "number"])]);
      present.forEach(({ index, quantiles }) => {
        const line = add(body, "tr");
        addHeaderCell(line, variants[index].name, "row");
        shares.forEach(share => add(line, "td", "number", significant(quantiles.get(share))));
      });
    }
  }

  function drawDensities(container, width, call, drawn, baseline) {
    if (!drawn.length) {
      add(container, "p", "muted", "Choose a variant to see its distribution.");
      return;
    }
    const layout = laneLayout(width);
    const areaHeight = 62;
    const marksHeight = 34;
    const laneHeight = layout.labelHeight + areaHeight + marksHeight;
    const height = 6 + laneHeight * drawn.length + 24;
    const outline = baseline && drawn.some(({ index }) => index > 0) ? baseline : null;
    const spanned = outline ? [...drawn, outline] : drawn;
    const densest = d3.max(spanned, ({ bins }) => d3.max(bins, bin => bin.density));
    const highest = d3.max(spanned, ({ bins, quantiles }) => Math.max(bins[bins.length - 1].high, quantiles.get(1) || 0));
    const scale = d3.scaleLog().domain([d3.min(spanned, ({ bins }) => bins[0].low) / 1.03, highest * 1.03]).range([layout.left, layout.right]);
    const svg = addSvg(container, width, height, `Distribution of single calls of ${fullName(call)}; the table below holds its quantiles`);
    addHorizontalAxis(svg, scale, logarithmicTicks(scale, 44), 4, height - 24, tickText);

    drawn.forEach(({ cell, index, bins, quantiles }, position) => {
      const start = 6 + position * laneHeight;
      const top = start + layout.labelHeight;
      const bottom = top + areaHeight;
      const { kind } = verdictOf(cell);
      const lane = svg.append("g");
      if (position) {
        lane.append("line").attr("class", "row-line").attr("x1", 0).attr("x2", width).attr("y1", start).attr("y2", start);
      }
      const middle = quantiles.has(0.5) ? `p50 ${significant(quantiles.get(0.5))} ${call.unit.name}` : "";
      addLaneName(lane, layout, top, areaHeight, variants[index].name, middle);
      const heightOf = bin => bottom - (areaHeight - 6) * bin.density / densest;
      lane.append("path").attr("class", `density ${kind}`).attr("d", stepPath(bins, scale, heightOf, bottom));
      if (outline && index > 0) {
        lane.append("path").attr("class", "outline").attr("d", stepPath(outline.bins, scale, heightOf, bottom));
      }
      lane.append("line").attr("class", "ground").attr("x1", layout.left).attr("x2", layout.right).attr("y1", bottom).attr("y2", bottom);
      drawQuantiles(lane, quantiles, scale, top, bottom, layout);
    });
  }

  function stepPath(bins, scale, heightOf, bottom) {
    let path = "";
    let end = null;
    bins.forEach(bin => {
      const [low, high] = [scale(bin.low), scale(bin.high)];
      // Bins that no call fell into may be left out.
      path += end === null || low - end > 0.5 ? `${end === null ? "" : `V${bottom}`}M${low.toFixed(1)},${bottom}` : "";
      path += `V${heightOf(bin).toFixed(1)}H${high.toFixed(1)}`;
      end = high;
    });
    return `${path}V${bottom}`;
  }

  function drawQuantiles(lane, quantiles, scale, top, bottom, layout) {
    const levels = [];
    [0.5, 0.95, 0.99, 1].filter(share => quantiles.has(share)).forEach(share => {
      const x = scale(quantiles.get(share));
      const text = quantileName(share);
      const half = text.length * 3.4;
      const place = Math.max(layout.left + half, Math.min(layout.right + 14 - half, x));
      let level = levels.findIndex(taken => place - half > taken + 4);
      if (level < 0) {
        level = levels.length < 2 ? levels.length : 1;
      }
      levels[level] = place + half;
      lane.append("line").attr("class", share === 0.5 ? "median" : "quantile").attr("x1", x).attr("x2", x)
        .attr("y1", share === 0.5 ? top + 4 : bottom - 14).attr("y2", bottom + 4);
      lane.append("text").attr("x", place).attr("y", bottom + 15 + level * 13).attr("text-anchor", "middle").text(text);
    });
  }
})();
