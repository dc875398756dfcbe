// The latest message as a tree. Its elements stay while values change, so that open parts remain open.

import { isSpecialNumber } from "../api/schema.ts";
import { h, setText } from "../ui/dom.ts";
import { number } from "../ui/format.ts";

/** Elements of a list that are shown. */
const MOST = 64;
/** Characters of a text that are shown. */
const LONGEST = 200;

type Kind = "message" | "list" | "number" | "other";

export interface Part {
  element: HTMLElement;
  update(value: unknown): void;
}

/** Called with the path of a number that is to be plotted. */
type Plot = (path: string) => void;

/** Returns the value at a path such as `pose.position.x` or `ranges[3]`; undefined if there is none. */
export function valueAt(message: unknown, path: string): number | undefined {
  let value: unknown = message;
  for (const part of path.split(/[.[\]]+/)) {
    if (part === "") continue;
    if (value === null || typeof value !== "object") return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  if (typeof value === "boolean") return value ? 1 : 0;
  if (isSpecialNumber(value)) return Number(value);
  return typeof value === "number" ? value : undefined;
}

function kindOf(value: unknown): Kind {
  if (Array.isArray(value)) return "list";
  if (value !== null && typeof value === "object") return "message";
  return typeof value === "number" || typeof value === "boolean" || isSpecialNumber(value)
    ? "number"
    : "other";
}

/** A part that can change its kind, as elements of lists may. */
export function messageTree(name: string, path: string, value: unknown, plot: Plot, depth = 0): Part {
  let kind = kindOf(value);
  let inner = create(kind, name, path, value, plot, depth);
  const element = h("div", { class: "part" }, inner.element);
  const update = (next: unknown) => {
    const nextKind = kindOf(next);
    if (nextKind !== kind) {
      kind = nextKind;
      inner = create(kind, name, path, next, plot, depth);
      element.replaceChildren(inner.element);
    }
    inner.update(next);
  };
  update(value);
  return { element, update };
}

function create(kind: Kind, name: string, path: string, value: unknown, plot: Plot, depth: number): Part {
  switch (kind) {
    case "message":
      return group(name, path, value, plot, depth, (given) =>
        Object.entries(given as object).map(([key, member]) => [key, join(path, key), member]),
      );
    case "list":
      return group(name, path, value, plot, depth, (given) =>
        (given as unknown[]).slice(0, MOST).map((item, index) => [`[${index}]`, `${path}[${index}]`, item]),
      );
    case "number":
      return leaf(
        name,
        value,
        (given) => (typeof given === "boolean" ? String(given) : number(Number(given))),
        () => plot(path),
        path,
      );
    case "other":
      return leaf(name, value, textOf, null, path);
  }
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

function textOf(value: unknown): string {
  const text = typeof value === "string" ? `"${value}"` : String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
}

function leaf(
  name: string,
  value: unknown,
  show: (value: unknown) => string,
  plot: (() => void) | null,
  path: string,
): Part {
  const text = h("span", { class: "value" }, show(value));
  const button =
    plot &&
    h(
      "button",
      {
        type: "button",
        class: "plot",
        title: `Plot ${path}`,
        "aria-label": `Plot ${path}`,
        "data-plot": path,
        on: { click: plot },
      },
      "plot",
    );
  const element = h("div", { class: "leaf" }, h("span", { class: "key" }, name), text, button);
  return { element, update: (next) => setText(text, show(next)) };
}

/** Lists that are longer are closed at first: the ranges of a lidar would fill the panel. */
const LONGEST_OPEN = 16;

/** Returns true if a message or list shows its members before anyone opens it. */
export function isOpenAtFirst(path: string, depth: number, value: unknown): boolean {
  if (Array.isArray(value) && value.length > LONGEST_OPEN) return false;
  return depth < 5 && !/covariance|data$/.test(path);
}

function group(
  name: string,
  path: string,
  first: unknown,
  plot: Plot,
  depth: number,
  members: (value: unknown) => [string, string, unknown][],
): Part {
  const children = new Map<string, Part>();
  const area = h("div", { class: "members" });
  const about = h("span", { class: "about" });
  const element = h(
    "details",
    { class: "group" },
    h("summary", {}, h("span", { class: "key" }, name), about),
    area,
  );
  element.open = isOpenAtFirst(path, depth, first);
  let latest: unknown;
  const fill = () => {
    // Closed parts have no elements: a message may have thousands of numbers.
    if (!element.open) return;
    const now = members(latest);
    const keys = new Set(now.map(([key]) => key));
    for (const [key, part] of children) {
      if (keys.has(key)) continue;
      part.element.remove();
      children.delete(key);
    }
    for (const [key, memberPath, value] of now) {
      const part = children.get(key);
      if (part) {
        part.update(value);
        continue;
      }
      const added = messageTree(key, memberPath, value, plot, depth + 1);
      children.set(key, added);
      area.append(added.element);
    }
  };
  element.addEventListener("toggle", fill);
  const update = (value: unknown) => {
    latest = value;
    if (Array.isArray(value))
      setText(about, ` ${value.length} elements${value.length > MOST ? `, the first ${MOST}` : ""}`);
    fill();
  };
  return { element, update };
}
