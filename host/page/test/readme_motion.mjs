// Takes the frames of the moving picture for README.md: node test/readme_motion.mjs ADDRESS FOLDER. The host runs
// worlds/two_vehicles.sdf with recorded commands for both vehicles, and is paused at the start. Every frame is a fixed number
// of steps after the one before, so that the motion is even on a slow machine; docs/pictures/motion.py joins the frames.

import { launch, open } from "./browser.mjs";

const [address, folder] = process.argv.slice(2);
const SIZE = { width: 1280, height: 720 };
/** A frame for each tenth of a second; the recorded commands end at 10 s. */
const STEPS = 100;
const FRAMES = 92;
const PLOTS = ["twist.twist.linear.x", "twist.twist.angular.z"];

const browser = await launch();
const { page } = await open(browser, address, SIZE);
await page.locator("[data-entity=car1]").click();
await page.locator("[data-test=layers]").click();
for (const id of ["names", "lidar", "paths"]) await page.locator(`[data-overlay=${id}] input`).check();
await page.locator("[data-test=layers]").click();
await page.locator("#tab-topics").click();
await page.locator("[data-topic='/car1/odom'] button").click();
// A message must be there before a field of it can be plotted.
await advance();
for (const field of PLOTS) await page.locator(`[data-plot='${field}']`).click();
await page.locator("tr[data-topic='/car1/odom']").scrollIntoViewIfNeeded();
for (let frame = 0; frame < FRAMES; frame += 1) {
  await advance();
  await page.screenshot({ path: `${folder}/${String(frame).padStart(3, "0")}.png` });
}
await browser.close();

async function call(service, request = {}) {
  const body = JSON.stringify(request);
  return (await fetch(`${address}/api/${service}`, { method: "POST", body })).json();
}

/** Runs the steps of a frame, and waits until the page has drawn them. */
async function advance() {
  const { status } = await call("get_status");
  await call("step_simulation", { steps: STEPS });
  await page.waitForFunction(
    (step) => window.bridgehead.poses.latest.get()?.step >= step,
    status.step + STEPS,
  );
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
