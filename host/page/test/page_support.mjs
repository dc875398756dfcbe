// What the tests of the page share: the page, calls of the host, waiting with a deadline, pictures.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { WebSocket } from "ws";
import { DEADLINE_MS, launch, open } from "./browser.mjs";

const ADDRESS = (process.env.BRIDGEHEAD_PAGE_URL ?? "").replace(/\/$/, "");
const TOKEN = process.env.BRIDGEHEAD_PAGE_TOKEN ?? "";
const PICTURES = process.env.BRIDGEHEAD_PAGE_PICTURES ?? "";

assert.notEqual(ADDRESS, "", "set BRIDGEHEAD_PAGE_URL");

let browser;
export let page;
export let errors;

export async function start() {
  browser = await launch();
  ({ page, errors } = await open(browser, ADDRESS, { token: TOKEN }));
}

/** Opens a second page, to which the host says nothing: its WebSocket opens, and no message arrives. */
export async function openUnanswered() {
  const context = await browser.newContext();
  context.setDefaultTimeout(DEADLINE_MS);
  const silent = await context.newPage();
  await silent.routeWebSocket(/\/ws/, () => {});
  await silent.route("**/api/get_status", () => {});
  await silent.addInitScript((token) => sessionStorage.setItem("bridgehead.token", token), TOKEN);
  await silent.goto(`${ADDRESS}/`);
  return silent;
}

export async function end() {
  await browser?.close();
}

/** Calls a service of the host, not through the page. */
export async function call(service, request = {}) {
  const headers = { "content-type": "application/json", ...(TOKEN && { authorization: `Bearer ${TOKEN}` }) };
  const answer = await fetch(`${ADDRESS}/api/${service}`, {
    method: "POST",
    headers,
    body: JSON.stringify(request),
  });
  return answer.json();
}

export async function status() {
  return (await call("get_status")).status;
}

/** Waits until a condition holds, and fails with its description otherwise. */
export async function until(what, condition) {
  const end = Date.now() + DEADLINE_MS;
  let last;
  while (Date.now() < end) {
    last = await condition();
    if (last) return last;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`it did not happen: ${what}`);
}

export const part = (name) => page.locator(`[data-test="${name}"]`);
/** The section that contains a part. */
export const sectionOf = (name) => page.locator("section", { has: part(name) });
export const text = async (name) => (await part(name).first().textContent()) ?? "";
export const isDenied = async (name) => (await part(name).first().getAttribute("aria-disabled")) === "true";

export async function openPanel(id) {
  await page.locator(`#tab-${id}`).click();
}

export async function picture(name) {
  if (PICTURES === "") return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
}

export async function pause() {
  await part("pause").click();
  await until("the host is paused", async () => (await status()).state === "Pause");
  await until("the page shows it", async () => (await text("state")) === "paused");
}

export async function play() {
  await part("play").click();
  await until("the host plays", async () => (await status()).state.startsWith("Step"));
  await until("the page shows it", async () => (await text("state")) === "playing");
}

/** Makes the page believe that its tab is hidden, or shown again. */
export function hideTab(isHidden) {
  return page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
}

/** Waits for a notice with a text. */
export async function notice(pattern) {
  await until(`a notice that matches ${pattern}`, async () =>
    (await part("toast").allTextContents()).some((toast) => pattern.test(toast)),
  );
}

/** The colour at a point of the world in the picture. */
export async function colorAt([x, y, z]) {
  return page.evaluate(
    async ([px, py, pz]) => {
      const { view } = window.bridgehead;
      const place = view.project(px, py, pz);
      const bitmap = await createImageBitmap(await view.picture());
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext("2d");
      context.drawImage(bitmap, 0, 0);
      const area = view.canvas.getBoundingClientRect();
      const scale = bitmap.width / area.width;
      return [
        ...context.getImageData((place.x - area.left) * scale, (place.y - area.top) * scale, 1, 1).data,
      ];
    },
    [x, y, z],
  );
}

/** Collects messages of a topic with a WebSocket of its own. */
export async function collect(topic) {
  const socket = new WebSocket(`${ADDRESS.replace("http", "ws")}/ws`, "bridgehead", {
    headers: TOKEN ? { authorization: `Bearer ${TOKEN}` } : {},
  });
  const messages = new Map();
  await new Promise((resolve, reject) => {
    socket.on("open", resolve);
    socket.on("error", reject);
  });
  socket.on("message", (data) => {
    const { op, data: content } = JSON.parse(data.toString());
    if (op === "event") messages.set(content.stamp_ns, content.message);
  });
  socket.send(JSON.stringify({ op: "subscribe", what: `topic:${topic}` }));
  return { messages, close: () => socket.close() };
}
