// Snapshots of the run: saves the exact state, lists what this tab has saved, and returns a paused run to a snapshot.

import type { App } from "../app.ts";
import type { Notice } from "../state/notices.ts";
import { kindOf, restoreDenial } from "../state/lifecycle.ts";
import { tabSetting } from "../state/settings.ts";
import type { Signal } from "../state/signal.ts";
import { Button, checkbox, field, section, textInput } from "../ui/controls.ts";
import { fill, h, prose, setName } from "../ui/dom.ts";
import { count, simulatedTime } from "../ui/format.ts";
import { pathProblem } from "./connections.ts";

const DEFAULT_NAME = "run.snapshot";
/** Snapshots of the list. */
const KEPT = 20;

export interface Saved {
  path: string;
  world: string;
  /** Null if the simulation went on while it was saved. */
  step: number | null;
  /** Seconds. */
  time: number;
}

/** Adds a snapshot to the list, newest first; it replaces the one in the same file. */
export function withSaved(list: readonly Saved[], saved: Saved): Saved[] {
  return [saved, ...list.filter(({ path }) => path !== saved.path)].slice(0, KEPT);
}

export function snapshotSection(app: App): HTMLElement {
  const saved = tabSetting<readonly Saved[]>("snapshots", []);
  const name = textInput({ placeholder: DEFAULT_NAME, id: "snapshot-path" });
  const problem = h("div", {
    class: "failure",
    hidden: true,
    "data-test": "snapshot-problem",
    role: "alert",
  });
  let overwrite = false;
  let failure: Notice | null = null;
  const target = () => name.value.trim() || DEFAULT_NAME;
  const send = async (service: string, path: string, members: object = {}) => {
    failure = null;
    const answer = await app.notices.run(
      "The snapshot cannot be used",
      () => app.http.call(service, { path, ...members }),
      (notice) => {
        failure = notice;
      },
    );
    await app.host.refresh();
    allow();
    return answer !== undefined;
  };
  const write = async () => {
    const path = target();
    if (!(await send("save_snapshot", path, { overwrite }))) return;
    app.notices.info(`Written: ${path}`);
    const status = app.host.status.get();
    if (!status) return;
    const step = kindOf(status.state) === "paused" ? status.step : null;
    const one = { path, world: status.world, step, time: status.time_ns / 1e9 };
    saved.update((list) => withSaved(list, one));
  };
  const restore = async (path: string) => {
    name.value = path;
    if (await send("restore_snapshot", path)) app.notices.info(`Restored: ${path}`);
  };
  const save = new Button(
    {
      label: "Save snapshot",
      title: "Writes the complete state, from which a run can continue",
      id: "snapshot",
    },
    () => void write(),
  );
  const back = new Button(
    { label: "Restore", title: "Returns the paused run to this snapshot", id: "restore" },
    () => void restore(target()),
  );
  const allow = () => {
    const status = app.host.status.get();
    const wrong = pathProblem(name.value, "the output directory of the run");
    const isThere = status !== null && kindOf(status.state) !== "none";
    save.allow(wrong || (isThere ? app.host.missing("save_snapshot") : "no world is loaded; load one first"));
    back.allow(wrong || app.host.missing("restore_snapshot") || restoreDenial(status));
    name.setAttribute("aria-invalid", String(wrong !== "" || failure !== null));
    problem.hidden = wrong === "" && failure === null;
    fill(
      problem,
      ...(wrong !== "" ? [h("p", {}, ...prose(`${wrong}.`))] : failure ? reason(app, failure) : []),
    );
  };
  name.addEventListener("input", () => {
    failure = null;
    allow();
  });
  app.host.status.watch(allow);
  app.host.services.listen(allow);
  return section(
    "Snapshots",
    field("Name", name, { class: "wide" }),
    h(
      "div",
      { class: "row" },
      save.element,
      checkbox("overwrite", false, (isChecked) => {
        overwrite = isChecked;
      }),
      back.element,
    ),
    problem,
    savedList(app, saved, restore),
  );
}

/** What the host answered, with its code and what to try. */
function reason(app: App, { text, code }: Notice): HTMLElement[] {
  const advice = app.catalogue.advice(text, code);
  const answer = h("p", {}, ...prose(text), code !== "" && h("span", { class: "code" }, ` ${code}`));
  return advice === "" ? [answer] : [answer, h("p", { class: "hint" }, ...prose(advice))];
}

/** The snapshots of the shown world that this tab has saved. */
function savedList(
  app: App,
  saved: Signal<readonly Saved[]>,
  restore: (path: string) => Promise<void>,
): HTMLElement {
  const list = h("ul", { class: "list", "aria-label": "Saved snapshots" });
  let buttons: Button[] = [];
  const allow = () => {
    const denied = app.host.missing("restore_snapshot") || restoreDenial(app.host.status.get());
    for (const button of buttons) button.allow(denied);
  };
  let shown = "";
  const draw = () => {
    const world = app.host.lastSeen.get()?.status.world;
    const own = saved.get().filter((one) => one.world === world);
    const key = JSON.stringify(own);
    if (key !== shown) {
      shown = key;
      buttons = own.map(({ path }) => restoreButton(path, restore));
      fill(list, ...own.map((one, index) => savedRow(one, buttons[index])));
    }
    list.hidden = own.length === 0;
    allow();
  };
  saved.watch(draw);
  app.host.status.watch(draw);
  app.host.services.listen(allow);
  return list;
}

function restoreButton(path: string, restore: (path: string) => Promise<void>): Button {
  return new Button(
    { label: "Restore", kind: "quiet", title: `Returns the paused run to ${path}`, id: `restore-${path}` },
    () => void restore(path),
  );
}

function savedRow({ path, step, time }: Saved, button: Button): HTMLElement {
  const about =
    step === null ? `about ${simulatedTime(time)}` : `${simulatedTime(time)}, step ${count(step)}`;
  const name = h("span", { class: "name", title: path });
  setName(name, path);
  return h("li", {}, name, h("span", { class: "about", title: about }, about), button.element);
}
