// Runs many steps of a paused simulation and shows the progress.

import type { App } from "../app.ts";
import { denial } from "../state/lifecycle.ts";
import { Button, field, section, stepsIn, stepsInput } from "../ui/controls.ts";
import { h, setText } from "../ui/dom.ts";
import { count } from "../ui/format.ts";

interface Progress {
  goal_id: string;
  completed_steps?: number;
  remaining_steps?: number;
  status?: string;
}

export function goalSection(app: App): HTMLElement {
  const steps = stepsInput(1000, { id: "goal-steps" });
  const bar = h("progress", {
    max: 1,
    "aria-label": "Progress of the steps",
    "data-test": "goal-progress",
    set: { value: 0 },
  });
  const text = h("span", { class: "hint", "data-test": "goal-text" });
  let goal = "";
  const run = new Button({ label: "Run steps", id: "goal-run", isRequest: true }, () => void start());
  const cancel = new Button({ label: "Cancel", id: "goal-cancel", isRequest: true }, () => {
    if (goal !== "") void app.notices.run("The steps cannot be cancelled", () => app.http.cancelGoal(goal));
  });
  const allow = () => {
    const status = app.host.status.get();
    run.allow(goal === "" ? denial("step_simulation", status) : "these steps are running");
    cancel.allow(goal === "" ? "no steps are running" : "");
  };
  const start = async () => {
    const wanted = stepsIn(steps.value);
    const id = await app.notices.run("The steps cannot be run", () => app.http.sendGoal(wanted));
    if (!id) return;
    goal = id;
    bar.value = 0;
    setText(text, `0 of ${count(wanted)} steps`);
    allow();
    // A short goal may have ended before its feedback was subscribed to.
    const now = await app.http.goal(id).catch(() => null);
    if (now) hear(now);
  };
  const hear = (progress: Progress) => {
    if (progress.goal_id !== goal) return;
    const { completed_steps: done, remaining_steps: rest, status } = progress;
    if (done !== undefined && rest !== undefined && done + rest > 0) {
      bar.value = done / (done + rest);
      setText(text, `${count(done)} of ${count(done + rest)} steps`);
    }
    const isOver =
      status !== undefined && status !== "accepted" && status !== "executing" && status !== "canceling";
    if (!isOver) return;
    if (status === "succeeded") bar.value = 1;
    setText(text, `${text.textContent?.replace(/, .*/, "") ?? ""}, ${status}`);
    goal = "";
    allow();
    void app.host.refresh();
  };
  app.socket.subscribe("feedback", { rate: 20, event: (data) => hear(data as Progress) });
  app.host.status.watch(allow);
  app.socket.link.listen((link) => {
    if (link === "open" || goal === "") return;
    goal = "";
    setText(text, "the host ended");
    allow();
  });
  return section(
    "Many steps",
    h("div", { class: "row end" }, field("Number of steps", steps), run.element, cancel.element),
    h("div", { class: "row" }, bar, text),
  );
}
