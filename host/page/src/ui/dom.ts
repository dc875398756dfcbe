// Creates elements. The content policy forbids style attributes, so looks come from classes alone.

type Child = Node | string | number | null | undefined | false;
type Handler = (event: never) => void;

export interface Props {
  class?: string;
  /** Event handlers by name. */
  on?: Record<string, Handler>;
  /** Values that are set as properties: `value`, `checked`, `disabled`. */
  set?: Record<string, unknown>;
  [attribute: string]: unknown;
}

/** Creates an element with attributes, handlers and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") listen(element, value as Record<string, Handler>);
    else if (name === "set") Object.assign(element, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, ...children);
  return element;
}

function listen(element: HTMLElement, handlers: Record<string, Handler>): void {
  for (const [name, handler] of Object.entries(handlers)) {
    element.addEventListener(name, handler as EventListener);
  }
}

export function append(element: Element, ...children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** Replaces the children. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, ...children);
}

/** Sets a text only if it is another one, so that a selection in it survives. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets a name that may be broken after its slashes, colons and underscores. */
export function setName(element: Element, name: string): void {
  if (element.textContent === name) return;
  const parts = name.split(/(?<=[/_:])(?![/_:])/);
  element.replaceChildren();
  for (const [index, part] of parts.entries()) {
    if (index > 0) element.append(document.createElement("wbr"));
    element.append(part);
  }
}

/** Divides a text at its backticks: what is between two of them is a name or a value. */
export function parts(text: string): { text: string; isCode: boolean }[] {
  const pieces = text.split("`");
  // The last backtick of an odd number belongs to the text.
  if (pieces.length % 2 === 0) pieces.push(`${pieces.splice(-2, 2).join("`")}`);
  return pieces
    .map((piece, index) => ({ text: piece, isCode: index % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}

/** Returns a text with its names and values, which are in backticks, as code. */
export function prose(text: string): Node[] {
  return parts(text).map((part) =>
    part.isCode ? h("code", {}, part.text) : document.createTextNode(part.text),
  );
}

/** Sets a text with names and values in backticks, only if it is another one. */
export function setProse(element: Element, text: string): void {
  if (
    element.textContent ===
    parts(text)
      .map((part) => part.text)
      .join("")
  )
    return;
  element.replaceChildren(...prose(text));
}

const SVG = "http://www.w3.org/2000/svg";

/** Paths of icons, on a grid of 16 by 16. */
const ICONS = {
  play: "M4 2.5v11l9-5.5z",
  pause: "M4 2.5h3v11H4zM9 2.5h3v11H9z",
  step: "M3 2.5v11l7-5.5zM11 2.5h2v11h-2z",
  reset: "M8 3a5 5 0 1 1-4.6 3l-1.5-.6A6.6 6.6 0 1 0 8 1.4V0L4.6 2.3 8 4.6z",
  theme: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.6v10.8A5.4 5.4 0 0 1 8 2.6z",
  help: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm.9 10.9H7.1v-1.7h1.8zm0-2.9H7.1c0-2.2 2-2.2 2-3.4 0-.6-.4-1-1.1-1-.7 0-1.2.4-1.2 1.2H5c0-1.8 1.3-2.9 3-2.9s3 1 3 2.6C11 7.6 8.9 7.700 8.900 9z",
  close:
    "M3.4 2.300 8 6.900l4.600-4.600 1.100 1.100L9.100 8l4.600 4.600-1.100 1.100L8 9.100l-4.600 4.600-1.100-1.100L6.900 8 2.300 3.400z",
  layers: "M8 1 1 5l7 4 7-4zM2.600 8 1 9l7 4 7-4-1.600-1L8 11z",
  fit: "M2 2h4v1.500H3.500V6H2zM10 2h4v4h-1.500V3.500H10zM2 10h1.500v2.500H6V14H2zM12.500 10H14v4h-4v-1.500h2.500z",
  camera:
    "M1.500 4h2.700l1-1.500h5.600l1 1.500h2.700v9h-13zM8 5.800a2.700 2.700 0 1 0 0 5.400 2.700 2.700 0 0 0 0-5.400z",
  drive: "M8 1 5.500 4.500h5zM8 15l2.500-3.500h-5zM1 8l3.500 2.500v-5zM15 8l-3.500-2.500v5z",
  add: "M7.200 2.500h1.600v4.700h4.700v1.600H8.800v4.700H7.200V8.800H2.500V7.200h4.700z",
} as const;

export type IconName = keyof typeof ICONS;

export function icon(name: IconName): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}
