// Drives the page of a running host and compares what it shows with the state of the host.
//
//   BRIDGEHEAD_PAGE_URL      address of the host, which runs worlds/two_vehicles.sdf or a world like it; required
//   BRIDGEHEAD_PAGE_TOKEN    token of the host, if it requires one
//   BRIDGEHEAD_PAGE_RED      x,y,z of a point of a red surface that the camera sees at first, for example 5,0,1
//   BRIDGEHEAD_PAGE_MODEL    address of a model to spawn; without it, the first one of the list, if there is one
//   BRIDGEHEAD_PAGE_RESTART  shell command that ends the host and starts it again at the same address
//   BRIDGEHEAD_PAGE_PICTURES folder for pictures

import assert from "node:assert/strict";
import { execSync } from "node:child_process";
import { after, before, test } from "node:test";
import {
  call,
  collect,
  colorAt,
  end,
  errors,
  hideTab,
  isDenied,
  notice,
  openPanel,
  openUnanswered,
  page,
  part,
  pause,
  picture,
  play,
  sectionOf,
  start,
  status,
  text,
  until,
} from "./page_support.mjs";

/** The browser reports refused requests and the absence of the host as errors; both are intended here. */
const EXPECTED = /Failed to load resource|WebSocket connection/;

before(start);
after(end);

test("the page shows state and world of the host, and a picture", async () => {
  const now = await status();
  assert.equal(await text("world-name"), now.world);
  assert.match(await text("link"), /connected/);
  const nodes = await page.evaluate(() => window.bridgehead.view.world.get().scene.nodes.length);
  assert.ok(nodes > 0);
  const isWhole = await page.evaluate(() => {
    const { view } = window.bridgehead;
    const { min, max } = view.world.get().bounds();
    const area = view.canvas.getBoundingClientRect();
    return [min.x, max.x].every((x) =>
      [min.y, max.y].every((y) => {
        const at = view.project(x, y, 0);
        return at && at.x >= area.left && at.x <= area.right && at.y >= area.top && at.y <= area.bottom;
      }),
    );
  });
  assert.ok(isWhole, "the first picture shows the whole world");
  await picture("start");
});

test("until the host has sent its state, the page says that it connects", async () => {
  const silent = await openUnanswered();
  // Read together: after some seconds without a message, the page takes the connection for lost.
  const shown = () =>
    silent.evaluate(() =>
      ["link", "state"].map((name) => document.querySelector(`[data-test=${name}]`)?.textContent ?? ""),
    );
  const state = await until("the connection is open", async () => {
    const [link, state] = await shown();
    return /connected/.test(link) && state;
  });
  assert.equal(state, "connecting");
  await silent.context().close();
});

test("a red surface is red in the picture", async (context) => {
  const place = process.env.BRIDGEHEAD_PAGE_RED;
  if (!place) return context.skip("BRIDGEHEAD_PAGE_RED is not set");
  await part("fit").click();
  const [r, g, b] = await colorAt(place.split(",").map(Number));
  assert.ok(r > 90 && r > 2 * g && r > 2 * b, `the colour is ${r}, ${g}, ${b}`);
});

test("run control changes the state of the host, and disables what it does not allow", async () => {
  if ((await status()).state === "Pause") await play();
  await until("the page shows the state", async () => (await text("state")) === "playing");
  assert.equal(await isDenied("play"), true);
  assert.equal(await isDenied("step-button"), true);
  await pause();
  assert.equal(await isDenied("pause"), true);
  assert.equal(await isDenied("step-button"), false);
  assert.match((await part("pause").getAttribute("title")) ?? "", /the simulation is paused/);
  const before = (await status()).step;
  await part("header-steps").fill("10");
  await part("step-button").click();
  await until("ten steps were run", async () => (await status()).step === before + 10);
  await until(
    "the page shows the step",
    async () => (await text("step")).replace(/\D/g, "") === String(before + 10),
  );
  await part("header-steps").fill("0");
  await part("step-button").click();
  await until("one step was run", async () => (await status()).step === before + 11);
  assert.equal(await part("header-steps").inputValue(), "1", "no step is corrected to one");
  await picture("paused");
});

test("keys of the terminal play and pause", async () => {
  await page.locator("body").press("r");
  await until("the host plays", async () => (await status()).state.startsWith("Step"));
  await until("the page shows it", async () => (await text("state")) === "playing");
  await page.locator("body").press("p");
  await until("the host is paused", async () => (await status()).state === "Pause");
  await until("the page shows it", async () => (await text("state")) === "paused");
});

