// Drives the page of `bridgehead view` and compares it with what the page of the recorded run has shown.
//
//   BRIDGEHEAD_PAGE_URL       address of the view; required
//   BRIDGEHEAD_PAGE_LIVE      file that test/live.mjs wrote during the run; required
//   BRIDGEHEAD_PAGE_PICTURES  folder for pictures

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import {
  call,
  end,
  errors,
  openPanel,
  page,
  part,
  picture,
  start,
  status,
  text,
  until,
} from "./page_support.mjs";
import { PLOTTED, shown } from "./shown.mjs";

const LIVE = JSON.parse(readFileSync(process.env.BRIDGEHEAD_PAGE_LIVE, "utf8"));
const SECOND = 1e9;

before(start);
after(end);

const position = async () => (await status()).time_ns / SECOND;
const plot = () => page.evaluate(({ topic, path }) => window.bridgehead.plots.data(topic, path), PLOTTED);

/** Moves the slider as a user does. */
async function slide(share) {
  await part("position").evaluate((slider, value) => {
    slider.value = String(value * Number(slider.max));
    slider.dispatchEvent(new Event("input"));
  }, share);
}

test("the view begins at 0 and has the poses and the plot of the run at the end", async () => {
  assert.match(await text("recording-file"), /\.mcap$/);
  assert.equal(await text("state"), "paused");
  assert.equal(await position(), 0);
  await until("the page shows it", async () => /^0\.000/.test(await text("position-time")));
  await slide(1);
  await page.evaluate(({ topic, path }) => window.bridgehead.plots.add(topic, path), PLOTTED);
  await until("the plot has all values", async () => (await plot())?.[0].length >= LIVE.plot[0].length);
  await until("entities are listed", async () => (await shown(page)).entities.length > 0);
  const now = await shown(page);
  assert.deepEqual(now.nodes, LIVE.nodes);
  assert.deepEqual(now.visuals, LIVE.visuals);
  assert.deepEqual(now.poses, LIVE.poses);
  assert.deepEqual(now.plot, LIVE.plot);
  // The page of a host also lists entities without links.
  for (const entity of now.entities) assert.ok(LIVE.entities.includes(entity), entity);
  assert.ok(now.plot[0].length > 140, `${now.plot[0].length} values`);
  const moved = Math.abs(now.plot[1].at(-1) - now.plot[1][0]);
  assert.ok(moved > 0.2, `the vehicle has moved by ${moved} m only`);
  await picture("view-end");
});

test("the time line moves to any time, and what is shown is of that time", async () => {
  await slide(0.5);
  await until("the view is in the middle", async () => Math.abs((await position()) - 1.5) < 0.01);
  await until("the page shows it", async () => /^1\.(49|50)/.test(await text("position-time")));
  const at = await position();
  await until("the plot ends there", async () => {
    const times = (await plot())[0];
    return times.length > 60 && times.at(-1) <= at && times.at(-1) > at - 0.03;
  });
  const end = LIVE.plot[0].filter((time) => time <= at).length;
  assert.deepEqual(await plot(), [LIVE.plot[0].slice(0, end), LIVE.plot[1].slice(0, end)]);
  const [x] = await page.evaluate(() => {
    const world = window.bridgehead.view.world.get();
    const node = world.nodesOf("car1")[0];
    return Array.from(world.poses.slice(node * 7, node * 7 + 3));
  });
  const carAt = async () => (await call("get_entity_state", { entity: "car1" })).state;
  const { pose } = await carAt();
  assert.ok(Math.abs(pose.position.x - LIVE.plot[1][end - 1]) < 0.02, "as its odometry says");
  assert.ok(Math.abs(x - pose.position.x) < 0.5);
  // The plot has the whole recording, and a click moves to a time of it.
  await page
    .locator(".u-over")
    .first()
    .click({ position: { x: 60, y: 20 } });
  await until("the click has moved it", async () => {
    const [now, width] = [await position(), (await page.locator(".u-over").first().boundingBox()).width];
    return Math.abs(now - (3 * 60) / width) < 0.05;
  });
  // The command is forgotten after half a second.
  await slide(0.1);
  await until("it drives", async () => (await carAt()).twist.linear.x > 0.1);
  await slide(0);
  await until("the view is at the beginning", async () => (await position()) === 0);
  await until("the plot has only its first value", async () => (await plot())[0].length <= 1);
});

test("play, pause, speed and keys move the recording as they move a run", async () => {
  await part("recording-speed").selectOption("0.5");
  await part("play").click();
  await until("it plays", async () => (await text("state")) === "playing");
  const [from, begin] = [await position(), Date.now()];
  await page.waitForTimeout(1000);
  const [to, end] = [await position(), Date.now()];
  const speed = (to - from) / ((end - begin) / 1000);
  assert.ok(speed > 0.3 && speed < 0.7, `${speed} recorded seconds per second`);
  await page.locator("body").press("p");
  await until("it is paused", async () => (await text("state")) === "paused");
  const before = await position();
  await part("header-steps").fill("3");
  await part("step-button").click();
  await until("it moved", async () => (await position()) > before);
  await part("recording-speed").selectOption("10");
  await page.locator("body").press("r");
  await until("it has reached the end", async () => (await position()) === 3);
  await until("it is paused there", async () => (await text("state")) === "paused");
  const times = (await plot())[0];
  assert.equal(times.at(-1), LIVE.plot[0].at(-1));
  // Slowly: a busy machine would miss a recording that ends in a third of a second.
  await part("recording-speed").selectOption("0.1");
  await part("play").click();
  await until("it plays from the beginning", async () => (await position()) < 3);
  await part("pause").click();
});

test("panels and parts that need a run are absent, topics show their messages", async () => {
  for (const id of ["run", "vehicles", "diagnostics"])
    assert.equal(await page.locator(`#tab-${id}`).isVisible(), false);
  for (const id of ["world", "topics"]) assert.equal(await page.locator(`#tab-${id}`).isVisible(), true);
  await slide(1);
  await openPanel("topics");
  const { topics } = await call("get_topics");
  await until(
    "all topics are listed",
    async () => (await page.locator("#panel-topics tr[data-topic]").count()) === topics.length,
  );
  await page.locator(`[data-topic="${PLOTTED.topic}"] button`).click();
  await until("the message is shown", async () => /position/.test(await text("message-tree")));
  assert.equal(await part("publish-form").isVisible(), false);
  assert.equal(await part("drive").isVisible(), false);
  await picture("view-topics");
  await openPanel("world");
  await page.locator('[data-entity="car1"]').click();
  await until("its pose is shown", async () =>
    /\d\.\d+/.test((await page.locator("[data-test=state-position] td").first().textContent()) ?? ""),
  );
  assert.equal(await part("pose-form").isVisible(), false);
  assert.equal(await part("spawn-place").isVisible(), false);
  assert.equal(await part("delete").isVisible(), false);
  await part("theme").click();
  await picture("view-world");
});

test("overlays draw the recorded messages", async () => {
  await part("layers").click();
  for (const id of ["names", "frames", "lidar", "paths"]) {
    const box = page.locator(`[data-overlay=${id}] input`);
    if (!(await box.isDisabled())) await box.check();
  }
  await slide(0.6);
  await page.waitForTimeout(1000);
  assert.ok((await page.locator(".names span:visible").count()) > 0, "no name is shown");
  await picture("view-overlays");
});

test("the page had no errors of its own", () => {
  assert.deepEqual(errors, []);
});
