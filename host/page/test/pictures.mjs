// Takes a picture of every panel in both themes: node test/pictures.mjs ADDRESS FOLDER [TOKEN]

import { mkdirSync } from "node:fs";
import { launch, open } from "./browser.mjs";

const [address = "http://127.0.0.1:8190", folder = "screenshots", token = ""] = process.argv.slice(2);
const PARTS = ["triggers", "plugins", "times", "log", "errors"];

mkdirSync(folder, { recursive: true });
const browser = await launch();
for (const theme of ["light", "dark"]) {
  const { page, errors, context } = await open(browser, address, { theme, token });
  const take = async (name) => {
    await page.waitForTimeout(1200);
    await page.screenshot({ path: `${folder}/${name}-${theme}.png` });
  };
  const entity = await page.evaluate(() =>
    window.bridgehead.host.entities.get().find((name) => /car|sphere/.test(name)),
  );
  await page.evaluate((name) => window.bridgehead.view.selection.set(name ?? null), entity);
  await take("world");
  await page.locator("#tab-run").click();
  await take("run");
  await page.locator("#tab-vehicles").click();
  await take("vehicles");
  await page.locator("#tab-topics").click();
  const topic = page.locator("[data-topic$='/odom'] button").first();
  if (await topic.count()) {
    await topic.click();
    await page.waitForTimeout(1500);
    await page
      .locator("[data-plot='pose.pose.position.x']")
      .first()
      .click()
      .catch(() => undefined);
    await page
      .locator("[data-plot='twist.twist.linear.x']")
      .first()
      .click()
      .catch(() => undefined);
  }
  await take("topics");
  await page.locator("#tab-diagnostics").click();
  for (const part of PARTS) {
    await page.locator(`[data-test=part-${part}]`).click();
    await take(part);
  }
  await page.locator("[data-test=layers]").click();
  await take("layers");
  if (errors.length > 0) console.log(`${theme}: ${errors.join("\n")}`);
  await context.close();
}
await browser.close();
