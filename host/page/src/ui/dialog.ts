// Dialogs: a question, the token, the keys.

import type { Button } from "./controls.ts";
import { h, prose } from "./dom.ts";

/** Shows a dialog; resolves with the value of the button that closed it. A text that `isLong` begins at its title, also in a
    low window, which would otherwise show the first link or button. */
export function show(
  title: string,
  content: Node,
  buttons: { label: string; value: string; kind?: "primary" | "danger" }[],
  isLong = false,
): Promise<string> {
  return new Promise((resolve) => {
    const form = h("form", { method: "dialog" });
    const dialog = h("dialog", { class: "dialog", "aria-label": title }, form);
    const actions = h("div", { class: "actions" });
    for (const { label, value, kind } of buttons) {
      const button = h(
        "button",
        { type: value === "" ? "button" : "submit", value, class: `button ${kind ?? "plain"}` },
        label,
      );
      if (value === "") button.addEventListener("click", () => dialog.close(""));
      actions.append(button);
    }
    form.append(h("h2", isLong ? { tabindex: -1, autofocus: true } : {}, title), content, actions);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

export async function confirm(title: string, text: string, label: string): Promise<boolean> {
  const answer = await show(title, h("p", {}, ...prose(text)), [
    { label: "Cancel", value: "" },
    { label, value: "yes", kind: "danger" },
  ]);
  return answer === "yes";
}

/** A menu below its button. */
export function menu(button: Button, content: HTMLElement, label: string): HTMLElement {
  const popup = h("div", { class: "popup", role: "group", "aria-label": label, hidden: true }, content);
  const { element } = button;
  element.setAttribute("aria-haspopup", "true");
  const set = (isOpen: boolean) => {
    popup.hidden = !isOpen;
    element.setAttribute("aria-expanded", String(isOpen));
  };
  set(false);
  element.addEventListener("click", () => set(popup.hidden));
  document.addEventListener("pointerdown", (event) => {
    if (!popup.contains(event.target as Node) && !element.contains(event.target as Node)) set(false);
  });
  popup.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    set(false);
    element.focus();
  });
  return h("div", { class: "menu" }, element, popup);
}
