import assert from "node:assert/strict";
import { test } from "node:test";
import { DrawBudget } from "../../src/scene/draw_budget.ts";

test("a fast renderer draws as often as it can, and one drawing at a time", () => {
  const budget = new DrawBudget();
  assert.equal(budget.allows(0), true);
  budget.begin(0);
  assert.equal(budget.allows(10), false);
  budget.end(16);
  assert.equal(budget.allows(16), true);
});

test("a slow renderer rests as long as it has drawn", () => {
  const budget = new DrawBudget();
  budget.begin(100);
  budget.end(300);
  assert.equal(budget.allows(499), false);
  assert.equal(budget.allows(500), true);
});

test("the end of nothing changes nothing", () => {
  const budget = new DrawBudget();
  budget.end(50);
  assert.equal(budget.allows(50), true);
  assert.equal(budget.isDrawing(), false);
});
