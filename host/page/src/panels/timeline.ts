// The time line of a recording: where it is, and the way to any other time. Hidden for a run.

import type { App } from "../app.ts";
import type { RecordingPosition } from "../api/types.ts";
import { select } from "../ui/controls.ts";
import { h, setText } from "../ui/dom.ts";
import { simulatedTime } from "../ui/format.ts";
import { newestOnly } from "../ui/newest.ts";
import { request } from "./actions.ts";

const RATE = 20;
/** Steps of the slider over the whole recording. */
const STEPS = 10_000;
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10];

export function timeline(app: App): HTMLElement {
  const slider = h("input", {
    type: "range",
    min: 0,
    max: STEPS,
    step: 1,
    class: "position",
    "aria-label": "Position in the recording",
    "data-test": "position",
  });
  const now = h("output", { class: "time", "data-test": "position-time" }, "–");
  const length = h("span", { class: "hint", "data-test": "recording-length" });
  const file = h("span", { class: "name", "data-test": "recording-file" });
  const speed = select(
    SPEEDS.map((value): [string, string] => [String(value), `${value}×`]),
    "Recorded seconds per second",
    "recording-speed",
  );
  const element = h(
    "div",
    { class: "timeline", role: "group", "aria-label": "Recording", hidden: true },
    file,
    slider,
    h("div", { class: "times" }, now, length),
    speed,
  );
  let isHeld = false;
  const seek = newestOnly((timeNs: number) =>
    app.http.call("seek", { time_ns: timeNs }).catch(() => undefined),
  );
  slider.addEventListener("input", () => {
    const info = app.host.recording.get();
    if (info)
      seek(info.begin_ns + Math.round((Number(slider.value) / STEPS) * (info.end_ns - info.begin_ns)));
  });
  slider.addEventListener("pointerdown", () => {
    isHeld = true;
  });
  window.addEventListener("pointerup", () => {
    isHeld = false;
  });
  speed.addEventListener("change", () => {
    void request(app, "set_real_time_factor", { factor: Number(speed.value) });
  });
  const show = (position: RecordingPosition) => {
    const { begin_ns: begin, end_ns: end, position_ns: at } = position;
    if (!isHeld) slider.value = String(end > begin ? Math.round(((at - begin) / (end - begin)) * STEPS) : 0);
    const text = simulatedTime((at - begin) / 1e9);
    slider.setAttribute("aria-valuetext", text);
    setText(now, text);
    setText(length, `of ${simulatedTime((end - begin) / 1e9)}`);
    if (document.activeElement !== speed) speed.value = String(position.speed);
  };
  let off: (() => void) | null = null;
  app.host.recording.watch((info) => {
    element.hidden = info === null;
    off?.();
    off = null;
    if (!info) return;
    setText(file, info.file);
    file.title = info.file;
    for (const problem of info.problems) app.notices.error(problem);
    if (!info.has_scene) {
      app.notices.info("The recording has no scene. `bridgehead run --record FILE.mcap` records one.");
    }
    off = app.socket.subscribe("recording", {
      rate: RATE,
      event: (data) => show(data as RecordingPosition),
    });
  });
  return element;
}
