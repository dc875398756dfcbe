// Shows pages for the benchmark `page`, as lines of its standard input request, and answers each with a line of JSON:
//
//   show ADDRESS          opens the page of a host and waits until it is drawn
//   measure               script per drawing and traffic since the last line
//   first FOLDER COMMAND  starts the program, opens its page, and returns the times from its start to the first picture,
//                         then those of a static page with as many bytes, from a server that is started in the same way

import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { launch } from "./browser.mjs";

// Beside the view are 445 pixels of the dock and its divider; above it are 46: the view has 640 by 360.
const VIEWPORT = { width: 1085, height: 406 };
const DRAWN = () => window.bridgehead?.view?.counts.firstFrameAt > 0;
const STATIC = "static.html";

const browser = await launch();
const context = await browser.newContext({ viewport: VIEWPORT });
const page = await context.newPage();

async function show(address) {
  await page.goto(`http://${address}/?quality=low`);
  await page.waitForFunction(DRAWN);
  await page.waitForTimeout(500);
  await reset();
  return {};
}

const reset = () =>
  page.evaluate(() => {
    const { view, socket } = window.bridgehead;
    view.counts.scriptMs.length = 0;
    window.measured = { frames: view.counts.frames, bytes: socket.receivedBytes, at: performance.now() };
  });

async function measure() {
  const result = await page.evaluate(() => {
    const { view, socket } = window.bridgehead;
    const seconds = (performance.now() - window.measured.at) / 1000;
    const sorted = [...view.counts.scriptMs].sort((a, b) => a - b);
    return {
      script_ms: sorted[Math.floor(sorted.length / 2)] ?? null,
      frames: (view.counts.frames - window.measured.frames) / seconds,
      bytes: (socket.receivedBytes - window.measured.bytes) / seconds,
      size: [view.canvas.width, view.canvas.height],
    };
  });
  await reset();
  return result;
}

/** Starts a program, waits for an address in its output, opens it, and returns the milliseconds to the first picture. */
async function firstPicture(command, args, ready, path, drawn) {
  const fresh = await browser.newContext({ viewport: VIEWPORT });
  const tab = await fresh.newPage();
  const start = Date.now();
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  try {
    const address = await new Promise((resolve, reject) => {
      let text = "";
      const hear = (data) => {
        text += data;
        const found = ready.exec(text);
        if (found) resolve(found[1]);
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", hear);
      child.on("exit", () => reject(new Error(`${command} has ended: ${text}`)));
    });
    await tab.goto(`http://${address}/${path}`);
    await tab.waitForFunction(drawn);
    return (
      (await tab.evaluate(
        () => performance.timeOrigin + (window.firstPicture ?? window.bridgehead.view.counts.firstFrameAt),
      )) - start
    );
  } finally {
    child.kill();
    await fresh.close();
  }
}

async function first(folder, command) {
  const [program, ...args] = command;
  const ours = await firstPicture(program, args, /http:\/\/(\S+)/, "?quality=low", DRAWN);
  const server = ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder];
  const theirs = await firstPicture(
    "python3",
    server,
    /http:\/\/(127[^/\s)]*)/,
    STATIC,
    () => window.firstPicture > 0,
  );
  return { ours, theirs };
}

/** Writes a page with as many bytes as ours that draws one rectangle. */
function writeStatic(folder) {
  const dist = new URL("../dist", import.meta.url).pathname;
  const loaded = readdirSync(dist).filter((name) => /^(index\.html|page\.(js|css)|favicon\.svg)$/.test(name));
  const bytes = loaded.reduce((sum, name) => sum + statSync(join(dist, name)).size, 0);
  const script = `const canvas = document.querySelector("canvas");
    canvas.getContext("2d").fillRect(10, 10, 100, 100);
    requestAnimationFrame(() => requestAnimationFrame(() => { window.firstPicture = performance.now(); }));`;
  const head = `<!doctype html><title>static</title><canvas width="640" height="360"></canvas><script>${script}</script>`;
  writeFileSync(join(folder, STATIC), `${head}<!--${"x".repeat(Math.max(0, bytes - head.length - 7))}-->`);
  return { bytes, files: readFileSync(join(folder, STATIC)).length };
}

const COMMANDS = {
  show: ([address]) => show(address),
  measure,
  static: ([folder]) => writeStatic(folder),
  first: ([folder, ...command]) => first(folder, command),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...words] = JSON.parse(line);
  try {
    console.log(JSON.stringify(await COMMANDS[name](words)));
  } catch (error) {
    console.log(JSON.stringify({ error: String(error) }));
  }
}
await browser.close();
