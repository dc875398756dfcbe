// A message of a plugin with nested messages: its fields on the page.
//
//   BRIDGEHEAD_PAGE_URL      address of a host that plays a world with the example sensor `barometer`; required
//   BRIDGEHEAD_PAGE_PICTURES folder for pictures

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { end, errors, openPanel, page, picture, start, text, until } from "./page_support.mjs";

const TOPIC = "/car1/pressure";

before(start);
after(end);

test("nested fields of a plugin's own message are shown, and can be plotted", async () => {
  await openPanel("topics");
  await page.locator(`[data-topic="${TOPIC}"] button`).click();
  await until("the fields are there", async () => {
    const shown = await page.locator("#panel-topics").textContent();
    return ["frame_id", "pascal", "variance"].every((field) => shown.includes(field));
  });
  const path = "reading.pascal";
  await page.locator(`[data-plot="${path}"]`).click();
  const values = () =>
    page.evaluate(([t, p]) => window.bridgehead.plots.data(t, p)?.[1] ?? [], [TOPIC, path]);
  await until("the plot has values", async () => (await values()).length > 10);
  // The standard atmosphere at 1,000 m, and noise of 5 Pa.
  for (const value of await values()) assert.ok(Math.abs(value - 89874.6) < 30, `${value}`);
  assert.equal(await text("world-name"), "test");
  await picture("own_message");
  assert.deepEqual(errors, []);
});