test("the space key plays and pauses, also after a click on Play, and leaves other buttons to the browser", async () => {
  await page.locator(".view canvas").press("Space");
  await until("the host plays", async () => (await status()).state.startsWith("Step"));
  await until("the page shows it", async () => (await text("state")) === "playing");
  await page.locator(".view canvas").press("Space");
  await until("the host is paused", async () => (await status()).state === "Pause");
  await until("the page shows it", async () => (await text("state")) === "paused");
  await play();
  await part("play").press("Space");
  await until("the host is paused", async () => (await status()).state === "Pause");
  await until("the page shows it", async () => (await text("state")) === "paused");
  await part("help").press("Space");
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  assert.equal((await status()).state, "Pause");
});

test("a refused request shows its code and its meaning", async () => {
  await play();
  await page.locator("body").press("s");
  await notice(/step.*paused/i);
  await picture("refused");
  await openPanel("diagnostics");
  await part("part-errors").click();
  await until("the list of errors has it", async () => /paused/.test(await text("errors")));
  await part("code-search").fill("BH-ENT-041");
  assert.ok((await text("code-meaning")).length > 10);
  await pause();
});

test("steps with progress, speed and reset", async () => {
  await openPanel("run");
  const before = (await status()).step;
  await part("goal-steps").fill("500");
  await part("goal-run").click();
  await until("the steps were run", async () => (await status()).step === before + 500);
  await until("the page shows the end", async () => /succeeded/.test(await text("goal-text")));
  assert.equal(await part("goal-progress").evaluate((bar) => bar.value), 1);
  await part("goal-steps").fill("100000000");
  await part("goal-run").click();
  await until("the steps are running", async () => !(await isDenied("goal-cancel")));
  await part("goal-cancel").click();
  await until("the rest is cancelled", async () => (await status()).state === "Pause");
  await part("factor-2").click();
  await until("the factor is 2", async () => (await status()).target_real_time_factor === 2);
  await part("factor-input").fill("1");
  await part("factor-set").click();
  await until("the factor is 1", async () => (await status()).target_real_time_factor === 1);
  const { reset_epoch } = await status();
  await part("run-reset").click();
  await until("it was reset", async () => (await status()).reset_epoch > reset_epoch);
  await until("time is zero", async () => (await text("run-steps")).startsWith("0,"));
  await picture("run");
});

test("worlds are listed, and a world is saved", async (context) => {
  assert.ok((await page.locator("[data-test^='load-']").count()) > 0, "no world is listed");
  if (await isDenied("save")) return context.skip("there is no world to save");
  await part("save-path").fill("page_spec.sdf");
  await sectionOf("save").getByLabel("overwrite").check();
  await part("save").click();
  await notice(/Written:.*page_spec\.sdf|BH-/);
});

test("a paused run returns to a snapshot that the page has saved, also after the page was loaded again", async () => {
  await openPanel("run");
  await call("step_simulation", { steps: 20 });
  const { step } = await status();
  await until(
    "the page shows the step",
    async () => (await text("step")).replace(/\D/g, "") === String(step),
  );
  await part("snapshot-path").fill("page_spec.snapshot");
  await sectionOf("snapshot").getByLabel("overwrite").check();
  await part("snapshot").click();
  await notice(/Written:.*page_spec\.snapshot/);
  const row = page.locator("li", { has: part("restore-page_spec.snapshot") });
  await until("it is listed with its step", async () =>
    ((await row.textContent()) ?? "").includes(`step ${step}`),
  );
  const returns = async (button) => {
    await call("step_simulation", { steps: 50 });
    assert.equal((await status()).step, step + 50);
    await button.click();
    await until("the host has the step", async () => (await status()).step === step);
    await until(
      "the page shows the step",
      async () => (await text("step")).replace(/\D/g, "") === String(step),
    );
  };
  await returns(part("restore-page_spec.snapshot"));
  await picture("snapshots");
  await page.reload();
  await openPanel("run");
  await returns(part("restore-page_spec.snapshot"));
  await part("snapshot-path").fill("page_spec.snapshot");
  await returns(part("restore"));
});

