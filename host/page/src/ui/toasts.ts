// Shows notices for a while.

import type { Catalogue } from "../api/catalogue.ts";
import type { Notice, Notices } from "../state/notices.ts";
import { Button } from "./controls.ts";
import { h } from "./dom.ts";

const SHOWN_MS = { error: 12_000, info: 4000 };
const MOST = 4;

export function toasts(notices: Notices, catalogue: Catalogue): HTMLElement {
  const list = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
  let last = 0;
  notices.all.listen((all) => {
    for (const notice of all.filter(({ id }) => id > last).reverse()) {
      last = notice.id;
      list.append(toast(notice, catalogue));
      while (list.childElementCount > MOST) list.firstElementChild?.remove();
    }
  });
  return list;
}

function toast(notice: Notice, catalogue: Catalogue): HTMLElement {
  const known = catalogue.find(notice.code);
  const close = new Button({ label: "Close", icon: "close", kind: "quiet", isIconOnly: true }, () =>
    element.remove(),
  );
  const element = h(
    "div",
    { class: `toast ${notice.level}`, "data-test": "toast" },
    h(
      "div",
      {},
      h("p", {}, notice.text, notice.code !== "" && h("span", { class: "code" }, ` ${notice.code}`)),
      known && h("p", { class: "hint" }, `${known.meaning} Try: ${known.hint}.`),
      notice.allowed.length > 0 && h("p", { class: "hint" }, `Allowed now: ${notice.allowed.join(", ")}.`),
    ),
    close.element,
  );
  window.setTimeout(() => element.remove(), SHOWN_MS[notice.level]);
  return element;
}
