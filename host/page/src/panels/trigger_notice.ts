// Says if a trigger has paused the run: nobody has pressed Pause.

import type { App } from "../app.ts";
import type { TriggerInfo } from "../api/types.ts";
import { kindOf } from "../state/lifecycle.ts";

/** Returns what has paused a run at a step; an empty text if no trigger did. */
export function pausedBy(history: readonly TriggerInfo[], step: number): string {
  const cause = [...history].reverse().find((trigger) => trigger.action === "pause" && trigger.step === step);
  if (!cause) return "";
  return cause.label === ""
    ? `Paused by the trigger of the event \`${cause.event}\`.`
    : `Paused by the trigger “${cause.label}”.`;
}

export function noticePauses(app: App): void {
  let before = "";
  app.host.status.listen(async (status) => {
    const kind = status ? kindOf(status.state) : "";
    const isPaused = kind === "paused" && before === "playing";
    before = kind;
    if (!status || !isPaused || app.host.missing("get_trigger_history") !== "") return;
    const answer = await app.http
      .call<{ triggers: TriggerInfo[] }>("get_trigger_history")
      .catch(() => ({ triggers: [] as TriggerInfo[] }));
    const text = pausedBy(answer.triggers, status.step);
    if (text !== "") app.notices.info(text);
  });
}
