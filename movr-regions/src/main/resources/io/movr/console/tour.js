"use strict";

/** A tour of eight steps, each with an action and its result. */
(() => {
  const { element, number } = Console;
  const done = new Map();
  const seen = new Map();
  let names = [];
  let cities = {};

  const version = () => Console.state().hello.stages.find(stage => stage.id === Console.now()?.stage)?.version ?? 0;
  const placed = () => version() >= 10;
  const multiRegion = () => Console.state().hello.isMultiRegion;
  const vehicles = (client, home) => `api/rider?region=${client}&path=${encodeURIComponent(
    `/api/vehicles?status=available&limit=5&city=${encodeURIComponent(cities[home][0])}`)}`;

  /** The median of 5 reads, in ms, after 10 that do not count: the first reads of a service and of its connections are slower. */
  const read = async (client, home) => {
    const took = [];
    for (let time = 0; time < 15; time++) {
      const answer = await (await fetch(vehicles(client, home))).json();
      if (answer.status !== 200) {
        throw new Error(answer.body.detail ?? `answered ${answer.status}`);
      }
      took.push(answer.ms);
    }
    return took.slice(10).sort((one, other) => one - other)[2];
  };
  const trips = (ms, one, other) => {
    const rtt = Console.edge(one, other)?.rttMs;
    return rtt ? `: ${number(ms / rtt)} round trips of ${number(rtt, 0)} ms` : "";
  };
  const reading = (key, client, home) => ({
    label: () => `Read vehicles of ${cities[home()][0]} from ${client()}`,
    run: async () => {
      const ms = await read(client(), home());
      seen.set(key, ms);
      return ms;
    },
  });
  const primary = () => names[0];
  const far = () => names[names.length - 1];

  const all = [
    {
      title: "Send traffic",
      text: () => "Clients in every region list vehicles and take rides. Most ask for cities of their own region. Watch requests/s and latency below.",
      ...{ label: () => "Send 5 arrivals/s in each region", run: () => Console.command(["traffic", "5", "0.05", "0.1"]) },
      isDone: () => Console.now()?.traffic.perSecond > 0,
      result: () => "Traffic runs. Its figures cover the last 10 s.",
    },
    {
      title: "Read a row from home",
      text: () => `The client is in ${primary()}, and so are all rows.`,
      ...reading("home", primary, primary),
      isDone: () => seen.has("home"),
      result: () => `${number(seen.get("home"))} ms, median of 5 reads after 10 to warm up.`,
    },
    {
      title: "Read a row from far",
      text: () => `The same read for a client in ${far()}: the rows of its city, too, are in ${primary()}.`,
      ...reading("far", far, far),
      isDone: () => seen.has("far"),
      result: () => `${number(seen.get("far"))} ms${trips(seen.get("far"), primary(), far())}. The client waits for the way across the ocean.`,
    },
    {
      title: "Move the rows to their regions",
      text: () => multiRegion()
        ? "The database rewrites the tables in the background while requests continue, then moves each row’s replicas and leaseholder to its region. With nine nodes on two cores that took three and a half minutes. Watch the leaseholders move."
        : "The rows of each city are copied to its region while requests continue; then the tables are locked for a moment. Watch the rows move.",
      label: () => "Migrate to regional-by-row",
      run: async () => {
        const migrations = () => [...Console.state().commands.values()].filter(command => command.verb === "migrate");
        const before = Math.max(0, ...migrations().map(command => command.number));
        const mine = () => migrations().find(command => command.number > before && ["done", "failed"].includes(command.state));
        if (await Console.command(["migrate", "regional-by-row"])) {
          await until(mine, 1800000);
          if (mine().state === "failed") {
            throw new Error(`${mine().what}. ${multiRegion() ? "The next attempt continues from there: try again." : "Requests were in the way of the lock: try again."}`);
          }
        }
      },
      isDone: () => placed(),
      result: () => [...Console.state().commands.values()].filter(command => command.verb === "migrate" && command.state === "done").pop()?.what ?? "The rows are in their regions.",
    },
    {
      title: "Read again",
      text: () => `The same read as in step 3: from ${far()}, of its own city.`,
      ...reading("again", far, far),
      isDone: () => seen.has("again"),
      result: () => `${number(seen.get("again"))} ms${seen.has("far") ? `, ${number(seen.get("far") / seen.get("again"), 0)} times less than before the move` : ""}.`,
    },
    {
      title: "See the price",
      text: () => `Rows of another region are still far: read ${cities[primary()][0]}’s from ${far()}.`,
      ...reading("price", far, primary),
      isDone: () => seen.has("price"),
      result: () => `${number(seen.get("price"))} ms${trips(seen.get("price"), primary(), far())}.`,
    },
    {
      title: "Cut the Atlantic",
      link: true,
      text: () => `Nothing passes between ${primary()} and ${far()} any more. Reads of rows in their own region are not affected.`,
      label: () => `Cut the link, then read ${cities[far()][0]} from ${far()}`,
      run: async () => {
        if (await Console.command(["cut", primary(), far()])) {
          await until(() => !Console.edge(primary(), far()) || Console.condition(Console.edge(primary(), far())) === "cut");
          seen.set("cut", await read(far(), far()));
        }
      },
      isDone: () => seen.has("cut"),
      result: () => `The link gives no answer, and the read took ${number(seen.get("cut"))} ms.`,
    },
    {
      title: "Mend it",
      link: true,
      text: () => "Requests that waited for the link continue, and requests for the other region succeed again.",
      label: () => "Mend the link",
      run: async () => {
        if (await Console.command(["mend", primary(), far()])) {
          await until(() => !Console.edge(primary(), far()) || Console.condition(Console.edge(primary(), far())) === "open");
          seen.set("mended", true);
        }
      },
      isDone: () => seen.has("mended"),
      result: () => "The regions reach each other again. That was the tour: slow a link, kill a server, or measure the matrix next.",
    },
  ];

  const until = async (reached, limitMs = 60000) => {
    for (const begun = Date.now(); !reached(); await new Promise(resolve => setTimeout(resolve, 200))) {
      if (Date.now() - begun > limitMs) {
        throw new Error("Nothing changed within a minute");
      }
    }
  };

  let steps = [];
  const items = [];
  const build = () => {
    steps = all.filter(step => !step.link || Console.state().hello.hasLinks);
    steps.forEach((step, at) => {
      const button = element("button", { type: "button" }, step.label());
      const result = element("p", { class: "result", role: "status" });
      const body = element("div", {}, element("p", {}, step.text()), element("p", { class: "act" }, button));
      const item = element("li", {}, element("h3", {}, `${at + 1}. ${step.title}`), body, result);
      button.addEventListener("click", async () => {
        button.disabled = true;
        result.textContent = "…";
        delete result.dataset.announced;
        try {
          await step.run();
          result.textContent = "";
        } catch (failed) {
          result.textContent = failed.message;
        }
        button.disabled = false;
        update();
      });
      items.push({ item, body, result, step });
      document.getElementById("tour-steps").append(item);
    });
    Console.lock();
  };

  let shown = "";
  const update = () => {
    steps.forEach((step, at) => {
      if (!done.get(at) && step.isDone()) {
        done.set(at, true);
      }
    });
    const current = steps.findIndex((step, at) => !done.get(at));
    items.forEach(({ item, body, result, step }, at) => {
      item.className = done.get(at) ? "done" : at === current ? "current" : "";
      item.toggleAttribute("aria-current", at === current);
      // A step may be repeated until the next one is done.
      body.hidden = at !== current;
      // The result is kept, because the state that it is computed from changes.
      if (done.get(at) && result.textContent !== "…" && !result.dataset.announced) {
        result.dataset.announced = "yes";
        result.textContent = step.result();
      }
    });
    const count = `${done.size} of ${steps.length} steps`;
    if (shown !== count) {
      shown = count;
      document.getElementById("tour-count").textContent = count;
    }
  };

  Console.listen(() => {
    if (!Console.isLive()) {
      return;
    }
    if (!items.length) {
      names = Console.state().hello.regions.map(region => region.name);
      cities = Object.fromEntries(Console.state().hello.regions.map(region => [region.name, region.cities]));
      build();
    }
    update();
  });
  Console.start();
})();
