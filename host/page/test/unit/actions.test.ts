import assert from "node:assert/strict";
import { test } from "node:test";
import type { WorldDescription } from "../../src/api/types.ts";
import { removedText, spawnedModels } from "../../src/panels/actions.ts";

test("a reset says how many spawned models it has removed", () => {
  const models = [
    { name: "car", vehicle: "car", is_spawned: false },
    { name: "box", vehicle: "box", is_spawned: true },
    { name: "box::lid", vehicle: "box", is_spawned: true },
  ];
  assert.deepEqual(
    spawnedModels({ models } as WorldDescription),
    ["box"],
    "a nested model is part of another",
  );
  assert.deepEqual(spawnedModels(null), []);
  assert.equal(removedText(1), "The reset removed 1 spawned model.");
  assert.equal(removedText(3), "The reset removed 3 spawned models.");
});
