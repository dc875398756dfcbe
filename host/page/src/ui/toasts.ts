// Shows notices for a while.

import type { Catalogue } from "../api/catalogue.ts";
import type { Notice, Notices } from "../state/notices.ts";
import { Button } from "./controls.ts";
import { h, prose } from "./dom.ts";

/** Errors are kept in the list of errors, so they need not stay for long. */
const SHOWN_MS = { error: 8000, info: 4000 };
const MOST = 3;

export function toasts(notices: Notices, catalogue: Catalogue): HTMLElement {
  const list = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
  let last = 0;
  notices.all.listen((all) => {
    for (const notice of all.filter(({ id }) => id > last).reverse()) {
      last = notice.id;
      if (notice.isAtField) continue;
      // The same text again takes the place of the first.
      const isSame = (shown: Element) => (shown as HTMLElement).dataset.text === notice.text;
      [...list.children].find(isSame)?.remove();
      list.append(toast(notice, catalogue));
      while (list.childElementCount > MOST) list.firstElementChild?.remove();
    }
  });
  return list;
}

function toast(notice: Notice, catalogue: Catalogue): HTMLElement {
  const advice = catalogue.advice(notice.text, notice.code);
  const close = new Button({ label: "Close", icon: "close", kind: "quiet", isIconOnly: true }, () =>
    element.remove(),
  );
  const element = h(
    "div",
    { class: `toast ${notice.level}`, "data-test": "toast", "data-text": notice.text },
    h(
      "div",
      {},
      h(
        "p",
        {},
        ...prose(notice.text),
        notice.code !== "" && h("span", { class: "code" }, ` ${notice.code}`),
      ),
      advice !== "" && h("p", { class: "hint" }, ...prose(advice)),
      notice.allowed.length > 0 && h("p", { class: "hint" }, `Allowed now: ${notice.allowed.join(", ")}.`),
    ),
    close.element,
  );
  window.setTimeout(() => element.remove(), SHOWN_MS[notice.level]);
  return element;
}