test("a snapshot that is not restored says why at its field", async () => {
  await part("snapshot-path").fill("../outside.snapshot");
  assert.match(await text("snapshot-problem"), /leaves the output directory/);
  assert.equal(await part("snapshot-problem").locator("code").first().textContent(), "../outside.snapshot");
  assert.equal(await isDenied("restore"), true);
  await part("snapshot-path").fill("missing.snapshot");
  assert.equal(await part("snapshot-problem").isVisible(), false);
  await part("restore").click();
  await until("the host has no such file", async () =>
    /BH-SIM-220.*Try: /.test(await text("snapshot-problem")),
  );
  assert.equal(await part("snapshot-path").getAttribute("aria-invalid"), "true");
  // Another client resumes the run between the click and the request.
  await page.route("**/api/restore_snapshot", async (route) => {
    await call("resume");
    await until("the host plays", async () => (await status()).state.startsWith("Step"));
    await route.continue();
  });
  await part("snapshot-path").fill("page_spec.snapshot");
  await part("restore").click();
  await until("the host refuses it", async () => /try: .*BH-CTL-018/.test(await text("snapshot-problem")));
  assert.doesNotMatch(await text("snapshot-problem"), /Try: /, "the advice is given once");
  await picture("not-restored");
  await page.unroute("**/api/restore_snapshot");
  assert.equal(await part("toast").filter({ hasText: "BH-CTL-018" }).count(), 0, "it is shown once");
  await until("nothing can be restored", () => isDenied("restore"));
  assert.match((await part("restore-page_spec.snapshot").getAttribute("title")) ?? "", /pause it first/);
  await pause();
  assert.equal(await isDenied("restore"), false);
  // No client can bring about that requests meet within one step.
  for (const code of ["BH-SIM-226", "BH-SIM-227"]) {
    const result = { result: 4, error_message: `[${code}] the run has not returned to the snapshot` };
    await page.route("**/api/restore_snapshot", (route) => route.fulfill({ json: { result } }));
    await part("restore").click();
    await until(code, async () => new RegExp(`${code}.*Try: `).test(await text("snapshot-problem")));
    await page.unroute("**/api/restore_snapshot");
  }
  await part("restore").click();
  await until("it is restored", async () => !(await part("snapshot-problem").isVisible()));
});

test("a selected entity shows its pose, and its pose is set while paused", async () => {
  const { entities } = await call("get_entities");
  const entity = entities.find((name) => name.startsWith("car")) ?? entities[0];
  await openPanel("world");
  await page.locator(`[data-entity="${entity}"]`).click();
  assert.equal(await text("selected-name"), entity);
  const { state } = await call("get_entity_state", { entity });
  const shown = async () => Number(await page.locator("[data-test=state-position] td").first().textContent());
  await until("the position is shown", async () => Math.abs((await shown()) - state.pose.position.x) < 0.002);
  await part("pose-form").locator("summary").click();
  await part("pose-current").click();
  await part("pose-x").fill("-2.5");
  await part("pose-set").click();
  await until("the host has the pose", async () => {
    const { position } = (await call("get_entity_state", { entity })).state.pose;
    return Math.abs(position.x + 2.5) < 1e-6;
  });
  await until("the page shows the pose", async () => Math.abs((await shown()) + 2.5) < 0.002);
  await until("the picture has the pose", () =>
    page.evaluate((name) => {
      const world = window.bridgehead.view.world.get();
      return Math.abs(world.poses[world.nodesOf(name)[0] * 7] + 2.5) < 0.3;
    }, entity),
  );
  await picture("world");
  const sensor = part("selection").locator("a[data-topic]").first();
  if (await sensor.count()) {
    const topic = await sensor.getAttribute("data-topic");
    await sensor.click();
    await until("its topic is opened", async () => (await text("topic-name")) === topic);
    await until("its panel is shown", () => page.locator("#panel-topics").isVisible());
    await openPanel("world");
  }
  // A long list scrolls to what is selected in the view.
  const isInList = await page.evaluate(() => {
    const { host, view } = window.bridgehead;
    const [before, selected] = [host.entities.get(), view.selection.get()];
    host.entities.set([...Array.from({ length: 40 }, (_, index) => `thing${index}`), ...before]);
    view.selection.set(null);
    view.selection.set(selected);
    const row = document.querySelector(`[data-entity="${selected}"]`).getBoundingClientRect();
    const list = document.querySelector(".entities").getBoundingClientRect();
    host.entities.set(before);
    return row.top >= list.top - 1 && row.bottom <= list.bottom + 1;
  });
  assert.ok(isInList, "the selected entity is in the visible part of the list");
});

test("joints of the selected model are shown, and those without a controller cannot be moved", async () => {
  const joints = await page.evaluate(() => window.bridgehead.host.description.get().joints);
  const joint = joints.find(({ model, type }) => model.startsWith("car") && type === "revolute");
  if (!joint) return;
  await page.evaluate((name) => window.bridgehead.view.selection.set(name), joint.model);
  const name = joint.name.replace(`${joint.model}::`, "");
  await until("the angle is shown", async () => /^-?\d+\.\d°$/.test(await text(`joint-${name}`)));
  assert.equal(await part(`slider-${name}`).isDisabled(), true);
});

