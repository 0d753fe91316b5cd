"use strict";

(() => {
  const $ = id => document.getElementById(id);
  const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
  const number = value => value === null ? "" : value >= 100 ? value.toFixed(0) : value.toPrecision(3);
  const figure = (value, unit) => value === null ? "" : `${number(value)} ${unit}`;
  const duration = seconds => seconds < 60 ? `${Math.round(seconds)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;

  const element = (name, attributes = {}, ...children) => {
    const svg = ["svg", "line", "circle", "title"].includes(name);
    const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    made.append(...children);
    return made;
  };

  // Ratios are drawn on one scale, which holds the intervals of all experiments and 1.
  const WIDTH = 260;
  const drawn = (ratio, low, high) => {
    if (!ratio) {
      return "";
    }
    const x = value => 6 + (WIDTH - 12) * (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low));
    return element("svg", { viewBox: `0 0 ${WIDTH} 18`, width: WIDTH, height: 18, "aria-hidden": "true" },
      element("line", { class: "one", x1: x(1), x2: x(1), y1: 0, y2: 18 }),
      element("line", { class: "interval", x1: x(ratio.low), x2: x(ratio.high), y1: 9, y2: 9 }),
      element("circle", { class: "estimate", cx: x(ratio.estimate), cy: 9, r: 4 }));
  };

  const STATES = { waiting: "", measuring: "part", measured: "good", failed: "bad" };

  const items = all => {
    const ratios = all.map(item => item.ratio).filter(Boolean);
    const low = Math.min(0.8, ...ratios.map(ratio => ratio.low));
    const high = Math.max(1.25, ...ratios.map(ratio => ratio.high));
    $("items").tBodies[0].replaceChildren(...all.map(item => {
      const state = item.state === "measuring" ? `measuring, ${Math.floor(100 * item.part)}%` : item.state;
      const cell = (text, kind = "number") => element("td", { class: kind }, text);
      return element("tr", {},
        element("th", { scope: "row" }, item.id),
        element("td", { class: STATES[item.state] ?? "" }, item.failure ? `${state}: ${item.failure}` : state),
        cell(item.ratio ? String(item.ratio.number) : ""),
        cell(figure(item.before, item.unit)), cell(figure(item.after, item.unit)),
        cell(item.ratio ? number(item.ratio.estimate) : ""),
        cell(item.ratio ? `${number(item.ratio.low)} to ${number(item.ratio.high)}` : "", ""),
        element("td", {}, drawn(item.ratio, low, high)));
    }));
  };

  let chart = null;
  const line = (label, colour, dash) => ({ label, stroke: () => css(colour), width: 2, dash, points: { show: false } });
  const narrowing = (ratios, counted) => {
    $("narrowing").hidden = ratios.length < 2;
    if (ratios.length < 2) {
      return;
    }
    const axis = { stroke: () => css("--muted"), grid: { stroke: () => css("--line"), width: 1 }, ticks: { stroke: () => css("--line") } };
    chart ??= new uPlot({
      width: Math.max(240, $("narrowing").clientWidth), height: 220,
      legend: { show: false }, cursor: { show: false },
      scales: { x: { time: false }, y: { range: (u, min, max) => [Math.min(1, min), Math.max(1, max) * 1.02] } },
      axes: [{ ...axis, label: `${counted} of each side`, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] }, { ...axis, size: 60, label: "ratio" }],
      // The band is drawn with its upper line, and would cover what was drawn before.
      series: [{}, line("low", "--ghost", [6, 4]), line("high", "--ghost", [6, 4]), line("ratio", "--p50")],
      bands: [{ series: [2, 1], fill: () => css("--panel") }],
    }, [[], [], [], []], $("narrowing"));
    chart.setData(["number", "low", "high", "estimate"].map(name => ratios.map(ratio => ratio[name])));
  };
  window.addEventListener("resize", () => chart?.setSize({ width: Math.max(240, $("narrowing").clientWidth), height: 220 }));

  const show = ({ t, progress }) => {
    $("title").textContent = progress.title;
    $("doing").textContent = progress.doing;
    if (progress.part === null) {
      $("part").removeAttribute("value");
    } else {
      $("part").value = progress.part;
    }
    $("percent").textContent = progress.part === null ? "" : `${Math.floor(100 * progress.part)}%,`;
    $("left").textContent = progress.leftSeconds === null || progress.part === 1 ? "" : `about ${duration(progress.leftSeconds)} left,`;
    $("seen").textContent = `at ${clock.format(new Date(t))}`;
    $("notes").replaceChildren(...progress.notes.map(note => element("li", {}, note)));
    document.body.classList.toggle("plain", !progress.ratios);
    $("items-title").textContent = progress.ratios ? "Experiments" : "Measurements";
    $("counted").textContent = `${progress.counted} a side`;
    items(progress.items);
    narrowing(progress.narrowing, progress.counted);
    document.title = progress.part === null ? "MovR: a run" : `${Math.floor(100 * progress.part)}% – MovR`;
    done = progress.part === 1;
  };

  let source = null;
  let last = null;
  let done = false;
  const connection = (text, kind) => {
    $("connection").textContent = text;
    $("connection").className = `badge ${kind}`;
  };
  const open = () => {
    source = new EventSource("api/events");
    source.addEventListener("open", () => connection("live", "good"));
    source.addEventListener("error", () => {
      if (done) {
        source.close();
      }
      connection(done ? "the run is over" : "no connection: the run was stopped, or is over", done ? "good" : "bad");
    });
    source.addEventListener("message", message => {
      const event = JSON.parse(message.data);
      last = event.type === "history" ? event.events[event.events.length - 1] : event;
      if (last) {
        show(last);
      }
    });
  };
  // What nobody looks at need not be drawn: the machine is measuring.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      source?.close();
    } else if (!done) {
      open();
    }
  });
  open();
})();
