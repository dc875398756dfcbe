// How long the phases of a step take.

import type { App } from "../app.ts";
import type { Accumulator } from "../api/types.ts";
import { Poller } from "../state/host.ts";
import { Button, facts, section, table } from "../ui/controls.ts";
import { h, setText } from "../ui/dom.ts";
import { count, milliseconds } from "../ui/format.ts";
import { Rows } from "../ui/rows.ts";
import { request } from "./actions.ts";
import type { Part } from "./diagnostics.ts";

const PERIOD_MS = 1000;

/** Names of the phases for people. */
const NAMES: Record<string, string> = {
  engine_time_ms: "engine: begin and end of a step",
  simulator_time_ms: "simulator: physics and sensors",
  controller_time_ms: "controllers",
  cycle_time_ms: "the whole step",
  padding_time_ms: "waiting for real time",
};

export function timesView(app: App): Part {
  const { element, body } = table("Step times", [
    "Phase",
    { title: "Mean, ms", isNumber: true },
    { title: "p50, ms", isNumber: true },
    { title: "p99, ms", isNumber: true },
    { title: "Max, ms", isNumber: true },
  ]);
  const steps = h("span", {}, "–");
  const overruns = h("span", {}, "–");
  const others = h("p", { class: "hint" });
  const rows = new Rows<Accumulator>(
    body,
    ({ name }) => name,
    (phase) => row(phase),
  );
  const poller = new Poller(PERIOD_MS, app.socket, async () => {
    const { accumulators, overruns: late } = await app.http.call<{
      accumulators: Accumulator[];
      overruns: number;
    }>("get_statistics");
    rows.set(accumulators.filter(({ name }) => name.endsWith("_ms")));
    setText(steps, count(Math.max(0, ...accumulators.map(({ count: number }) => number))));
    setText(overruns, count(late));
    const counts = accumulators.filter(({ name }) => !name.endsWith("_ms"));
    setText(
      others,
      counts
        .map(
          ({ name, mean, max }) =>
            `${name.replaceAll("_", " ")}: mean ${milliseconds(mean)}, max ${count(max)}`,
        )
        .join("; "),
    );
  });
  const reset = new Button(
    { label: "Restart the statistics", id: "reset-statistics", isRequest: true },
    async () => {
      await request(app, "reset_statistics");
      poller.now();
    },
  );
  const part = section(
    "Step times",
    facts(["Steps", steps], ["Steps longer than their share of wall time", overruns]),
    h("div", { class: "scroll" }, element),
    others,
    h("div", { class: "row" }, reset.element),
  );
  return {
    id: "times",
    title: "Step times",
    element: part,
    show: () => poller.start(),
    hide: () => poller.stop(),
  };
}

function row(phase: Accumulator): { element: Element; update(phase: Accumulator): void } {
  const cells = [0, 1, 2, 3].map(() => h("td", { class: "number" }));
  const name = NAMES[phase.name] ?? phase.name.replace(/_ms$/, "").replaceAll("_", " ");
  const update = ({ mean, p50, p99, max }: Accumulator) => {
    for (const [index, value] of [mean, p50, p99, max].entries()) setText(cells[index], milliseconds(value));
  };
  return {
    element: h("tr", { "data-phase": phase.name }, h("td", { title: phase.name }, name), ...cells),
    update,
  };
}