test("the camera follows an entity and looks through a sensor", async () => {
  await part("follow").click();
  assert.equal(await page.evaluate(() => window.bridgehead.view.mount.get().kind), "follow");
  const look = page.locator("[data-test^='look-']").first();
  if (await look.count()) {
    await look.click();
    assert.equal(await page.evaluate(() => window.bridgehead.view.mount.get().kind), "sensor");
    await page.waitForTimeout(300);
    await picture("sensor");
  }
  await part("leave-mount").click();
  assert.equal(await page.evaluate(() => window.bridgehead.view.mount.get().kind), "free");
  await part("fit").click();
});

test("a model is spawned at a clicked place, and deleted", async (context) => {
  const { spawnables } = await call("get_spawnables");
  const model = process.env.BRIDGEHEAD_PAGE_MODEL ?? spawnables[0]?.entity_resource.uri;
  if (!model) return context.skip("the host lists no models, and BRIDGEHEAD_PAGE_MODEL is not set");
  await openPanel("world");
  const { entities } = await call("get_entities");
  await part("spawn-kind").selectOption("address");
  await part("spawn-model").fill(model);
  await part("spawn-place").click();
  // A place of the picture where the ground is.
  const place = await page.evaluate(() => {
    const { view } = window.bridgehead;
    const area = view.canvas.getBoundingClientRect();
    for (let part = 0.9; part > 0.3; part -= 0.05) {
      const [x, y] = [area.left + area.width * 0.62, area.top + area.height * part];
      const point = view.hitAt(x, y)?.point;
      if (point && Math.abs(point.z) < 0.02) return { x, y, at: [point.x, point.y] };
    }
    return null;
  });
  assert.ok(place, "no ground is in the picture");
  await page.mouse.click(place.x, place.y);
  const name = await until("there is another entity", async () =>
    (await call("get_entities")).entities.find((one) => !entities.includes(one)),
  );
  const { position } = (await call("get_entity_state", { entity: name })).state.pose;
  const distance = Math.hypot(position.x - place.at[0], position.y - place.at[1]);
  assert.ok(distance < 0.2, `it is at ${position.x}, ${position.y}, not at ${place.at}`);
  await until("the scene has it", () =>
    page.evaluate((one) => window.bridgehead.view.world.get().nodesOf(one).length > 0, name),
  );
  await until("it is selected", async () => (await text("selected-name")) === name);
  await picture("spawned");
  await part("delete").click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await until("it is gone", async () => !(await call("get_entities")).entities.includes(name));
  await until("the list shows it", async () => (await page.locator(`[data-entity="${name}"]`).count()) === 0);
});

test("a box is put on the ground by its size, and dragged along it", async () => {
  if ((await text("state")) === "playing") await pause();
  await openPanel("world");
  const { entities } = await call("get_entities");
  await part("spawn-kind").selectOption("box");
  await part("spawn-size").fill("0.6");
  await part("spawn-x").fill("-3");
  await part("spawn-y").fill("-3");
  await part("spawn-here").click();
  const name = await until("there is another entity", async () =>
    (await call("get_entities")).entities.find((one) => !entities.includes(one)),
  );
  const place = async () => (await call("get_entity_state", { entity: name })).state.pose.position;
  const first = await place();
  assert.ok(Math.abs(first.z - 0.3) < 0.01, `its centre is at ${first.z} m`);
  await until("the scene has it", () =>
    page.evaluate((one) => window.bridgehead.view.world.get().nodesOf(one).length > 0, name),
  );
  await page.evaluate((one) => window.bridgehead.view.focus(one), name);
  await part("move").click();
  const at = await page.evaluate(({ x, y, z }) => window.bridgehead.view.project(x, y, z), first);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await until("it is taken", () =>
    page.evaluate((one) => window.bridgehead.view.selection.get() === one, name),
  );
  // The drag begins when the host has said where the box is.
  for (
    let step = 1;
    step < 60 && Math.hypot((await place()).x - first.x, (await place()).y - first.y) < 0.05;
    step += 1
  )
    await page.mouse.move(at.x + 40 + step, at.y + 10);
  await page.mouse.up();
  const last = await place();
  assert.ok(Math.hypot(last.x - first.x, last.y - first.y) > 0.05, "it has moved");
  assert.ok(Math.abs(last.z - first.z) < 0.001, "it has kept its height");
  await part("move").click();
  await picture("moved");
  await call("delete_entity", { entity: name });
});

