// Publishes a message from a form. The form follows the type as the host describes it, else the latest message.

import type { App } from "../app.ts";
import { emptyValue, type Field, fieldOfValue, isSpecialNumber } from "../api/schema.ts";
import { Button, checkbox } from "../ui/controls.ts";
import { fill, h } from "../ui/dom.ts";

/** A part of the form. */
interface Input {
  element: HTMLElement;
  /** Throws an error if what is written has no meaning. */
  read(): unknown;
  write(value: unknown): void;
}

export function publishForm(
  app: App,
  topic: string,
  latest: () => Record<string, unknown> | null,
): HTMLElement {
  const area = h("div", { class: "form" });
  const text = h("textarea", {
    rows: 8,
    spellcheck: "false",
    "aria-label": "Message as JSON",
    hidden: true,
    "data-test": "publish-json",
  });
  let input: Input | null = null;
  let isText = false;
  const setMode = (asText: boolean) => {
    if (asText === isText) return;
    try {
      if (asText) text.value = JSON.stringify(input?.read() ?? latest() ?? {}, null, 2);
      else input?.write(JSON.parse(text.value));
    } catch (error) {
      app.notices.error(`The message is malformed: ${String(error)}`);
    }
    isText = asText;
    text.hidden = !asText;
    area.hidden = asText;
  };
  const mode = checkbox("as JSON", false, setMode);
  const open = async () => {
    if (input) return;
    const type = app.topics.find(topic)?.type ?? "";
    const message = latest();
    const described = await app.types.find(type).catch(() => undefined);
    const field = described ?? (message ? fieldOfValue(message) : undefined);
    if (!field) {
      fill(
        area,
        h(
          "p",
          { class: "hint" },
          "The host does not describe this type and there is no message yet; write the message as JSON.",
        ),
      );
      text.value = "{}";
      mode.querySelector("input")!.checked = true;
      setMode(true);
      return;
    }
    input = inputOf(field, "");
    input.write(emptyValue(field));
    fill(area, input.element);
  };
  const publish = new Button(
    { label: "Publish", kind: "primary", id: "publish", isRequest: true },
    async () => {
      const json = await app.notices.run("The message is malformed", async () =>
        isText ? text.value : JSON.stringify(input?.read()),
      );
      if (json === undefined) return;
      const answer = await app.notices.run("The message cannot be published", () =>
        app.http.call("publish_message", { topic, json }),
      );
      if (answer) app.notices.info(`Published on ${topic}.`);
    },
  );
  const copy = new Button(
    { label: "Latest message", title: "Fill in the latest message", id: "publish-latest" },
    () => {
      const message = latest();
      if (!message) app.notices.error("There is no message yet.");
      else if (isText) text.value = JSON.stringify(message, null, 2);
      else input?.write(message);
    },
  );
  const element = h(
    "details",
    { class: "fold of-run", "data-test": "publish-form" },
    h("summary", {}, "Publish a message"),
    area,
    text,
    h("div", { class: "row" }, publish.element, copy.element, mode),
  );
  element.addEventListener("toggle", () => {
    if (element.open) void open();
  });
  return element;
}

function inputOf(field: Field, path: string): Input {
  switch (field.kind) {
    case "message":
      return messageInput(field.members, path);
    case "boolean": {
      const input = h("input", { type: "checkbox", "data-field": path, "aria-label": path });
      const write = (value: unknown) => {
        input.checked = value === true;
      };
      return { element: input, read: () => input.checked, write };
    }
    case "number":
      return numberField(field.isWhole, path);
    case "text": {
      const input = h("input", { type: "text", "data-field": path, "aria-label": path });
      const write = (value: unknown) => {
        input.value = String(value ?? "");
      };
      return { element: input, read: () => input.value, write };
    }
    case "list": {
      const input = h("input", {
        type: "text",
        "data-field": path,
        "aria-label": `${path} as JSON`,
        placeholder: "[…]",
      });
      const write = (value: unknown) => {
        input.value = JSON.stringify(value ?? []);
      };
      return { element: input, read: () => JSON.parse(input.value || "[]") as unknown, write };
    }
  }
}

function numberField(isWhole: boolean, path: string): Input {
  // Not a number field: `NaN` and `Infinity` are values too.
  const input = h("input", { type: "text", inputmode: "decimal", "data-field": path, "aria-label": path });
  const read = () => {
    const text = input.value.trim();
    if (isSpecialNumber(text)) return text;
    const value = Number(text);
    if (text === "" || Number.isNaN(value)) throw new Error(`${path} is not a number`);
    if (isWhole && !Number.isInteger(value)) throw new Error(`${path} is not a whole number`);
    return value;
  };
  const write = (value: unknown) => {
    input.value = String(value ?? 0);
  };
  return { element: input, read, write };
}

function messageInput(members: Record<string, Field>, path: string): Input {
  const inputs = new Map<string, Input>();
  const element = h("div", { class: "members" });
  for (const [name, member] of Object.entries(members)) {
    const input = inputOf(member, path === "" ? name : `${path}.${name}`);
    inputs.set(name, input);
    const isNested = member.kind === "message";
    const label = h("span", { class: "key", title: member.about }, name);
    element.append(
      isNested
        ? h("div", { class: "nested" }, label, input.element)
        : h("label", { class: "line" }, label, input.element),
    );
  }
  const read = () => Object.fromEntries([...inputs].map(([name, input]) => [name, input.read()]));
  const write = (value: unknown) => {
    const given = (value ?? {}) as Record<string, unknown>;
    for (const [name, input] of inputs) if (name in given) input.write(given[name]);
  };
  return { element, read, write };
}
