import assert from "node:assert/strict";
import { test } from "node:test";
import { codeIn, subprotocols, withoutCode } from "../../src/api/http.ts";
import { emptyValue, fieldOfValue } from "../../src/api/schema.ts";
import { commonRate, Subscriptions } from "../../src/api/subscriptions.ts";
import type { HostStatus } from "../../src/api/types.ts";
import { nextTheme } from "../../src/state/settings.ts";
import { denial, nameOf, poseDenial, restoreDenial } from "../../src/state/lifecycle.ts";

test("a code is found in a text and removed from its front", () => {
  assert.equal(codeIn("[BH-ENT-041] there is no entity `crat`"), "BH-ENT-041");
  assert.equal(withoutCode("[BH-ENT-041] there is no entity `crat`"), "there is no entity `crat`");
  assert.equal(codeIn("no code"), "");
});

test("a token becomes a subprotocol without padding", () => {
  assert.deepEqual(subprotocols(""), ["bridgehead"]);
  assert.deepEqual(subprotocols("s3cret?>"), ["bridgehead", "token.czNjcmV0Pz4"]);
});

test("a quaternion of a new message turns nothing", () => {
  const field = fieldOfValue({ orientation: { x: 0, y: 0, z: 0, w: 0 }, point: { x: 0, y: 0, z: 0 }, w: 0 });
  assert.deepEqual(emptyValue(field), {
    orientation: { x: 0, y: 0, z: 0, w: 1 },
    point: { x: 0, y: 0, z: 0 },
    w: 0,
  });
});

test("the first click on the theme changes what is seen, and every theme can be chosen", () => {
  const turns = (isSystemDark: boolean) => {
    const first = nextTheme("system", isSystemDark);
    const second = nextTheme(first, isSystemDark);
    return [first, second, nextTheme(second, isSystemDark)];
  };
  assert.deepEqual(turns(false), ["dark", "light", "system"]);
  assert.deepEqual(turns(true), ["light", "dark", "system"]);
});

test("consumers of one subject share a subscription at the highest rate", () => {
  const all = new Subscriptions();
  const [slow, fast, every] = [{ rate: 5 }, { rate: 20 }, {}];
  all.add("topic:/a", slow);
  all.add("topic:/a", fast);
  assert.deepEqual(all.orders(), [{ op: "subscribe", what: "topic:/a", rate: 20 }]);
  assert.deepEqual(all.orders(), []);
  all.add("topic:/a", every);
  assert.deepEqual(all.orders(), [{ op: "subscribe", what: "topic:/a" }]);
  all.remove("topic:/a", every);
  all.remove("topic:/a", fast);
  assert.deepEqual(all.orders(), [{ op: "subscribe", what: "topic:/a", rate: 5 }]);
  all.remove("topic:/a", slow);
  assert.deepEqual(all.orders(), [{ op: "unsubscribe", what: "topic:/a" }]);
  assert.equal(commonRate([{ rate: 1 }, {}]), undefined);
});

test("a new connection subscribes to everything again", () => {
  const all = new Subscriptions();
  all.add("status", { rate: 5 });
  all.orders();
  all.forget();
  assert.deepEqual(all.orders(), [{ op: "subscribe", what: "status", rate: 5 }]);
});

test("the form of a type is made from a message, and its empty values are zero", () => {
  const field = fieldOfValue({ header: { frame_id: "a" }, ranges: ["Infinity", 1.5], on: true });
  assert.equal(field.kind, "message");
  assert.deepEqual(emptyValue(field), { header: { frame_id: "" }, ranges: [], on: false });
});

function status(state: string, allowed: string[]): HostStatus {
  return { state, allowed } as HostStatus;
}

test("a denial has the reason of the host's own answer", () => {
  assert.equal(
    denial("step_simulation", status("StepBegin", ["pause"])),
    "steps need a paused simulation; pause it first",
  );
  assert.equal(denial("pause", status("Pause", ["resume"])), "the simulation is paused");
  assert.equal(denial("pause", status("Stopped", ["play"])), "the simulation is stopped; play it first");
  assert.equal(denial("play", status("NoWorld", [])), "no world is loaded; load one first");
  assert.equal(denial("pause", status("StepBegin", ["pause"])), "");
  assert.equal(restoreDenial(status("Pause", [])), "");
  assert.match(restoreDenial(status("StepBegin", [])), /this one is playing; pause it first/);
  assert.match(restoreDenial(status("NoWorld", [])), /load one first/);
  assert.equal(nameOf("StepController"), "playing");
});

test("a pose is set while the simulation is paused and while it plays, but not while it is loaded", () => {
  assert.equal(poseDenial(status("Pause", [])), "");
  assert.equal(poseDenial(status("StepBegin", [])), "");
  assert.equal(poseDenial(status("Loading", [])), "the host is loading");
  assert.equal(poseDenial(null), "the host does not answer");
});
