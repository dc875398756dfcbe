// Asks for the token, once, if the host requires one.

import type { App } from "../app.ts";
import { checkbox } from "../ui/controls.ts";
import { show } from "../ui/dialog.ts";
import { h } from "../ui/dom.ts";

export function askForToken(app: App): void {
  let isAsking = false;
  app.http.needsToken.watch(async (isNeeded) => {
    if (!isNeeded || isAsking) return;
    isAsking = true;
    // A wrong token is asked for again.
    while (app.http.needsToken.get()) await ask(app);
    isAsking = false;
  });
}

async function ask(app: App): Promise<void> {
  const wasWrong = app.http.currentToken() !== "";
  const input = h("input", {
    type: "password",
    autocomplete: "current-password",
    "aria-label": "Token",
    "data-test": "token",
  });
  let isKept = true;
  const content = h(
    "div",
    { class: "stack" },
    h(
      "p",
      {},
      wasWrong ? "The host refused the token." : "The host requires a token. Whoever started it knows it.",
    ),
    input,
    checkbox("Keep it in this browser", true, (isChecked) => {
      isKept = isChecked;
    }),
  );
  const answer = await show("Token", content, [{ label: "Connect", value: "yes", kind: "primary" }]);
  // Without a token there is nothing to show.
  if (answer !== "yes" || input.value.trim() === "") return ask(app);
  app.http.setToken(input.value.trim(), isKept);
  await app.socket.start();
}