test("the model of a file of the user is raised onto the ground by its bounds", async () => {
  const sdf = `<sdf version="1.9"><model name="cube"><link name="l"><collision name="c"><geometry><box>
    <size>0.5 0.5 0.5</size></box></geometry></collision><visual name="v"><geometry><box><size>0.5 0.5 0.5</size></box>
    </geometry></visual></link></model></sdf>`;
  await openPanel("world");
  await part("spawn-kind").selectOption("file");
  await part("spawn-file").setInputFiles({
    name: "cube.sdf",
    mimeType: "text/xml",
    buffer: Buffer.from(sdf),
  });
  await part("spawn-here").click();
  const name = await until("it is spawned", async () =>
    (await call("get_entities")).entities.find((one) => one.startsWith("cube")),
  );
  await until("it stands on the ground", async () => {
    const { z } = (await call("get_entity_state", { entity: name })).state.pose.position;
    return Math.abs(z - 0.25) < 0.01;
  });
  await page.locator(`[data-entity="${name}"]`).waitFor();
  await part("reset").click();
  await notice(/reset removed 1 spawned model/);
  assert.equal((await call("get_entities")).entities.includes(name), false);
});

test("a bridge gets a wrong connection string, and the right one again", async (context) => {
  const [first] = (await call("get_bridges")).bridges;
  if (!first) return context.skip("the world has no bridge");
  const bridge = async () => (await call("get_bridges")).bridges.find(({ label }) => label === first.label);
  await openPanel("vehicles");
  const card = page.locator(`[data-bridge="${first.label}"]`);
  const input = card.locator("input");
  assert.equal(await input.inputValue(), first.connection);
  await input.fill("/nonexistent/folder/track.jsonl");
  assert.match((await card.locator("[data-test=connection-problem]").textContent()) ?? "", /absolute path/);
  assert.equal(await isDenied(`apply-${first.label}`), true, "what the host would refuse is not sent");
  // Other clients can send it.
  const { vehicle, bridge: name } = first;
  await call("connect_bridge", {
    vehicle: vehicle || "world",
    bridge: name,
    connection: "/nonexistent/track.jsonl",
  });
  await until("the bridge has failed", async () => {
    const now = await bridge();
    return now && now.failure !== "" && now.status !== 3;
  });
  await until("the page shows the failure", async () =>
    /\S/.test((await card.locator("[data-test=bridge-failure]").textContent()) ?? ""),
  );
  await picture("bridge-failed");
  await input.fill(first.connection);
  await card.getByRole("button", { name: "Apply" }).click();
  await until("the bridge is connected", async () => (await bridge())?.status === 3);
  await until(
    "the page shows it",
    async () => (await card.locator("[data-test=bridge-status]").textContent()) === "connected",
  );
});

test("a bridge is attached and disconnected", async () => {
  await openPanel("vehicles");
  const card = page.locator("[data-vehicle=world]");
  await card.locator("summary").click();
  await part("attach-name-world").selectOption("logging");
  await part("attach-connection-world").fill("page_spec.jsonl;topics=/clock;overwrite=true");
  await part("attach-world").click();
  const labels = async () => (await call("get_bridges")).bridges.map(({ label }) => label);
  await until("the world has a bridge", async () => (await labels()).includes("world/logging"));
  const row = page.locator("[data-bridge='world/logging']");
  await row.getByRole("button", { name: "Disconnect" }).click();
  await until("it is gone", async () => !(await labels()).includes("world/logging"));
  await until("the page shows it", async () => (await row.count()) === 0);
});

test("a topic shows its message, and a plot has the values of the topic", async () => {
  const { topics } = await call("get_topics");
  const topic = topics.find(({ type }) => type === "nav_msgs/msg/Odometry")?.topic;
  assert.ok(topic, "the world has no odometry");
  await openPanel("topics");
  await page.locator(`[data-topic="${topic}"] button`).click();
  if ((await text("state")) !== "playing") await play();
  const path = "pose.pose.position.x";
  const collected = await collect(topic);
  await page.locator(`[data-plot="${path}"]`).click();
  await until("the plot has values", () =>
    page.evaluate(([t, p]) => (window.bridgehead.plots.data(t, p)?.[0].length ?? 0) > 40, [topic, path]),
  );
  await picture("plot");
  const [times, values] = await page.evaluate(([t, p]) => window.bridgehead.plots.data(t, p), [topic, path]);
  const known = new Map(
    [...collected.messages].map(([stamp, message]) => [stamp / 1e9, message.pose.pose.position.x]),
  );
  const compared = times
    .map((time, index) => [known.get(time), values[index]])
    .filter(([value]) => value !== undefined);
  assert.ok(compared.length > 20, `only ${compared.length} values can be compared`);
  for (const [expected, value] of compared) assert.equal(value, expected);
  collected.close();
  await page.getByRole("button", { name: "Close the plot" }).click();
  const isGone = await page.evaluate((name) => {
    const { topics } = window.bridgehead;
    topics.all.set(topics.all.get().filter((info) => info.topic !== name));
    return document.querySelector("[data-test=topic-gone]").checkVisibility();
  }, topic);
  assert.equal(isGone, true, "a topic that is gone says so");
  await until("it is there again", async () => !(await part("topic-gone").isVisible()));
  await page.evaluate(() => {
    const { host } = window.bridgehead;
    host.status.set({ ...host.status.get(), world: "another" });
  });
  await until("another world has no chosen topic", async () => (await part("topic-name").count()) === 0);
});

