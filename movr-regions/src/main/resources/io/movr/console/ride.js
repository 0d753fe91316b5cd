"use strict";

/** A rider's way through MovR: find a vehicle, start a ride, end it, use a promo code. */
(() => {
  const $ = id => document.getElementById(id);
  const token = sessionStorage.getItem("movr-token");
  let hello = null;
  let edges = [];
  let rider = null;
  let ride = null;

  const region = () => $("region").value;
  const element = (name, text, attributes = {}) => {
    const made = document.createElement(name);
    made.textContent = text;
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    return made;
  };

  const showCost = (what, answer) => {
    const far = answer.home && answer.home !== region() && edges.find(edge =>
      [edge.one, edge.other].includes(region()) && [edge.one, edge.other].includes(answer.home));
    const from = far && far.rttMs ? `, ${(answer.ms / far.rttMs).toFixed(1)} round trips to ${answer.home} (${far.rttMs.toFixed(0)} ms each)` : answer.home ? ", in your own region" : "";
    const problem = answer.status >= 400 || answer.status === 0 ? ` – ${answer.body?.detail ?? "failed"}` : "";
    $("last").textContent = `${what}: ${answer.ms.toFixed(1)} ms${from}${problem}`;
    return problem === "";
  };

  const call = async (what, path, body) => {
    const address = `api/rider?region=${encodeURIComponent(region())}&path=${encodeURIComponent(path)}`;
    const answer = await fetch(address, body === undefined ? {} : { method: "POST", headers: { "X-Movr-Token": token ?? "", "Content-Type": "application/json" }, body: JSON.stringify(body) });
    if (!answer.ok) {
      $("last").textContent = answer.status === 403 ? "The token of the console is missing: open the address that the command printed." : (await answer.json()).error;
      return null;
    }
    const seen = await answer.json();
    return showCost(what, seen) ? seen : null;
  };

  const city = () => encodeURIComponent($("city").value);

  const find = async () => {
    const answer = await call("Finding vehicles", `/api/vehicles?status=available&limit=10&city=${city()}`);
    if (!answer) {
      return;
    }
    $("vehicles").replaceChildren(...answer.body.items.map(vehicle => {
      const item = element("li", "");
      const button = element("button", "Start a ride", { type: "button" });
      button.disabled = !token || ride !== null;
      button.addEventListener("click", () => start(vehicle));
      item.append(element("span", `${vehicle.type}, ${vehicle.current_location ?? "somewhere"}`), button);
      return item;
    }));
    if (!answer.body.items.length) {
      $("vehicles").append(element("li", "None is available."));
    }
  };

  const start = async vehicle => {
    rider = { city: vehicle.city, id: vehicle.owner_id };
    const answer = await call("Starting the ride", "/api/rides", { city: vehicle.city, rider_id: rider.id, vehicle_id: vehicle.id });
    if (answer) {
      ride = answer.location;
      $("riding").hidden = false;
      $("ride-text").textContent = `You ride a ${vehicle.type} in ${vehicle.city}.`;
      document.querySelectorAll("#vehicles button").forEach(button => { button.disabled = true; });
      $("end").focus();
    }
  };

  const end = async () => {
    const answer = await call("Ending the ride", `${ride}/end`, { rider_id: rider.id, end_address: $("address").value });
    if (answer) {
      ride = null;
      $("ride-text").textContent = `It cost ${answer.body.revenue}.`;
      $("riding").hidden = true;
      $("last").textContent += `. The ride cost ${answer.body.revenue}.`;
      document.querySelectorAll("#vehicles button").forEach(button => { button.disabled = !token; });
    }
  };

  const codes = async () => {
    const answer = await call("Finding promo codes", "/api/promo_codes?limit=10");
    if (answer) {
      $("codes").replaceChildren(...answer.body.items.map(code => element("option", code.code)));
      $("code").value = answer.body.items[0]?.code ?? "";
    }
  };

  const use = async () => {
    if (!rider) {
      $("last").textContent = "Start a ride first: then you are a rider.";
      return;
    }
    const answer = await call("Using the code", "/api/user_promo_codes", { city: rider.city, user_id: rider.id, code: $("code").value });
    if (answer) {
      $("last").textContent += `. Used ${answer.body.usage_count} times.`;
    }
  };

  const cities = () => {
    const all = [...hello.regions].sort((one, other) => (other.name === region()) - (one.name === region()));
    $("city").replaceChildren(...all.map(of => {
      const group = element("optgroup", "", { label: of.name });
      group.append(...of.cities.map(name => element("option", name)));
      return group;
    }));
  };

  $("find").addEventListener("click", find);
  $("end").addEventListener("click", end);
  $("codes-find").addEventListener("click", codes);
  $("apply").addEventListener("click", use);
  $("region").addEventListener("change", cities);
  $("apply").disabled = !token;
  $("read-only").hidden = Boolean(token);

  const take = event => {
    if (event.type === "history") {
      event.events.forEach(take);
    } else if (event.type === "hello" && !hello) {
      hello = event;
      $("region").replaceChildren(...hello.regions.map(of => element("option", of.name)));
      cities();
    } else if (event.type === "tick") {
      edges = event.edges;
    }
  };
  let source = null;
  const connect = () => {
    source?.close();
    source = document.hidden ? null : new EventSource("api/events");
    if (source) {
      source.onmessage = message => take(JSON.parse(message.data));
    }
  };
  document.addEventListener("visibilitychange", connect);
  connect();
})();
