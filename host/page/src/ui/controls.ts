// Buttons, fields and sections, with labels for screen readers.

import { h, type IconName, icon } from "./dom.ts";

export interface ButtonOptions {
  label: string;
  icon?: IconName;
  /** Shown when the pointer rests on it; the label by default. */
  title?: string;
  kind?: "plain" | "primary" | "danger" | "quiet";
  /** Only the icon is shown. */
  isIconOnly?: boolean;
  /** It asks the host for something: it is disabled while the host does not answer. */
  isRequest?: boolean;
  id?: string;
}

/** Buttons by their elements. */
const BUTTONS = new WeakMap<Element, Button>();

/** A button that knows why it is disabled. */
export class Button {
  /** Why no request can be sent now; empty if it can. */
  private static away = "";
  readonly element: HTMLButtonElement;
  private reason = "";

  /** Disables all buttons that send requests, with a reason; an empty reason ends it. */
  static allowRequests(reason: string): void {
    Button.away = reason;
    for (const element of document.querySelectorAll("[data-request]")) BUTTONS.get(element)?.show();
  }

  constructor(
    private readonly options: ButtonOptions,
    action: () => void,
  ) {
    const { label, icon: name, kind = "plain", isIconOnly } = options;
    this.element = h(
      "button",
      {
        type: "button",
        class: `button ${kind}${isIconOnly ? " square" : ""}`,
        "data-test": options.id,
        "data-request": options.isRequest,
      },
      name && icon(name),
      !isIconOnly && h("span", {}, label),
    );
    if (isIconOnly) this.element.setAttribute("aria-label", label);
    // A disabled button shows no title in some browsers, so it is only marked as disabled.
    this.element.addEventListener("click", () => {
      if (this.element.getAttribute("aria-disabled") !== "true") action();
    });
    BUTTONS.set(this.element, this);
    this.show();
  }

  /** Disables the button with a reason; an empty reason enables it. */
  allow(reason: string): void {
    this.reason = reason;
    this.show();
  }

  private show(): void {
    const { label, title, isRequest } = this.options;
    const reason = isRequest && Button.away !== "" ? Button.away : this.reason;
    this.element.setAttribute("aria-disabled", String(reason !== ""));
    const text = reason === "" ? (title ?? (this.options.isIconOnly ? label : "")) : `${label}: ${reason}`;
    if (text === "") this.element.removeAttribute("title");
    else if (this.element.title !== text) this.element.title = text;
  }

  label(): string {
    return this.options.label;
  }

  isAllowed(): boolean {
    return this.element.getAttribute("aria-disabled") !== "true";
  }
}

let lastId = 0;

/** A label with its field below or beside it. */
export function field(
  label: string,
  control: HTMLElement,
  options: { unit?: string; class?: string } = {},
): HTMLElement {
  if (control.id === "") {
    lastId += 1;
    control.id = `field-${lastId}`;
  }
  return h(
    "div",
    { class: `field ${options.class ?? ""}` },
    h("label", { for: control.id }, label),
    h("div", { class: "control" }, control, options.unit && h("span", { class: "unit" }, options.unit)),
  );
}

export function checkbox(
  label: string,
  isChecked: boolean,
  changed: (isChecked: boolean) => void,
): HTMLLabelElement {
  const input = h("input", {
    type: "checkbox",
    set: { checked: isChecked },
    on: { change: () => changed(input.checked) },
  });
  return h("label", { class: "check" }, input, h("span", {}, label));
}

export function numberInput(
  value: number,
  options: { step?: number | "any"; min?: number; label?: string; id?: string } = {},
): HTMLInputElement {
  return h("input", {
    type: "number",
    class: "number",
    step: options.step ?? "any",
    min: options.min,
    "aria-label": options.label,
    "data-test": options.id,
    set: { value: String(value) },
  });
}

/** Returns the number of steps that a text means: at least one, and a whole number. */
export function stepsIn(text: string): number {
  const steps = Math.round(Number(text));
  return Number.isFinite(steps) ? Math.max(1, steps) : 1;
}

/** A field for a number of steps, which corrects what is no such number. */
export function stepsInput(value: number, options: { label?: string; id: string }): HTMLInputElement {
  const input = numberInput(value, { step: 1, min: 1, ...options });
  input.addEventListener("change", () => {
    input.value = String(stepsIn(input.value));
  });
  return input;
}

export function textInput(
  options: { placeholder?: string; label?: string; value?: string; id?: string } = {},
): HTMLInputElement {
  return h("input", {
    type: "text",
    spellcheck: "false",
    autocomplete: "off",
    placeholder: options.placeholder,
    "aria-label": options.label,
    "data-test": options.id,
    set: { value: options.value ?? "" },
  });
}

export function select(
  choices: readonly (readonly [value: string, label: string])[],
  label?: string,
  id?: string,
): HTMLSelectElement {
  const element = h("select", { "aria-label": label, "data-test": id });
  for (const [value, text] of choices) element.append(h("option", { value }, text));
  return element;
}

/** A section with a heading. */
export function section(title: string, ...children: (Node | string | null | false)[]): HTMLElement {
  return h("section", { class: "section" }, h("h3", {}, title), ...children);
}

/** A list of terms and values. */
export function facts(...rows: [term: string, value: Node | string][]): HTMLDListElement {
  const list = h("dl", { class: "facts" });
  for (const [term, value] of rows) list.append(h("dt", {}, term), h("dd", {}, value));
  return list;
}

/** A table with headings; numbers are aligned at the right. */
export function table(
  label: string,
  columns: readonly (string | { title: string; isNumber?: boolean; class?: string })[],
): {
  element: HTMLTableElement;
  body: HTMLTableSectionElement;
} {
  const body = h("tbody");
  const head = h("tr");
  for (const column of columns) {
    const {
      title,
      isNumber = false,
      class: name = "",
    } = typeof column === "string" ? { title: column } : column;
    head.append(h("th", { scope: "col", class: `${isNumber ? "number" : ""} ${name}` }, title));
  }
  return { element: h("table", { class: "table", "aria-label": label }, h("thead", {}, head), body), body };
}

/** A text in place of a list without entries. */
export function empty(text: string): HTMLElement {
  return h("p", { class: "empty" }, text);
}

export function badge(text: string, kind: string): HTMLElement {
  return h("span", { class: `badge ${kind}` }, text);
}
