// The rate of a topic in words: a topic without a listener is idle, because there is nobody to send to; and in a pause no
// topic has a rate.

import type { TopicInfo } from "../api/types.ts";
import type { Host } from "../state/host.ts";
import { kindOf, nameOf } from "../state/lifecycle.ts";
import { setText } from "../ui/dom.ts";
import { rate } from "../ui/format.ts";

const NO_LISTENER =
  "This is normal: no bridge, plugin or page listens. Sensors do no work for a topic without a listener, so nothing is published. Open the topic to start it.";

export interface RateText {
  text: string;
  title: string;
  isQuiet: boolean;
}

/** Returns `paused` or `stopped` if the simulation stands still; an empty text otherwise, and for a recording. */
export function standstill(host: Host): string {
  const status = host.status.get();
  if (!status || host.recording.get()) return "";
  const kind = kindOf(status.state);
  return kind === "paused" || kind === "stopped" ? nameOf(status.state) : "";
}

/** Returns how the rate of a topic is shown. `wanted` is the rate of its sensor in simulated time; 0 if it has none. */
export function rateText(
  info: TopicInfo | undefined,
  isPublished: boolean,
  wanted: number,
  still = "",
): RateText {
  if (!info) return { text: "–", title: "The topic has not been opened yet.", isQuiet: true };
  if (isPublished && info.listeners === 0 && info.rate < 0.05) {
    return { text: "idle", title: NO_LISTENER, isQuiet: true };
  }
  if (still !== "") {
    const sensor = wanted > 0 ? ` The rate of the sensor is ${rate(wanted)} Hz in simulated time.` : "";
    return {
      text: still,
      title: `The simulation is ${still}; steps publish messages.${sensor}`,
      isQuiet: true,
    };
  }
  const of = wanted > 0 ? ` of ${rate(wanted)}` : "";
  const title =
    wanted > 0 ? "Messages per second of wall time, and the rate of the sensor in simulated time" : "";
  return { text: `${rate(info.rate)}${of} Hz`, title, isQuiet: false };
}

/** Shows the rate of a topic in an element. */
export function showRate(
  host: Host,
  element: HTMLElement,
  info: TopicInfo | undefined,
  isPublished: boolean,
  wanted = 0,
): void {
  const { text, title, isQuiet } = rateText(info, isPublished, wanted, standstill(host));
  setText(element, text);
  element.title = title;
  element.classList.toggle("quiet", isQuiet);
}
