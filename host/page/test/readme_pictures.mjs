// Takes the pictures for README.md: node test/readme_pictures.mjs ADDRESS FOLDER. The host runs worlds/two_vehicles.sdf with
// recorded commands for both vehicles, and is paused.

import { launch, open } from "./browser.mjs";

const [address, folder] = process.argv.slice(2);
const SIZE = { width: 1280, height: 720 };
/** Three pages that are drawn in software at the same time show more poses if the time passes slowly. */
const SPEED = 0.3;

await answering();
const browser = await launch();
const pages = [
  { name: "world", theme: "light", prepare: world, at: 4 },
  { name: "vehicles", theme: "light", prepare: vehicles, at: 6 },
  { name: "topics", theme: "dark", prepare: topics, at: 8.5 },
];
for (const one of pages) {
  one.page = (await open(browser, address, { ...SIZE, theme: one.theme })).page;
  await one.prepare(one.page);
}
await call("set_real_time_factor", { factor: SPEED });
await call("resume");
// At simulated seconds: the recorded commands end at 10.
for (const { name, page, at } of pages) {
  await page.waitForFunction((least) => window.bridgehead.poses.latest.get()?.time > least, at);
  await page.screenshot({ path: `${folder}/${name}.png` });
}
await browser.close();

/** Waits until the host is paused. */
async function answering() {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const answer = await call("get_status").catch(() => null);
    if (answer?.status.state === "Pause") return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no paused host answers at ${address}`);
}

async function call(service, request = {}) {
  const body = JSON.stringify(request);
  return (await fetch(`${address}/api/${service}`, { method: "POST", body })).json();
}

/** The world with what the sensors measure, and a selected vehicle. */
async function world(page) {
  await page.locator("[data-entity=car1]").click();
  await page.locator("[data-test=layers]").click();
  for (const id of ["names", "lidar", "paths"]) await page.locator(`[data-overlay=${id}] input`).check();
  await page.locator("[data-test=layers]").click();
}

/** A topic, and plots of its velocities. */
async function topics(page) {
  await page.locator("#tab-topics").click();
  await page.locator("[data-topic='/car1/odom'] button").click();
  // A message must be there before a field of it can be plotted.
  await call("step_simulation", { steps: 100 });
  for (const field of ["twist.twist.linear.x", "twist.twist.angular.z"]) {
    await page.locator(`[data-plot='${field}']`).click();
  }
  await page.locator("tr[data-topic='/car1/odom']").scrollIntoViewIfNeeded();
}

/** The vehicles with their bridges and sensors. */
async function vehicles(page) {
  await page.locator("#tab-vehicles").click();
}
