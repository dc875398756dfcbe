"use strict";
// Shows the table of all runs in parts, filtered by words or by a case of the heat map.
const { cases, digits, runs } = JSON.parse(document.getElementById("data").textContent);
const PART = 100;
const filter = document.getElementById("filter");
const body = document.querySelector("#table tbody");
let first = 0;

const words = (run) => {
  const one = cases[run[1]];
  return `case:${run[1]} ${run[3]} ${one.world} seed=${run[2]} ${one.parameters} ${one.paths} ${run[0]} ${run[7]}`.toLowerCase();
};
const texts = runs.map(words);

function matching() {
  const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text, word) => (/^(case:|seed=)\d+$/.test(word) ? ` ${text} `.includes(`${word} `) : text.includes(word));
  return runs.filter((_, at) => wanted.every((word) => has(texts[at], word)));
}

function cell(row, text, name) {
  const made = row.insertCell();
  made.textContent = text ?? "";
  if (name) made.className = name;
  return made;
}

function command(run) {
  return cases[run[1]].command.replace("--seed=0", `--seed=${run[2]}`);
}

function toggle(row, run) {
  if (row.nextSibling?.dataset?.detail) return row.nextSibling.remove();
  const detail = body.insertRow(row.sectionRowIndex + 1);
  detail.dataset.detail = "1";
  const inside = cell(detail, "");
  inside.colSpan = 8;
  if (run[7]) inside.append(Object.assign(document.createElement("p"), { textContent: run[7] }));
  if (cases[run[1]].paths) inside.append(Object.assign(document.createElement("p"), { textContent: cases[run[1]].paths }));
  inside.append(Object.assign(document.createElement("pre"), { textContent: command(run) }));
}

function show() {
  const found = matching();
  first = Math.max(0, Math.min(first, Math.floor((found.length - 1) / PART) * PART));
  body.replaceChildren();
  for (const run of found.slice(first, first + PART)) {
    const row = body.insertRow();
    cell(row, run[3], run[3].split(" ")[0] === "no" ? "none" : run[3]);
    cell(row, cases[run[1]].world);
    cell(row, run[2], "number");
    cell(row, cases[run[1]].parameters).title = cases[run[1]].paths;
    cell(row, run[4] === null ? "" : `${run[4].toFixed(3)} s`, "number");
    cell(row, run[5] === null ? "" : `${run[5]} s`, "number");
    cell(row, run[6], "number");
    cell(row, run[0].slice(0, digits), "key").title = run[0];
    row.addEventListener("click", () => toggle(row, run));
  }
  const last = Math.min(first + PART, found.length);
  document.getElementById("count").textContent = found.length === 0 ? "no run" : `${first + 1} to ${last} of ${found.length}`;
  document.getElementById("before").disabled = first === 0;
  document.getElementById("after").disabled = last >= found.length;
}

const move = (by) => () => {
  first += by;
  show();
};
document.getElementById("before").addEventListener("click", move(-PART));
document.getElementById("after").addEventListener("click", move(PART));
filter.addEventListener("input", () => {
  first = 0;
  show();
});
for (const one of document.querySelectorAll("[data-case]")) {
  one.addEventListener("click", () => {
    filter.value = `case:${one.dataset.case}`;
    first = 0;
    show();
    document.getElementById("runs").scrollIntoView();
  });
}
show();
