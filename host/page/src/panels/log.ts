// The log with a filter. It comes through the WebSocket as the subject `log`, the kept lines first; a host may not offer it.

import type { App } from "../app.ts";
import type { Off } from "../state/signal.ts";
import { section, select, textInput } from "../ui/controls.ts";
import { h, setText } from "../ui/dom.ts";
import { seconds } from "../ui/format.ts";
import type { Part } from "./diagnostics.ts";

const KEPT = 2000;
/** A list that is scrolled nearly to its end follows its newest line. */
const END_PIXELS = 8;
const LEVELS = ["trace", "debug", "info", "warn", "error"] as const;

/** A line of the log. */
export interface LogLine {
  level: string;
  message: string;
  /** Simulated time, nanoseconds. */
  time_ns?: number;
}

/** Where lines come from. */
export interface LogSource {
  listen(take: (line: LogLine) => void, refused: (reason: string) => void): Off;
}

/** Returns true if a line has at least a level and contains a text. */
export function isWanted(line: LogLine, level: string, text: string): boolean {
  const isHigh = LEVELS.indexOf(line.level as never) >= LEVELS.indexOf(level as never);
  return isHigh && line.message.toLowerCase().includes(text.toLowerCase());
}

function hostLog(app: App): LogSource {
  return {
    listen: (take, refused) =>
      app.socket.subscribe("log", {
        event: (data) => {
          const lines = Array.isArray(data) ? (data as LogLine[]) : [data as LogLine];
          for (const line of lines) take(line);
        },
        refused: (code, message) =>
          refused(
            code === "BH-WEB-053"
              ? "This host does not offer its log; it is in the terminal of the host."
              : message,
          ),
      }),
  };
}

export function logView(app: App, source: LogSource = hostLog(app)): Part {
  const lines: LogLine[] = [];
  const level = select(
    LEVELS.map((name) => [name, name] as const),
    "Lowest level",
    "log-level",
  );
  level.value = "info";
  const filter = textInput({ placeholder: "Filter", label: "Filter of the log", id: "log-filter" });
  const list = h("div", { class: "log", role: "log", "aria-label": "Log", tabindex: 0 });
  const note = h("p", { class: "hint", "data-test": "log-note" }, "No line yet.");
  let _off: Off | null = null;
  // Until the user scrolls up, the newest line is shown. A hidden list has no size and cannot be scrolled.
  let isFollowing = true;
  const toEnd = () => {
    if (isFollowing) list.scrollTop = list.scrollHeight;
  };
  list.addEventListener("scroll", () => {
    if (list.clientHeight > 0)
      isFollowing = list.scrollTop + list.clientHeight >= list.scrollHeight - END_PIXELS;
  });
  new ResizeObserver(toEnd).observe(list);
  const add = (line: LogLine) => {
    if (!isWanted(line, level.value, filter.value)) return;
    list.append(row(line));
    while (list.childElementCount > KEPT) list.firstElementChild?.remove();
    toEnd();
  };
  const draw = () => {
    list.replaceChildren();
    for (const line of lines) add(line);
  };
  const take = (line: LogLine) => {
    note.hidden = true;
    lines.push(line);
    if (lines.length > KEPT) lines.shift();
    add(line);
  };
  filter.addEventListener("input", draw);
  level.addEventListener("change", draw);
  const show = () => {
    _off ??= source.listen(take, (reason) => setText(note, reason));
  };
  // A new connection begins with the lines that the host has kept.
  app.socket.connections.listen(() => {
    lines.length = 0;
    draw();
  });
  // The subscription stays, so that lines are sent once.
  const element = section("Log", h("div", { class: "row" }, filter, level), note, list);
  return { id: "log", title: "Log", element, show, hide: () => undefined };
}

function row({ level, message, time_ns }: LogLine): HTMLElement {
  return h(
    "div",
    { class: `line ${level}` },
    h("span", { class: "at" }, time_ns === undefined ? "" : seconds(time_ns / 1e9)),
    h("span", { class: "level" }, level),
    h("span", { class: "text" }, message),
  );
}
