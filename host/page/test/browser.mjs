// Starts Debian's Chromium for tests and pictures. Graphics are drawn in software, so that every machine can do it.

import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const PLACES = [process.env.BRIDGEHEAD_CHROMIUM ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser"];

/** Longest wait. Beside other load, everything takes longer. */
export const DEADLINE_MS = process.env.BRIDGEHEAD_LOAD ? 120_000 : 60_000;

/** Returns the path of the browser; an empty text if there is none. */
export function browserPath() {
  return PLACES.find((place) => place !== "" && existsSync(place)) ?? "";
}

export async function launch() {
  return chromium.launch({
    executablePath: browserPath(),
    args: [
      "--no-sandbox",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--ignore-gpu-blocklist",
    ],
  });
}

/** Opens the page, and waits until it draws the world and knows the state of the host. Errors of the page are collected in
    `errors`. */
export async function open(
  browser,
  address,
  { width = 1440, height = 860, theme = "light", token = "", query = "" } = {},
) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme });
  context.setDefaultTimeout(DEADLINE_MS);
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.goto(`${address}/${query}`);
  if (token !== "") {
    await page.locator("[data-test=token]").fill(token);
    await page.getByRole("button", { name: "Connect" }).click();
  }
  await page.waitForFunction(() => {
    const app = window.bridgehead;
    return app?.view?.counts.firstFrameAt > 0 && app.host.status.get() !== null;
  });
  return { context, page, errors };
}
