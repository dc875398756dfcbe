// Finds text of a page that is cut off, covered by other text, or outside of the window.

/** Returns a sentence for each defect of what the page shows now. */
export function layoutDefects(page) {
  return page.evaluate(measure);
}

/** Runs in the page: it can use nothing of this module. */
function measure() {
  const found = [];
  const root = document.documentElement;
  const width = root.clientWidth;
  if (root.scrollWidth > width)
    found.push(`the page is ${root.scrollWidth - width} pixels wider than the window`);

  const nameOf = (element) => {
    const id = element.dataset?.test ?? element.id ?? "";
    const text = (element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
    const kind = typeof element.className === "string" ? element.className.trim().split(/\s+/)[0] : "";
    return `<${element.tagName.toLowerCase()}${kind ? `.${kind}` : ""}${id ? ` ${id}` : ""}> "${text}"`;
  };
  const isVisible = (element) =>
    element.checkVisibility({ opacityProperty: false, visibilityProperty: true }) &&
    !element.closest("[inert]");
  /** Elements over the page may cover it: what matters is that nothing within them is cut off or covered. */
  const layerOf = (element) =>
    element.closest(
      "dialog, .popup, .toasts, .hint-bar, .drive-pad, .banner, .notice, .tools, .names, .header",
    ) ?? document.body;
  const isForReaders = (element) => getComputedStyle(element).clipPath === "inset(50%)";

  for (const element of document.querySelectorAll("body *")) {
    if (!isVisible(element) || element.closest(".names, svg, .u-wrap, .u-legend")) continue;
    const style = getComputedStyle(element);
    // A field scrolls while it is edited.
    if (element.matches("input, textarea, select, option, canvas") || isForReaders(element)) continue;
    if (style.overflowX === "visible" || element.scrollWidth <= element.clientWidth + 1) continue;
    const isShortened = style.textOverflow === "ellipsis" && (element.title || element.closest("[title]"));
    if (!isShortened) {
      const more = element.scrollWidth - element.clientWidth;
      found.push(`${nameOf(element)} is ${more} pixels wider than its place`);
    }
  }

  const pieces = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!element || node.data.trim() === "" || !isVisible(element)) continue;
    if (element.closest(".names, option, noscript, script, style, .u-wrap") || isForReaders(element))
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      // The element of a text shortens it itself.
      const piece = clipped(rect, element);
      if (piece) pieces.push({ element, layer: layerOf(element), ...piece });
    }
  }
  for (const field of document.querySelectorAll("input, select, textarea, button, progress")) {
    if (!isVisible(field)) continue;
    const piece = clipped(field.getBoundingClientRect(), field.parentElement);
    if (piece) pieces.push({ element: field, layer: layerOf(field), ...piece });
  }

  /** Returns the part of a box that an element and its ancestors show; null if they show nothing of it. */
  function clipped(rect, element) {
    const box = { left: rect.left, right: rect.right, top: rect.top, bottom: rect.bottom };
    for (let around = element; around; around = around.parentElement) {
      const style = getComputedStyle(around);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      if (around === document.body || around === document.documentElement) continue;
      const place = around.getBoundingClientRect();
      box.left = Math.max(box.left, place.left);
      box.right = Math.min(box.right, place.right);
      box.top = Math.max(box.top, place.top);
      box.bottom = Math.min(box.bottom, place.bottom);
    }
    return box.right - box.left < 1 || box.bottom - box.top < 1 ? null : box;
  }

  for (const { element, left, right } of pieces) {
    if (left < -1 || right > width + 1) found.push(`${nameOf(element)} reaches out of the window`);
  }
  const covers = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  for (const [index, a] of pieces.entries()) {
    for (const b of pieces.slice(index + 1)) {
      if (a.layer !== b.layer || a.element === b.element) continue;
      if (a.element.contains(b.element) || b.element.contains(a.element)) continue;
      // What sticks to an edge of its scrolled place covers what is below it.
      if (isSticky(a.element) !== isSticky(b.element)) continue;
      if (covers(a, b)) found.push(`${nameOf(a.element)} and ${nameOf(b.element)} cover each other`);
    }
  }
  function isSticky(element) {
    return element.closest("thead, .tabs") !== null;
  }
  return [...new Set(found)];
}
