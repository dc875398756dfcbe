// Opens every panel in windows of several widths and in both themes, takes pictures, and finds text that is cut off, covered
// or outside of the window.
//
//   BRIDGEHEAD_PAGE_URL       address of the host; required
//   BRIDGEHEAD_PAGE_TOKEN     token of the host, if it requires one
//   BRIDGEHEAD_PAGE_PICTURES  folder for pictures
//   BRIDGEHEAD_LONG           1: every width in every theme, instead of two widths in each theme

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { layoutDefects } from "./layout.mjs";
import {
  call,
  end,
  errors,
  openPanel,
  page,
  part,
  pause,
  picture,
  sectionOf,
  start,
  status,
  until,
} from "./page_support.mjs";

/** 640 by 400 pixels are a window of 1280 by 800 at 200 %. */
const WINDOWS = [
  [390, 844],
  [640, 400],
  [1280, 800],
  [1920, 1080],
];
const THEMES = ["light", "dark"];

/** Every width and every theme; with BRIDGEHEAD_LONG=1 every width in every theme. */
const looks = THEMES.flatMap((theme, at) =>
  WINDOWS.filter((_, index) => process.env.BRIDGEHEAD_LONG === "1" || index % 2 === at).map((size) => [
    theme,
    ...size,
  ]),
);
const PARTS = ["triggers", "plugins", "times", "log", "errors"];

before(async () => {
  await start();
  // A world that moves costs time and changes numbers between two looks.
  if ((await status()).state !== "Pause") await pause();
  await saveSnapshot("before_the_turn_into_the_second_corridor_on_the_left_side.snapshot");
});
after(end);

/** What is looked at: each opens a part of the page, and may close it again. */
const VIEWS = {
  world: { open: () => openWorld() },
  run: { open: () => openPanel("run") },
  vehicles: {
    open: async () => {
      await openPanel("vehicles");
      await page.evaluate(() => {
        for (const form of document.querySelectorAll("#panel-vehicles details")) form.open = true;
      });
      await until("sensors are listed", async () => (await page.locator(".elements .name").count()) > 0);
    },
  },
  topics: { open: () => openPanel("topics") },
  topic: { open: () => openTopic(), close: () => closeTopic() },
  ...Object.fromEntries(PARTS.map((name) => [name, { open: () => openPart(name) }])),
  layers: { open: () => part("layers").click(), close: () => part("layers").click() },
  help: {
    open: () => part("help").click(),
    close: () => page.getByRole("button", { name: "Close", exact: true }).last().click(),
  },
};

/** So that the list of snapshots has a name that is longer than its place. */
async function saveSnapshot(name) {
  await openPanel("run");
  await part("snapshot-path").fill(name);
  await sectionOf("snapshot").getByLabel("overwrite").check();
  await part("snapshot").click();
  await until("the snapshot is listed", async () => (await part(`restore-${name}`).count()) === 1);
  await part("toast").getByRole("button", { name: "Close" }).click();
}

async function openWorld() {
  await openPanel("world");
  const { name } = await page.evaluate(() => {
    const { host, view } = window.bridgehead;
    const name = host.description.get()?.elements.find(({ kind }) => kind === "sensor")?.vehicle ?? null;
    view.selection.set(name);
    return { name };
  });
  if (name) await until("it is shown", async () => (await part("selected-name").textContent()) === name);
  const form = part("pose-form");
  if ((await form.count()) && !(await form.evaluate((one) => one.open)))
    await form.locator("summary").click();
}

async function openTopic() {
  await openPanel("topics");
  const row = page.locator("#panel-topics [data-topic$='/odom'] button").first();
  if (!(await row.count())) return;
  await row.click();
  await until("it is listened to", async () =>
    (await call("get_topics")).topics.some(
      ({ topic, listeners }) => topic.endsWith("/odom") && listeners > 0,
    ),
  );
  await call("step_simulation", { steps: 100 });
  await until("the message is there", async () => (await page.locator("[data-plot]").count()) > 3);
  await page.locator("[data-plot='pose.pose.position.x']").first().click();
  const topic = await part("topic-name").textContent();
  const plotted = () =>
    page.evaluate(
      (name) => window.bridgehead.plots.data(name, "pose.pose.position.x")?.[0].length ?? 0,
      topic,
    );
  await until("the plot has the latest value, also in a pause", async () => (await plotted()) > 0);
}

