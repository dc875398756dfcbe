// Runs a paused host for three simulated seconds with a plot on the page, and writes what the page shows at their end, for
// view.spec.mjs: node test/live.mjs ADDRESS FILE.json

import { writeFileSync } from "node:fs";
import { launch, open } from "./browser.mjs";
import { PLOTTED, shown } from "./shown.mjs";

const [address, file] = process.argv.slice(2);
const STEPS = 3000;

const call = async (service, request) => {
  const options = { method: "POST", body: JSON.stringify(request) };
  const answer = await fetch(`${address}/api/${service}`, {
    ...options,
    headers: { "content-type": "application/json" },
  });
  return answer.json();
};

const browser = await launch();
const { page, errors } = await open(browser, address);
await page.locator("#tab-topics").click();
await page.locator(`[data-topic="${PLOTTED.topic}"] button`).click();
await page.evaluate(({ topic, path }) => window.bridgehead.plots.add(topic, path), PLOTTED);
await page.waitForTimeout(500);
await call("publish_message", {
  topic: "/car1/cmd_vel",
  type: "geometry_msgs/msg/Twist",
  json: JSON.stringify({ linear: { x: 0.8, y: 0, z: 0 }, angular: { x: 0, y: 0, z: 0.5 } }),
});
const { status: before } = await call("get_status", {});
await call("step_simulation", { steps: STEPS });
await page.waitForFunction(
  (last) => window.bridgehead.poses.latest.get()?.step === last,
  before.step + STEPS,
);
await page.waitForFunction(
  ({ topic, path, time }) => window.bridgehead.plots.data(topic, path)?.[0].at(-1) === time,
  { ...PLOTTED, time: (before.time_ns + STEPS * before.step_width_ns) / 1e9 },
);
writeFileSync(file, JSON.stringify(await shown(page)));
if (errors.length > 0) console.log(errors.join("\n"));
await browser.close();
