import assert from "node:assert/strict";
import { test } from "node:test";
import type { Link } from "../../src/api/socket.ts";
import { withoutStatus } from "../../src/panels/header.ts";
import { AskedEnding, isEnding, isKeptAlive, questionBefore, textAfter } from "../../src/state/ending.ts";
import { Signal } from "../../src/state/signal.ts";
import { parts } from "../../src/ui/dom.ts";

test("requests that end the host are known, and what follows is said before", () => {
  for (const service of ["succeed", "fail", "stop", "abort", "quit"]) assert.equal(isEnding(service), true);
  for (const service of ["halt", "reset", "pause", "toString"]) assert.equal(isEnding(service), false);
  assert.match(questionBefore("succeed"), /so does the host, unless it was started to be kept alive/);
  assert.doesNotMatch(questionBefore("quit"), /unless/);
  assert.match(textAfter("abort", "shop"), /You ended the run: aborted\..*`bridgehead run shop`/);
});

test("a host that is away after a request to end it has ended; away for another reason, it does not answer", () => {
  const link = new Signal<Link>("open");
  const ending = new AskedEnding(link);
  link.set("waiting");
  assert.equal(ending.seen.get(), null);
  link.set("open");
  ending.ask("succeed");
  assert.equal(ending.seen.get(), null, "the host is still there");
  link.set("waiting");
  assert.equal(ending.seen.get(), "succeed");
  assert.equal(withoutStatus("waiting", true), "ended");
  assert.equal(withoutStatus("waiting", false), "no answer");
  link.set("open");
  assert.equal(ending.seen.get(), null, "another host is there");
  link.set("waiting");
  assert.equal(ending.seen.get(), null, "nobody has asked this host to end");
  link.set("open");
  ending.ask("stop");
  ending.forget();
  link.set("waiting");
  assert.equal(ending.seen.get(), null, "the host was kept alive");
});

test("a host that goes on after the run was kept alive", () => {
  assert.equal(isKeptAlive("Stop", "Stopped"), true);
  assert.equal(isKeptAlive("Disconnect", "NoWorld"), true);
  assert.equal(isKeptAlive("Stopped", "Stopped"), false, "it has been stopped before it was asked to quit");
  assert.equal(isKeptAlive("StepEnd", "Abort"), false);
});

test("what is in backticks is code, and a single backtick is text", () => {
  assert.deepEqual(parts("`box_2` is removed"), [
    { text: "box_2", isCode: true },
    { text: " is removed", isCode: false },
  ]);
  assert.deepEqual(parts("a `b` c ` d"), [
    { text: "a ", isCode: false },
    { text: "b", isCode: true },
    { text: " c ` d", isCode: false },
  ]);
  assert.deepEqual(parts("plain"), [{ text: "plain", isCode: false }]);
});