async function closeTopic() {
  const close = page.getByRole("button", { name: "Close the plot" }).first();
  if (await close.count()) await close.click();
  const row = page.locator("#panel-topics tr[aria-selected=true] button").first();
  if (await row.count()) await row.click();
}

async function openPart(name) {
  await openPanel("diagnostics");
  await part(`part-${name}`).click();
}

async function setTheme(theme) {
  await page.emulateMedia({ colorScheme: theme });
  await until(
    "the theme is used",
    async () => (await page.evaluate(() => document.documentElement.dataset.theme)) === theme,
  );
}

for (const [theme, width, height] of looks) {
  test(`nothing is cut off or covered in ${width} pixels, ${theme}`, async () => {
    await setTheme(theme);
    await page.setViewportSize({ width, height });
    const defects = [];
    for (const [name, { open, close }] of Object.entries(VIEWS)) {
      await open();
      await page.waitForTimeout(150);
      for (const defect of await layoutDefects(page)) defects.push(`${name}: ${defect}`);
      await picture(`${name}-${width}-${theme}`);
      await close?.();
    }
    assert.deepEqual(defects, []);
  });
}

test("the world, help, theme and reset can be used with a finger on a narrow screen", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  const view = await page.locator(".view").boundingBox();
  assert.ok(view.width > 380 && view.height > 250, `the view has ${view.width} by ${view.height} pixels`);
  for (const name of ["play", "pause", "step-button", "reset", "theme", "help"]) {
    const box = await part(name).boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 390, `${name} is within the window`);
    assert.ok(box.width >= 28 && box.height >= 28, `${name} has ${box.width} by ${box.height} pixels`);
  }
  await page.setViewportSize({ width: 640, height: 400 });
  await part("help").click();
  const [dialog, first] = await Promise.all(
    ["dialog", "dialog h2"].map((name) => page.locator(name).first().boundingBox()),
  );
  assert.ok(first.y >= dialog.y, `the title is ${dialog.y - first.y} pixels above the dialog`);
  await page.getByRole("button", { name: "Close", exact: true }).last().click();
  await page.setViewportSize({ width: 390, height: 844 });
  const dock = await page.locator(".dock").boundingBox();
  assert.ok(dock.y >= view.y + view.height - 1, "the panels are below the view");
});

test("planted defects are found", async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await openPanel("run");
  assert.deepEqual(await layoutDefects(page), []);
  const planted = async (plant) => {
    await page.evaluate(plant);
    const defects = await layoutDefects(page);
    await page.evaluate(() => document.getElementById("planted").remove());
    return defects.join("\n");
  };
  const wide = await planted(() => {
    const wide = document.createElement("p");
    wide.id = "planted";
    wide.style.width = "3000px";
    wide.textContent = "wide";
    document.querySelector("#panel-run section").append(wide);
  });
  assert.match(wide, /pixels wider than its place/);
  const covered = await planted(() => {
    const cover = document.createElement("p");
    cover.id = "planted";
    cover.style.cssText = "margin-top: -30px";
    cover.textContent = "This text covers the one above it.";
    document.querySelector("#panel-run section").append(cover);
  });
  assert.match(covered, /cover each other/);
  const outside = await planted(() => {
    const outside = document.createElement("p");
    outside.id = "planted";
    outside.style.cssText = "position: absolute; left: 1250px; white-space: nowrap";
    outside.textContent = "This text reaches out of the window.";
    document.body.append(outside);
  });
  assert.match(outside, /reaches out of the window/);
  assert.deepEqual(await layoutDefects(page), []);
});

test("the page had no errors of its own", () => {
  assert.deepEqual(errors, []);
});
