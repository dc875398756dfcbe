// The page under strain: a world of thousands of models, a slow link, many clients.
//
//   BRIDGEHEAD_PAGE_URL       address of a host that plays a world of at least 5,000 models that all move; required
//   BRIDGEHEAD_PAGE_SLOW_URL  the same host over a slow link; required
//   BRIDGEHEAD_PAGE_PLACES    number of connections that the host serves; required

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { WebSocket } from "ws";
import { launch, open } from "./browser.mjs";
import {
  call,
  end,
  errors,
  hideTab,
  page,
  part,
  pause,
  picture,
  play,
  start,
  status,
  text,
  until,
} from "./page_support.mjs";

const ADDRESS = new URL(process.env.BRIDGEHEAD_PAGE_URL);
const PLACES = Number(process.env.BRIDGEHEAD_PAGE_PLACES);
const MODELS = 5000;
/** Longest delay of poses over the slow link, seconds. */
const RECENT = process.env.BRIDGEHEAD_LOAD ? 15 : 3;

before(start);
after(end);

/** Returns open WebSockets of clients that read poses, as pages do. */
async function clients(count) {
  const open = Array.from({ length: count }, () => new WebSocket(`ws://${ADDRESS.host}/ws`, "bridgehead"));
  await Promise.all(open.map((socket) => new Promise((resolve) => socket.on("open", resolve))));
  for (const socket of open) {
    socket.on("error", () => undefined);
    socket.send(JSON.stringify({ op: "subscribe", what: "status", rate: 5 }));
  }
  return open;
}

test("thousands of models are drawn, and as many of them listed as can be read", async () => {
  const nodes = () => page.evaluate(() => window.bridgehead.view.world.get()?.scene.nodes.length ?? 0);
  await until("all are there", async () => (await nodes()) >= MODELS);
  await until("they are listed", async () => (await page.locator("[data-entity]").count()) >= 400);
  assert.equal(await page.locator("[data-entity]").count(), 400);
  await part("entity-filter").fill("box_4321");
  await until("the filter finds one", async () => (await page.locator("[data-entity]").count()) === 1);
  await part("entity-filter").fill("");
  const frames = () => page.evaluate(() => window.bridgehead.view.counts.frames);
  const before = await frames();
  await until("it is drawn again and again", async () => (await frames()) > before + 5);
  await picture("thousands");
});

test("over a slow link the page gets fewer poses, which are recent, and control works", async () => {
  const browser = await launch();
  try {
    const { page: far } = await open(browser, process.env.BRIDGEHEAD_PAGE_SLOW_URL);
    const lag = async () => {
      const now = (await status()).time_ns / 1e9;
      return now - (await far.evaluate(() => window.bridgehead.poses.latest.get()?.time ?? 0));
    };
    await until("the page asks for fewer poses", () =>
      far.evaluate(() => window.bridgehead.poses.rate.get() < 60),
    );
    await until("the poses are recent", async () => (await lag()) < RECENT);
    await until("the page says it", async () =>
      /connected, \d+ Hz/.test((await far.locator("[data-test=link]").textContent()) ?? ""),
    );
    await far.locator("[data-test=pause]").click();
    await until("the host is paused", async () => (await status()).state === "Pause");
    await until("the far page shows it", async () =>
      /paused/.test((await far.locator("[data-test=state]").textContent()) ?? ""),
    );
    await play();
  } finally {
    await browser.close();
  }
});

test("a page that is there works while other clients take all places, and a new one comes in when they leave", async () => {
  // The page has a WebSocket and up to six connections for requests; those that are idle give way.
  const others = await clients(PLACES - 2);
  await pause();
  await play();
  for (const socket of others) socket.terminate();
  await until("there is room again", async () => (await call("get_status")).status !== undefined);
  const browser = await launch();
  const { page: late } = await open(browser, ADDRESS.origin);
  await until("a new page is connected", async () =>
    /connected/.test((await late.locator("[data-test=link]").textContent()) ?? ""),
  );
  await browser.close();
});

test("a hidden tab disconnects after a while, and is there again at once", async () => {
  await page.evaluate(() => {
    window.bridgehead.socket.sleepMs = 200;
  });
  const link = () => page.evaluate(() => window.bridgehead.socket.link.get());
  await page.evaluate(() => {
    window.leave = window.bridgehead.socket.subscribe("topic:/plotted", {});
  });
  await hideTab(true);
  await page.waitForTimeout(1000);
  assert.equal(await link(), "open", "messages of a topic are collected while it is hidden");
  await page.evaluate(() => window.leave());
  await hideTab(true);
  await until("it has disconnected", async () => (await link()) === "waiting");
  await page.waitForTimeout(1000);
  assert.equal(await link(), "waiting", "it does not try again while it is hidden");
  await hideTab(false);
  await until("it has connected again", async () => (await link()) === "open");
  await until("it shows the state", async () => /playing/.test(await text("state")));
  assert.equal(await part("banner").isVisible(), false);
});

test("a reload during the run shows the world again", async () => {
  await page.reload();
  await until("it is drawn", () => page.evaluate(() => window.bridgehead?.view?.counts.firstFrameAt > 0));
  await until("it shows the state", async () => /playing/.test(await text("state")));
});

test("the page had no errors of its own", () => {
  assert.deepEqual(
    errors.filter((error) => !/Failed to load resource|WebSocket connection/.test(error)),
    [],
  );
});
