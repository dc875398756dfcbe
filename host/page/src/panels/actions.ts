// Requests of the run that buttons and keys send.

import type { App } from "../app.ts";
import type { WorldDescription } from "../api/types.ts";
import { ApiError } from "../api/http.ts";
import { ENDINGS, type Ending, questionBefore } from "../state/ending.ts";
import { kindOf } from "../state/lifecycle.ts";
import { confirm } from "../ui/dialog.ts";

/** Bits of the scopes of a reset. */
export const SCOPE = { time: 1, state: 2, spawned: 4 } as const;

/** Sends a request without members besides the reason. */
export async function request(app: App, service: string, members: object = {}): Promise<boolean> {
  const label = service.replaceAll("_", " ");
  const answer = await app.notices.run(`The request ${label} failed`, () => app.http.call(service, members));
  await app.host.refresh();
  return answer !== undefined;
}

/** Plays a stopped run and resumes a paused one. */
export function play(app: App): Promise<boolean> {
  const status = app.host.status.get();
  return request(app, status && kindOf(status.state) === "paused" ? "resume" : "play");
}

export function pause(app: App): Promise<boolean> {
  return request(app, "pause");
}

/** Plays or pauses, whatever the state allows. */
export function toggle(app: App): Promise<boolean> {
  const status = app.host.status.get();
  return status && kindOf(status.state) === "playing" ? pause(app) : play(app);
}

/** Resets what a scope names, and says which spawned models that removed. */
export async function reset(app: App, scope: number, then: string): Promise<void> {
  const spawned = spawnedModels(app.host.description.get());
  if (!(await request(app, "reset", { scope, then })) || spawned.length === 0) return;
  const answer = await app.http.call<{ entities: string[] }>("get_entities").catch(() => null);
  const removed = answer ? spawned.filter((name) => !answer.entities.includes(name)).length : 0;
  if (removed > 0) app.notices.info(removedText(removed));
}

/** Returns the names of the models that were added to the world since it was loaded. */
export function spawnedModels(world: WorldDescription | null): string[] {
  const own = world?.models.filter((model) => model.is_spawned && model.name === model.vehicle) ?? [];
  return own.map(({ name }) => name);
}

export function removedText(count: number): string {
  return `The reset removed ${count} spawned ${count === 1 ? "model" : "models"}.`;
}

export function step(app: App, steps: number): Promise<boolean> {
  return request(app, "step_simulation", { steps });
}

/** Ends the run, and with it the host unless it is kept alive, if the user confirms it. */
export async function endRun(app: App, service: Ending, members: object = {}): Promise<void> {
  const { title, label } = ENDINGS[service];
  if (!(await confirm(title, questionBefore(service), label))) return;
  // The host may be away before its answer is.
  app.host.ending.ask(service);
  await app.notices.run(`The request ${service} failed`, async () => {
    try {
      await app.http.call(service, members);
    } catch (error) {
      if (error instanceof ApiError && error.status === 0) return;
      app.host.ending.forget();
      throw error;
    }
  });
  await app.host.refresh();
}

export function quit(app: App): Promise<void> {
  return endRun(app, "quit");
}

export async function deleteEntity(app: App, entity: string): Promise<void> {
  if (!(await confirm("Delete the entity?", `\`${entity}\` is removed from the world.`, "Delete"))) return;
  const isDone = await request(app, "delete_entity", { entity });
  if (!isDone) return;
  if (app.view?.selection.get() === entity) app.view.selection.set(null);
  await app.host.describe();
}