test("pictures stay beside the view while another panel is open", async () => {
  const message = {
    height: 1,
    width: 2,
    encoding: "rgb8",
    is_bigendian: 0,
    step: 6,
    data: [255, 0, 0, 0, 0, 255],
  };
  const topic = "/page_spec/image";
  const send = () =>
    call("publish_message", {
      topic,
      type: "sensor_msgs/msg/Image",
      json: JSON.stringify(message),
      create: true,
    });
  await send();
  await openPanel("topics");
  await page.locator(`tr[data-topic="${topic}"] button`).click();
  await part("dock-image").click();
  await openPanel("run");
  if ((await text("state")) === "playing") await pause();
  const drawn = () =>
    part("docked-image").evaluate((canvas) => [
      ...(canvas.width > 0 ? canvas.getContext("2d").getImageData(0, 0, 2, 1).data.slice(0, 3) : []),
    ]);
  await until("the picture is drawn", async () => {
    await send();
    await call("step_simulation", { steps: 1 });
    return (await part("docked-image").isVisible()) && String(await drawn()) === "255,0,0";
  });
  await picture("docked-image");
  await page.getByRole("button", { name: "Close the picture" }).click();
  assert.equal(await page.locator(".images").isVisible(), false);
  await play();
});

test("a topic without a listener is idle", async () => {
  const { topics } = await call("get_topics");
  const quiet = topics.find(({ listeners, rate }) => listeners === 0 && rate === 0)?.topic;
  if (!quiet) return;
  await openPanel("topics");
  await until("it is said", async () =>
    /idle/.test((await page.locator(`tr[data-topic="${quiet}"]`).textContent()) ?? ""),
  );
});

test("in a pause, topics say so in place of a rate, and counted steps count their messages", async () => {
  await pause();
  const { topics } = await call("get_topics");
  const topic = topics.find(({ type }) => type === "nav_msgs/msg/Odometry").topic;
  const cells = page.locator(`tr[data-topic="${topic}"] td`);
  const shown = async (column) => (await cells.nth(column).textContent()) ?? "";
  await openPanel("topics");
  await until("the list says it", async () => (await shown(1)) === "paused");
  const before = Number((await shown(2)).replace(/\D/g, ""));
  await call("step_simulation", { steps: 100 });
  await until("the messages are counted", async () => Number((await shown(2)).replace(/\D/g, "")) > before);
  assert.equal(await shown(1), "paused");
  await openPanel("vehicles");
  const ofVehicle = page
    .locator("#panel-vehicles li", { has: page.locator(`a[data-topic="${topic}"]`) })
    .last();
  await until("the vehicle says it", async () =>
    /paused/.test((await ofVehicle.locator(".rate").textContent()) ?? ""),
  );
  await play();
  await until("the rate is there again", async () =>
    / Hz/.test((await ofVehicle.locator(".rate").textContent()) ?? ""),
  );
  await openPanel("topics");
});

