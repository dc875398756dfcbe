// Errors of the run and refused requests of this page, with their meaning from the catalogue.

import type { App } from "../app.ts";
import { codeIn, withoutCode } from "../api/http.ts";
import { empty, section, textInput } from "../ui/controls.ts";
import { fill, h, prose } from "../ui/dom.ts";
import type { Part } from "./diagnostics.ts";

export function errorsView(app: App): Part {
  const ofRun = h("div", { class: "stack" });
  const ofPage = h("div", { class: "stack" });
  let shown = "";
  app.host.status.watch((status) => {
    const errors = status?.errors ?? [];
    if (errors.join("\n") === shown && shown !== "") return;
    shown = errors.join("\n");
    fill(ofRun, ...errors.map((text) => entry(app, text, codeIn(text))));
    if (errors.length === 0) ofRun.append(empty("No errors."));
  });
  app.notices.all.watch((all) => {
    const errors = all.filter(({ level }) => level === "error");
    fill(ofPage, ...errors.map(({ text, code, at }) => entry(app, text, code, at.toLocaleTimeString())));
    if (errors.length === 0) ofPage.append(empty("Nothing was refused."));
  });
  const element = h(
    "div",
    {},
    section("Errors of the run", ofRun),
    lookUp(app),
    section("Refused requests of this page", ofPage),
  );
  element.dataset.test = "errors";
  return { id: "errors", title: "Errors", element, show: () => undefined, hide: () => undefined };
}

function entry(app: App, text: string, code: string, at = ""): HTMLElement {
  const known = app.catalogue.find(code);
  const advice = app.catalogue.advice(text, code);
  return h(
    "div",
    { class: "error-entry" },
    h(
      "p",
      {},
      code !== "" && h("span", { class: "code" }, `${code} `),
      ...prose(withoutCode(text.replace(/^error\[[^\]]*\]:\s*/, ""))),
      at !== "" && h("span", { class: "hint" }, `  ${at}`),
    ),
    known && h("p", { class: "hint" }, ...prose(known.meaning)),
    advice !== "" && h("p", { class: "hint" }, ...prose(advice)),
  );
}

/** Finds the meaning of a code from a log. */
function lookUp(app: App): HTMLElement {
  const input = textInput({ placeholder: "BH-…", label: "Error code", id: "code-search" });
  const result = h("div", { "data-test": "code-meaning", role: "status" });
  input.addEventListener("input", () => {
    const code = input.value.trim().toUpperCase();
    const known = app.catalogue.find(code);
    if (known)
      fill(
        result,
        h("p", {}, ...prose(known.meaning)),
        h("p", { class: "hint" }, ...prose(`Try: ${known.hint}.`)),
      );
    else fill(result, code.length > 9 && empty("No such code."));
  });
  return section("Meaning of a code", input, result);
}
