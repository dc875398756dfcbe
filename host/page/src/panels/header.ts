// The bar at the top: the state, which is always visible, and the most used requests.

import type { Link } from "../api/socket.ts";
import type { App } from "../app.ts";
import { denial, kindOf, nameOf } from "../state/lifecycle.ts";
import type { Signal } from "../state/signal.ts";
import { type Theme, turnTheme } from "../state/settings.ts";
import { badge, Button, stepsIn, stepsInput } from "../ui/controls.ts";
import { h, setText } from "../ui/dom.ts";
import { count, factor, simulatedTime } from "../ui/format.ts";
import { pause, play, reset, step } from "./actions.ts";

const CLOCK_PERIOD_MS = 100;

export function header(app: App, theme: Signal<Theme>, showKeys: () => void): HTMLElement {
  return h(
    "header",
    { class: "header" },
    h("h1", {}, "Bridgehead"),
    state(app),
    clock(app),
    controls(app),
    h(
      "div",
      { class: "aside" },
      link(app),
      themeButton(theme),
      new Button(
        { label: "Keys and help", icon: "help", kind: "quiet", isIconOnly: true, id: "help" },
        showKeys,
      ).element,
    ),
  );
}

const LINKS: Record<Link, string> = {
  connecting: "connecting",
  open: "connected",
  waiting: "no answer",
  token: "token required",
};

/** Returns what is shown in place of the state of the simulation until the host has sent it. */
export function withoutStatus(link: Link, hasEnded: boolean): string {
  if (hasEnded && link === "waiting") return "ended";
  return link === "open" ? LINKS.connecting : LINKS[link];
}

/** The title of the tab: it says what happens even if the tab is not visible. */
export function tabTitle(world: string, state: string): string {
  return world === "" ? "Bridgehead" : `${world}, ${state} – Bridgehead`;
}

function state(app: App): HTMLElement {
  const mark = badge("connecting", "state unknown");
  mark.dataset.test = "state";
  const world = h("span", { class: "world", "data-test": "world-name" });
  const show = () => {
    const status = app.host.status.get();
    const hasEnded = app.host.ending.seen.get() !== null;
    const name = status ? nameOf(status.state) : withoutStatus(app.socket.link.get(), hasEnded);
    setText(mark, name);
    mark.className = `badge state ${status ? kindOf(status.state) : "unknown"}`;
    const known = status ?? app.host.lastSeen.get()?.status;
    mark.classList.toggle("away", status === null && known !== undefined && !hasEnded);
    mark.title = status || !known ? "" : `last seen: ${nameOf(known.state)}`;
    setText(world, known?.world || "–");
    world.title = known?.world ?? "";
    document.title = tabTitle(known?.world ?? "", name);
  };
  app.socket.link.watch(show);
  app.host.status.listen(show);
  app.host.ending.seen.listen(show);
  return h("div", { class: "now", role: "status", "aria-label": "State of the simulation" }, mark, world);
}

function clock(app: App): HTMLElement {
  const time = h("output", { class: "time", "data-test": "time" }, "–");
  const steps = h("output", { "data-test": "step" }, "–");
  const speed = h("output", { "data-test": "factor" }, "–");
  let shownAt = 0;
  app.poses?.latest.listen((frame) => {
    const now = performance.now();
    if (!frame || now - shownAt < CLOCK_PERIOD_MS) return;
    shownAt = now;
    setText(time, simulatedTime(frame.time));
    setText(steps, count(frame.step));
  });
  const item = (label: string, value: HTMLElement) =>
    h("div", { class: "item" }, h("span", {}, label), value);
  const element = h("div", { class: "clock" }, item("time", time), item("step", steps), item("speed", speed));
  app.host.status.watch((status) => {
    // If the host has ended, the last values stay.
    markLastSeen(element, app);
    const isPlaying = status && kindOf(status.state) === "playing";
    setText(speed, isPlaying ? factor(status.real_time_factor) : "–");
    if (!status) return;
    setText(time, simulatedTime(status.time_ns / 1e9));
    setText(steps, count(status.step));
  });
  return element;
}

/** Greys values that are those of a host that does not answer any more, and says when they were received. */
export function markLastSeen(element: HTMLElement, app: App): void {
  const last = app.host.lastSeen.get();
  const isOld = app.host.status.get() === null && last !== null;
  element.classList.toggle("last-seen", isOld);
  element.title = isOld ? `last seen at ${last.at.toLocaleTimeString()}` : "";
}

function controls(app: App): HTMLElement {
  const steps = stepsInput(1, { label: "Number of steps", id: "header-steps" });
  steps.classList.add("short");
  const buttons = {
    play: new Button(
      {
        label: "Play",
        icon: "play",
        kind: "primary",
        title: "Play or resume (R)",
        id: "play",
        isRequest: true,
      },
      () => void play(app),
    ),
    pause: new Button(
      { label: "Pause", icon: "pause", title: "Pause (P)", id: "pause", isRequest: true },
      () => void pause(app),
    ),
    step: new Button(
      {
        label: "Step",
        icon: "step",
        title: "Run this number of steps (S)",
        id: "step-button",
        isRequest: true,
      },
      () => {
        void step(app, stepsIn(steps.value));
      },
    ),
    reset: new Button(
      {
        label: "Reset",
        icon: "reset",
        title: "Reset time and entities, and remove spawned models; the run keeps playing or stays paused",
        id: "reset",
        isRequest: true,
      },
      () => void reset(app, 0, "keep"),
    ),
  };
  app.host.status.watch((status) => {
    const isPaused = status !== null && kindOf(status.state) === "paused";
    buttons.play.allow(denial(isPaused ? "resume" : "play", status));
    buttons.pause.allow(denial("pause", status));
    buttons.step.allow(denial("step_simulation", status));
    buttons.reset.allow(denial("reset", status));
  });
  return h(
    "div",
    { class: "buttons", role: "toolbar", "aria-label": "Run control" },
    buttons.play.element,
    buttons.pause.element,
    h("div", { class: "joined" }, buttons.step.element, steps),
    buttons.reset.element,
  );
}

/** The connection, and how much comes through it. */
function link(app: App): HTMLElement {
  const text = h("span", {}, "connecting");
  const dot = h("span", { class: "dot", "aria-hidden": "true" });
  const element = h("div", { class: "link", "data-test": "link", role: "status" }, dot, text);
  const show = () => {
    const state = app.socket.link.get();
    const hasEnded = state === "waiting" && app.host.ending.seen.get() !== null;
    const name = hasEnded ? "host ended" : LINKS[state];
    element.dataset.link = hasEnded ? "ended" : state;
    setText(text, name);
    const traffic = app.poses?.traffic.get();
    const rate = app.poses?.rate.get() ?? 0;
    element.title = traffic
      ? `${(traffic.bytesPerSecond / 1000).toFixed(1)} kB/s; poses at up to ${rate} Hz, ${traffic.received}/s received, ${traffic.drawn}/s drawn, ${traffic.lost}/s skipped`
      : name;
    if (state === "open" && rate > 0 && rate < 60) setText(text, `connected, ${rate} Hz`);
  };
  app.socket.link.watch(show);
  app.host.ending.seen.listen(show);
  app.poses?.traffic.listen(show);
  return element;
}

function themeButton(theme: Signal<Theme>): HTMLElement {
  const button = new Button(
    { label: "Theme", icon: "theme", kind: "quiet", isIconOnly: true, id: "theme" },
    () => theme.update(turnTheme),
  );
  theme.watch((now) => {
    button.element.title = `Theme: ${now === "system" ? "as the system" : now}`;
  });
  return button.element;
}