test("a message is published from the form, and arrow keys drive", async () => {
  const { topics } = await call("get_topics");
  const topic = topics.find(({ type }) => type === "geometry_msgs/msg/Twist")?.topic;
  assert.ok(topic, "the world has nothing that drives");
  const published = async () => (await call("read_topic", { topic })).json;
  await openPanel("topics");
  await page.locator(`[data-topic="${topic}"] button`).click();
  await part("publish-form").locator("summary").click();
  await page.locator("[data-field='linear.x']").fill("0.25");
  await part("publish").click();
  await until("the message is there", async () => JSON.parse((await published()) || "{}").linear?.x === 0.25);
  await picture("publish");
  await part("drive-topic").selectOption(topic);
  await part("drive-speed").fill("0.4");
  await part("drive").click();
  await page.keyboard.down("ArrowUp");
  await until("it drives", async () => JSON.parse(await published()).linear.x === 0.4);
  await page.keyboard.up("ArrowUp");
  await until("it stops", async () => JSON.parse(await published()).linear.x === 0);
  // Other panels show it too, and the Esc key ends it.
  await openPanel("world");
  assert.match(await text("hint-bar"), new RegExp(`Arrow keys drive ${topic}`));
  await picture("driving");
  await pause();
  assert.match(await text("hint-bar"), /is paused: press Play/);
  await play();
  await page.locator("body").press("Escape");
  assert.equal(await part("hint-bar").isVisible(), false);
  await page.keyboard.press("ArrowUp");
  assert.equal(JSON.parse(await published()).linear.x, 0, "arrow keys turn the camera again");
  // A narrow window has arrows for fingers.
  await openPanel("topics");
  assert.equal(await part("pad-up").isVisible(), false);
  const { width, height } = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await part("drive").click();
  const arrow = await part("pad-up").boundingBox();
  assert.ok(arrow && arrow.y > 90 && arrow.y + arrow.height < 844, "the arrows are in the window");
  await picture("driving-390");
  await page.mouse.move(arrow.x + arrow.width / 2, arrow.y + arrow.height / 2);
  await page.mouse.down();
  await until("it drives", async () => JSON.parse(await published()).linear.x === 0.4);
  await page.mouse.up();
  await until("it stops", async () => JSON.parse(await published()).linear.x === 0);
  await part("leave-mount").click();
  assert.equal(await part("pad-up").isVisible(), false);
  await page.setViewportSize({ width, height });
});

test("triggers are added and removed; plugins and step times are shown", async () => {
  await openPanel("diagnostics");
  await part("part-triggers").click();
  await part("trigger-event").fill("{ name = 'time', time = 10 }");
  await part("trigger-action").fill("pause");
  await part("trigger-add").click();
  assert.match(await text("trigger-event-problem"), /not JSON; an example is \{"name": "time", "time": 10\}/);
  await part("trigger-event").fill("time=0.001");
  assert.equal(await part("trigger-event-problem").isVisible(), false);
  assert.match(await text("trigger-passed"), /so the trigger fires at once/);
  await part("trigger-label").fill("at once");
  await part("trigger-add").click();
  await notice(/Paused by the trigger “at once”/);
  await until("the page shows it", async () => (await text("state")) === "paused");
  await play();
  await part("trigger-event").fill("time=100000");
  assert.equal(await part("trigger-passed").isVisible(), false);
  await part("trigger-action").fill("pause");
  await part("trigger-label").fill("page spec");
  await part("trigger-add").click();
  const mine = async () => (await call("get_triggers")).triggers.find(({ label }) => label === "page spec");
  const { id } = await until("the trigger waits", mine);
  await until("the page shows it", async () => (await page.locator(`[data-trigger="${id}"]`).count()) === 1);
  await picture("triggers");
  await part(`remove-trigger-${id}`).click();
  await until("it is gone", async () => !(await mine()));
  await part("part-plugins").click();
  const { plugins } = await call("get_plugins");
  const used = plugins.filter(({ state }) => state !== "known");
  await until(
    "every plugin has a row",
    async () => (await page.locator("[data-plugin]").count()) === used.length,
  );
  const { bridges } = await call("get_bridges");
  for (const { bridge } of bridges)
    assert.doesNotMatch(await text("known-plugins"), new RegExp(`\\b${bridge} `), "it is in use");
  await picture("plugins");
  await part("part-times").click();
  await until(
    "phases are shown",
    async () => (await page.locator("[data-phase=cycle_time_ms]").count()) === 1,
  );
  await part("reset-statistics").click();
  await part("part-log").click();
  await until("the log has lines or a reason", async () => /\S/.test((await text("log-note")) || "lines"));
  const isAtEnd = () =>
    page
      .locator(".log")
      .evaluate(
        (list) => list.clientHeight > 0 && list.scrollTop + list.clientHeight > list.scrollHeight - 8,
      );
  await until("the newest line is shown", isAtEnd);
  await openPanel("run");
  const lines = () => page.locator(".log .line").count();
  const before = await lines();
  // Each writes a line. The page need not draw each of them.
  for (let turn = 0; turn < 11; turn += 1) {
    await call("pause");
    await until("the host is paused", async () => (await status()).state === "Pause");
    await call("resume");
    await until("the host plays", async () => (await status()).state.startsWith("Step"));
  }
  await until("there are new lines", async () => (await lines()) > before + 20);
  await openPanel("diagnostics");
  await until("the newest line is shown again", isAtEnd);
  await picture("log");
});

