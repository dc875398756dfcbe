// Uses the page of the demo as a new user does: node tests/journeys/web_user.mjs ADDRESS. Spawns a box, and parcel.sdf of
// the folder of the host, drives with the arrow keys, attaches a bridge, and ends the run.

import assert from "node:assert/strict";
import { DEADLINE_MS, launch, open } from "../../host/page/test/browser.mjs";

const [address] = process.argv.slice(2);
const browser = await launch();
const { page, errors } = await open(browser, address, { width: 1280, height: 800 });
const part = (name) => page.locator(`[data-test="${name}"]`);

async function call(service, request = {}) {
  const body = JSON.stringify(request);
  return (await fetch(`${address}/api/${service}`, { method: "POST", body })).json();
}

async function until(what, condition) {
  const end = Date.now() + DEADLINE_MS;
  while (Date.now() < end) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`it did not happen: ${what}`);
}

async function step(what, action) {
  await action();
  console.log(what);
}

await step("the page shows the vehicles", async () => {
  for (const name of ["car1", "car2"]) assert.equal(await page.locator(`[data-entity=${name}]`).count(), 1);
});

await step("a box and a parcel are spawned", async () => {
  await page.locator("#tab-world").click();
  await part("spawn-x").fill("-2");
  await part("spawn-kind").selectOption("box");
  await part("spawn-here").click();
  await until("the box is in the world", async () => (await call("get_entities")).entities.includes("box"));
  await part("spawn-y").fill("-2");
  await part("spawn-kind").selectOption("address");
  await part("spawn-model").fill("parcel.sdf");
  await part("spawn-here").click();
  await until("the parcel is in the world", async () =>
    (await call("get_entities")).entities.includes("parcel"),
  );
  await page.locator("[data-entity=parcel]").waitFor();
});

await step("a vehicle is driven with the arrow keys", async () => {
  const speed = async () => {
    const { state } = await call("get_entity_state", { entity: "car1" });
    return Math.hypot(state.twist.linear.x, state.twist.linear.y);
  };
  await page.locator("#tab-topics").click();
  await part("drive-topic").selectOption("/car1/cmd_vel");
  await part("drive").click();
  await page.keyboard.down("ArrowUp");
  await until("it drives", async () => (await speed()) > 0.3);
  await page.keyboard.up("ArrowUp");
  await until("it stops", async () => (await speed()) < 0.01);
});

await step("a wrong connection string is explained, and a right one attaches a log", async () => {
  await page.locator("#tab-vehicles").click();
  await page.locator("[data-vehicle=world] summary").click();
  await part("attach-name-world").selectOption("logging");
  await part("attach-connection-world").fill("clock.jsonl;colour=blue");
  await part("attach-world").click();
  await until("the refusal names the key", async () =>
    (await part("toast").allTextContents()).some((toast) => toast.includes("colour")),
  );
  await part("attach-connection-world").fill("clock.jsonl;topics=/clock");
  await part("attach-world").click();
  await until("the log is attached", async () =>
    (await call("get_bridges")).bridges.some(({ label }) => label === "world/logging"),
  );
});

await step("the run is ended", async () => {
  await call("quit");
});

assert.deepEqual(errors, []);
await browser.close();
