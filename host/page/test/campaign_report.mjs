// Opens the report of a campaign and uses it: node test/campaign_report.mjs FILE.html FOLDER

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { launch } from "./browser.mjs";

const [file, folder] = process.argv.slice(2);
const browser = await launch();
for (const theme of ["light", "dark"]) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme: theme });
  const page = await context.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => problems.push(message.text()));
  page.on("request", (request) => {
    if (request.url() !== pathToFileURL(file).href) problems.push(request.url());
  });
  const begin = Date.now();
  await page.goto(pathToFileURL(file).href);
  assert.ok(Date.now() - begin < 20_000, "the page opens within seconds");
  assert.equal(await page.locator(".heat [data-case]").count(), 100);
  assert.match(await page.locator(".outcome").textContent(), /not reproducible/);
  assert.match(await page.locator("#count").textContent(), /^1 to 100 of 10000$/);
  assert.equal(await page.locator("figure svg").count(), 3);
  // One entry for each case, not for each run.
  assert.equal(await page.locator("#failures details").count(), 50);
  assert.match(await page.locator("#failures details").nth(1).textContent(), /^2 of 100 worlds\/wet\.sdf/);
  assert.match(
    await page.locator("#totals").textContent(),
    /Executed 2026-11-30 00:53 to 01:10 UTC, .* on node7 \(16 cores\)/,
  );
  assert.match(await page.locator(".copies").textContent(), /in 2 of 100 cases, all 100 seeds gave one run/);
  assert.match(await page.locator("#parameters").textContent(), /duration10s in every run/);
  // Labels have short names, and the whole path is one step away.
  assert.equal(await page.locator(".heat tr").first().locator("th").nth(1).textContent(), "mass");
  assert.equal(await page.locator("#table tbody tr").first().locator("td").nth(3).textContent(), "mass=800");
  assert.match(
    await page.locator("#table tbody td").nth(3).getAttribute("title"),
    /world\.model\[car\].*run\.duration=10s/,
  );
  assert.match(await page.locator("#table tbody td.key").first().textContent(), /^[0-9a-f]{8,12}$/);

  // A click on a cell shows the runs of its case.
  await page.locator("[data-case='97']").click();
  assert.match(await page.locator("#count").textContent(), /of 100$/);
  await page.locator("#filter").fill("case:97 failed");
  assert.match(await page.locator("#count").textContent(), /^1 to 48 of 48$/);
  await page.locator("#table tbody tr").nth(1).click();
  const command = await page.locator("#table tbody pre").textContent();
  assert.match(
    command,
    /bridgehead run worlds\/wet\.sdf --config=base\.toml --seed=1 '--set=world\.model\[car\]\.link\[body\]\.inertial\.mass=1760'/,
  );

  await page.locator("#filter").fill("");
  await page.locator("#after").click();
  assert.match(await page.locator("#count").textContent(), /^101 to 200 of 10000$/);
  await page.locator("#filter").fill("nothing like this");
  assert.equal(await page.locator("#count").textContent(), "no run");
  await page.locator("#filter").fill("");
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path: `${folder}/report-${theme}.png`, fullPage: true });
  assert.deepEqual(problems, []);
  await context.close();
}

// On a phone nothing but the matrix is wider than the screen, and that scrolls by itself.
const context = await browser.newContext({
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
});
const page = await context.newPage();
await page.goto(pathToFileURL(file).href);
await page.locator("#failures summary").first().click();
await page.locator("#filter").fill("failed");
await page.locator("#table tbody tr").first().click();
const wide = await page.evaluate(() => {
  const isWide = (one) => one.scrollWidth > one.clientWidth + 1 && !one.closest("#matrix");
  return [document.documentElement, ...document.querySelectorAll("main, section, .scroll, pre, details")]
    .filter(isWide)
    .map((one) => `${one.tagName} ${one.id} ${one.scrollWidth}`);
});
assert.deepEqual(wide, []);
assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
await page.screenshot({ path: `${folder}/report-phone.png`, fullPage: true });
await context.close();
await browser.close();
console.log("checked");