test("overlays can be switched on and off", async () => {
  await part("layers").click();
  for (const id of ["names", "frames", "joints", "lidar", "paths", "contacts", "collisions"]) {
    const box = page.locator(`[data-overlay=${id}] input`);
    if (await box.isDisabled()) continue;
    await box.check();
  }
  await page.waitForTimeout(1500);
  await picture("overlays");
  const labels = await page.locator(".names span:visible").count();
  assert.ok(labels > 0, "no name is shown");
  for (const id of ["names", "frames", "joints", "lidar", "paths", "contacts", "collisions"]) {
    const box = page.locator(`[data-overlay=${id}] input`);
    if (!(await box.isDisabled())) await box.uncheck();
  }
  await part("layers").click();
});

test("both themes can be chosen, and the page fits into 900 pixels", async () => {
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  const first = await theme();
  const seen = new Set();
  for (let click = 0; click < 3; click += 1) {
    await part("theme").click();
    seen.add(await theme());
    if (click === 0) assert.notEqual(await theme(), first, "the first click changes the theme");
  }
  assert.deepEqual([...seen].sort(), ["dark", "light"]);
  await page.setViewportSize({ width: 900, height: 700 });
  await page.waitForTimeout(300);
  await picture("narrow");
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
  await page.setViewportSize({ width: 1440, height: 860 });
});

test("if the host does not answer, its last state stays in grey, and nothing is sent", async () => {
  await openPanel("run");
  if ((await text("state")) === "playing") await pause();
  const { world, step } = await status();
  await until(
    "the page shows the step",
    async () => (await text("step")).replace(/\D/g, "") === String(step),
  );
  const time = await text("time");
  await page.context().setOffline(true);
  await page.evaluate(() => window.bridgehead.socket.start());
  await until("it is seen", async () => (await text("state")) === "no answer");
  assert.equal(await text("world-name"), world);
  assert.equal(await text("time"), time);
  assert.match(await text("last-seen"), /Last seen at/);
  assert.match(await page.title(), /no answer/);
  assert.equal(await page.locator(".clock.last-seen").count(), 1);
  for (const name of ["play", "factor-2", "reload", "run-quit"])
    assert.equal(await isDenied(name), true, name);
  await picture("no-answer");
  await page.context().setOffline(false);
  await until("the state is there again", async () => /playing|paused/.test(await text("state")));
  // An end that this page has asked for, after a question, is no failure of the host.
  let isAsked = false;
  await page.route("**/api/succeed", (route) => {
    isAsked = true;
    return route.fulfill({ json: { result: { result: 1, error_message: "" } } });
  });
  await part("run-succeed").click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  assert.equal(isAsked, false, "a cancelled request is not sent");
  await part("run-succeed").click();
  await page.getByRole("dialog").getByRole("button", { name: "Succeed" }).click();
  await until("the request is sent", () => isAsked);
  await page.context().setOffline(true);
  await page.evaluate(() => window.bridgehead.socket.start());
  await until("the end is seen", async () => (await text("state")) === "ended");
  assert.match(await text("banner"), /You ended the run: success\..*bridgehead run/);
  assert.match(await text("last-seen"), /You ended the run\. Last seen at/);
  assert.match((await part("play").getAttribute("title")) ?? "", /the host has ended/);
  await picture("ended");
  await page.unroute("**/api/succeed");
  await page.context().setOffline(false);
  await until("the state is there again", async () => /playing|paused/.test(await text("state")));
  assert.equal(await isDenied("factor-2"), false);
  await play();
});

test("a hidden tab receives no poses, and receives them again when it is shown", async () => {
  const frame = () => page.evaluate(() => window.bridgehead.poses.latest.get()?.step);
  await until("poses arrive", async () => (await frame()) !== undefined);
  await hideTab(true);
  await page.waitForTimeout(500);
  const before = await frame();
  await page.waitForTimeout(700);
  assert.equal(await frame(), before);
  await hideTab(false);
  await until("poses arrive again", async () => (await frame()) !== before);
});

test("the page connects again after the host has ended and come back", async (context) => {
  const command = process.env.BRIDGEHEAD_PAGE_RESTART;
  if (!command) return context.skip("BRIDGEHEAD_PAGE_RESTART is not set");
  const connections = () => page.evaluate(() => window.bridgehead.socket.connections.get());
  const before = await connections();
  execSync(command, { stdio: "ignore" });
  await until("it has connected again", async () => (await connections()) > before);
  await until("it shows the state", async () => /playing|paused|stopped/.test(await text("state")));
  assert.equal(await part("banner").isVisible(), false);
});

test("the page had no errors of its own", () => {
  assert.deepEqual(
    errors.filter((error) => !EXPECTED.test(error)),
    [],
  );
});
