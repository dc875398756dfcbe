import assert from "node:assert/strict";
import { test } from "node:test";
import { RateControl } from "../../src/poses/rate.ts";

const calm = { received: 30, lost: 0, drawn: 30, seconds: 1 };

test("skipped frames lower the rate, and calm periods raise it again", () => {
  const control = new RateControl();
  assert.equal(control.rate(), 60);
  assert.equal(control.after({ ...calm, lost: 20 }), true);
  assert.equal(control.rate(), 30);
  const changes = [1, 2, 3, 4].map(() => control.after(calm));
  assert.deepEqual(changes, [false, false, false, true]);
  assert.equal(control.rate(), 60);
});

test("a rate that failed is tried again later each time", () => {
  const control = new RateControl();
  const periodsUntilRise = () => {
    for (let count = 1; count < 100; count += 1) if (control.after(calm)) return count;
    return 0;
  };
  control.after({ ...calm, lost: 20 });
  assert.equal(periodsUntilRise(), 4);
  control.after({ ...calm, lost: 20 });
  assert.equal(periodsUntilRise(), 8);
});

test("slow drawing lowers the rate to 15 per second, and a slow link to 2", () => {
  const control = new RateControl();
  for (let count = 0; count < 10; count += 1) control.after({ received: 60, lost: 0, drawn: 5, seconds: 1 });
  assert.equal(control.rate(), 15);
  for (let count = 0; count < 10; count += 1) control.after({ ...calm, lost: 30 });
  assert.equal(control.rate(), 2);
});
