"use strict";

/** What the pages of this laboratory share: numbers as text, elements, and the drawing of charts with D3. */
const charts = (() => {
  let drawn = [];

  // Values

  function list(value) {
    return Array.isArray(value) ? value : [];
  }

  function isNumber(value) {
    return typeof value === "number" && Number.isFinite(value);
  }

  function isInterval(value) {
    return Boolean(value) && isNumber(value.estimate) && value.estimate > 0;
  }

  function hasEnds(interval) {
    return isNumber(interval.low) && isNumber(interval.high) && interval.low > 0;
  }

  // Numbers as text

  function decimalsFor(value, digits = 3) {
    const magnitude = Math.abs(value);
    if (!(magnitude > 0)) {
      return 0;
    }
    return Math.min(17, Math.max(0, digits - 1 - Math.floor(Math.log10(magnitude))));
  }

  function fixed(value, decimals) {
    return isNumber(value) ? d3.format(`,.${decimals}f`)(value) : "–";
  }

  function significant(value, digits = 3) {
    return isNumber(value) ? fixed(value, decimalsFor(value, digits)) : "–";
  }

  function ratioDecimals(value) {
    // Near 1 the third decimal decides between noise and difference.
    return Math.abs(Math.log(value)) < 0.1 ? 3 : decimalsFor(value);
  }

  function ratio(value) {
    return isNumber(value) && value > 0 ? `${fixed(value, ratioDecimals(value))}×` : "–";
  }

  /** An end of an interval, not rounded to nothing. */
  function end(value, decimals) {
    return fixed(value, Math.abs(value) * 10 ** decimals < 1 && value !== 0 ? decimalsFor(value) : decimals);
  }

  function range(interval, decimals) {
    return hasEnds(interval) ? `[${end(interval.low, decimals)}, ${end(interval.high, decimals)}]` : "";
  }

  function ratioRange(interval) {
    return range(interval, ratioDecimals(interval.estimate));
  }

  function ratioWithRange(interval) {
    return isInterval(interval) ? `${ratio(interval.estimate)} ${ratioRange(interval)}`.trim() : "–";
  }

  function count(number, singular, plural = `${singular}s`) {
    return `${d3.format(",")(number)} ${number === 1 ? singular : plural}`;
  }

  function momentText(startedAt) {
    const moment = new Date(startedAt);
    return Number.isNaN(moment.getTime()) ? startedAt || "–" : `${moment.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  }

  function bytesText(bytes) {
    if (!isNumber(bytes) || bytes <= 0) {
      return "–";
    }
    const power = Math.min(3, Math.floor(Math.log2(bytes) / 10));
    return `${significant(bytes / 2 ** (10 * power))} ${["bytes", "KiB", "MiB", "GiB"][power]}`;
  }

  /** Server versions name the compiler and platform too; the first words say enough for a headline. */
  function shortVersion(environment) {
    const version = (environment.database || "").split(/ on | \(/)[0].trim();
    return version || environment.engine || "an unknown engine";
  }

  function joinWords(words) {
    return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
  }

  // Elements: data becomes text nodes only, never markup.

  function add(parent, tag, className, text) {
    const element = document.createElement(tag);
    if (className) {
      element.className = className;
    }
    if (text !== undefined && text !== null) {
      element.textContent = text;
    }
    parent.append(element);
    return element;
  }

  function addLink(parent, text, target) {
    const link = add(parent, "a", "", text);
    link.href = target;
    return link;
  }

  function addBadge(parent, kind, signs) {
    const badge = add(parent, "span", `badge ${String(kind).replaceAll(" ", "-")}`);
    if (signs) {
      add(badge, "span", "", `${signs} `).setAttribute("aria-hidden", "true");
    }
    badge.append(kind);
    return badge;
  }

  function addTerm(parent, term, description) {
    const group = add(parent, "div");
    add(group, "dt", "", term);
    return add(group, "dd", "", description);
  }

  function addScroll(parent, label) {
    const scroll = add(parent, "div", "scroll");
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", label);
    scroll.tabIndex = 0;
    return scroll;
  }

  function addHeaderCell(row, text, scope, className) {
    const cell = add(row, "th", className, text);
    cell.scope = scope;
    return cell;
  }

  function addTable(parent, className, caption, headings) {
    const table = add(parent, "table", className);
    table.setAttribute("aria-label", caption);
    const row = add(add(table, "thead"), "tr");
    headings.forEach(([text, headingClass]) => addHeaderCell(row, text, "col", headingClass));
    return add(table, "tbody");
  }

  function addPairs(parentId, caption, pairs) {
    const table = add(document.getElementById(parentId), "table", "pairs");
    table.setAttribute("aria-label", caption);
    const body = add(table, "tbody");
    pairs.filter(([, value]) => value !== undefined && value !== null && value !== "").forEach(([name, value]) => {
      const row = add(body, "tr");
      addHeaderCell(row, name, "row");
      add(row, "td", "", String(value));
    });
  }

  /** The label stands in for the column heading where rows become cards. */
  function addLabelled(row, label, className, text) {
    const cell = add(row, "td", className);
    cell.dataset.label = label;
    return add(cell, "div", "", text);
  }

  function addPair(parent, term, description) {
    if (description) {
      add(parent, "dt", "", term);
      add(parent, "dd", "", description);
    }
  }

  /** Where something was measured, and how the server was set. */
  function addEnvironment(environment, command) {
    addPairs("environment-table", "Environment", [
      ["Engine", environment.engine],
      ["Database", environment.database],
      ["Gateway", environment.gateway],
      ["Server", environment.embedded === true ? "started by this program" : environment.embedded === false ? "was running already" : null],
      ["Operating system", environment.os],
      ["Processor", environment.processor],
      ["Cores", environment.cores],
      ["Memory", bytesText(environment.memoryBytes)],
      ["CPU steal", isNumber(environment.stolenShare) ? d3.format(".1%")(environment.stolenShare) : null],
      ["Java", environment.java],
      ["MovR", environment.version],
      ["Commit", environment.commit],
      ["Command", list(command).join(" ")],
    ]);
    const settings = Object.entries(environment.settings || {});
    addPairs("settings-table", "Server settings", settings.length ? settings : [["Settings", "none recorded"]]);
  }

  function addPre(parent, className, text, label) {
    const pre = add(parent, "pre", className, text);
    pre.tabIndex = 0;
    pre.setAttribute("role", "region");
    pre.setAttribute("aria-label", label);
  }

  // Charts

  /** Registers a drawing function that is called with the width of its container, and again whenever that changes. */
  function addChart(container, paperWidth, draw) {
    drawn.push({ container, paperWidth, draw, width: 0 });
  }

  function drawChart(chart, width) {
    if (width > 0 && Math.abs(width - chart.width) >= 1) {
      chart.width = width;
      chart.container.replaceChildren();
      chart.draw(chart.container, width);
    }
  }

  /** Draws every chart whose width has changed, and forgets those that have left the page. */
  function drawCharts() {
    drawn = drawn.filter(chart => chart.container.isConnected);
    // All widths are read before anything is drawn, so that the page is laid out once.
    const widths = drawn.map(chart => chart.container.clientWidth);
    drawn.forEach((chart, position) => drawChart(chart, widths[position]));
  }

  function watchCharts() {
    let printing = false;
    drawCharts();
    new ResizeObserver(() => {
      if (!printing) {
        requestAnimationFrame(drawCharts);
      }
    }).observe(document.querySelector("main"));

    // A chart drawn for a wide window would shrink on paper until its text is too small to read.
    window.addEventListener("beforeprint", () => {
      printing = true;
      drawn.forEach(chart => drawChart(chart, chart.paperWidth));
    });
    window.addEventListener("afterprint", () => {
      printing = false;
      drawCharts();
    });
  }

  function addSvg(container, width, height, label) {
    return d3.select(container).append("svg")
      .attr("viewBox", `0 0 ${width} ${height}`)
      .attr("role", "img")
      .attr("aria-label", label);
  }

  /** Ticks at round factors of each decade, thinned until their labels have room. */
  function logarithmicTicks(scale, room) {
    const [low, high] = scale.domain();
    const exponents = d3.range(Math.floor(Math.log10(low)), Math.ceil(Math.log10(high)) + 1);
    const [start, end] = scale.range();
    const most = Math.max(2, Math.abs(end - start) / room);
    const sets = [[1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8], [1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]];
    let ticks = [];
    for (const factors of sets) {
      ticks = exponents
        .flatMap(exponent => factors.map(factor => exponent < 0 ? factor / 10 ** -exponent : factor * 10 ** exponent))
        .filter(tick => tick >= low * 0.9999 && tick <= high * 1.0001);
      if (ticks.length <= most && closestDistance(ticks.map(scale)) >= room * 0.75) {
        return ticks;
      }
    }
    return ticks;
  }

  function closestDistance(positions) {
    return d3.min(d3.pairs(positions), ([left, right]) => Math.abs(right - left)) ?? Infinity;
  }

  function tickText(value) {
    return d3.format(",.6~r")(value);
  }

  function addHorizontalAxis(svg, scale, ticks, top, bottom, text) {
    const axis = svg.append("g").attr("class", "axis");
    ticks.forEach(tick => {
      axis.append("line").attr("x1", scale(tick)).attr("x2", scale(tick)).attr("y1", top).attr("y2", bottom);
      axis.append("text").attr("x", scale(tick)).attr("y", bottom + 16).attr("text-anchor", "middle").text(text(tick));
    });
    return axis;
  }

  function drawMark(parent, scale, interval, y, shape, size, className) {
    const [low, high] = hasEnds(interval) ? [scale(interval.low), scale(interval.high)] : [0, 0];
    // An interval that the mark itself covers would only blunt its shape.
    if (high - low > 12) {
      parent.append("path").attr("class", `interval ${className}`)
        .attr("d", `M${low},${y - 4}v8M${low},${y}H${high}M${high},${y - 4}v8`);
    }
    parent.append("path").attr("class", `mark ${className}`)
      .attr("transform", `translate(${scale(interval.estimate)},${y})`)
      .attr("d", d3.symbol(shape, size)());
  }

  /** One path for all dots of a side keeps thousands of samples cheap. */
  function dotPath(points) {
    return points.map(([x, y]) => `M${x.toFixed(1)},${y.toFixed(1)}h0`).join("");
  }

  /** Shows lines below a place, or above it and what stands there, as high as is said, where there is no room below. */
  function showTooltip(event, lines, keptClear = 0) {
    const tooltip = document.getElementById("tooltip");
    tooltip.replaceChildren();
    lines.forEach((line, position) => add(tooltip, "p", position ? "" : "title", line));
    tooltip.hidden = false;
    const { width, height } = tooltip.getBoundingClientRect();
    const left = Math.max(8, Math.min(event.clientX + 14, window.innerWidth - width - 8));
    const below = event.clientY + 16;
    const top = below + height + 8 > window.innerHeight ? event.clientY - keptClear - height - 12 : below;
    tooltip.style.left = `${left}px`;
    tooltip.style.top = `${Math.max(8, top)}px`;
  }

  function hideTooltip() {
    document.getElementById("tooltip").hidden = true;
  }
  return {
    list, isNumber, isInterval, hasEnds,
    decimalsFor, fixed, significant, ratio, range, ratioRange, ratioWithRange, count, momentText, bytesText, shortVersion, joinWords,
    add, addLink, addBadge, addTerm, addScroll, addHeaderCell, addTable, addLabelled, addPair, addPairs, addEnvironment, addPre,
    addChart, drawCharts, watchCharts, addSvg, logarithmicTicks, tickText, addHorizontalAxis, drawMark, dotPath, showTooltip, hideTooltip,
  };
})();
