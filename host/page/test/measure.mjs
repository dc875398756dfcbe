// Measures what the page costs: node test/measure.mjs ADDRESS [SECONDS]
// The view has 640 by 360 pixels, without shadows and smooth edges, as in the requirement for software drawing.

import { launch, open } from "./browser.mjs";

const [address = "http://127.0.0.1:8190", seconds = "15"] = process.argv.slice(2);
const browser = await launch();
// Beside the view are 445 pixels of the dock and its divider; above it are 46.
const { page, errors } = await open(browser, address, { width: 1085, height: 406, query: "?quality=low" });
await page.waitForTimeout(3000);
await page.evaluate(() => {
  const { counts } = window.bridgehead.view;
  counts.scriptMs.length = 0;
  window.measured = {
    frames: counts.frames,
    bytes: window.bridgehead.socket.receivedBytes,
    at: performance.now(),
  };
});
await page.waitForTimeout(Number(seconds) * 1000);
const result = await page.evaluate(() => {
  const { view, socket, poses } = window.bridgehead;
  const { frames, bytes, at } = window.measured;
  const elapsed = (performance.now() - at) / 1000;
  const sorted = [...view.counts.scriptMs].sort((a, b) => a - b);
  const part = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return {
    framesPerSecond: (view.counts.frames - frames) / elapsed,
    medianMs: part(0.5),
    p95Ms: part(0.95),
    bytesPerSecond: Math.round((socket.receivedBytes - bytes) / elapsed),
    rate: poses.rate.get(),
    ...view.cost(),
    size: [view.canvas.width, view.canvas.height],
    firstFrameMs: Math.round(view.counts.firstFrameAt),
  };
});
console.log(JSON.stringify(result, null, 2));
if (errors.length > 0) console.log(errors.join("\n"));
await browser.close();
