// Links to topics: a click opens the topic in its panel.

import { h, setName } from "../ui/dom.ts";

/** Returns a link with a name that may be broken. */
export function topicLink(topic: string, name: string, props: { class: string; title: string }): HTMLElement {
  const link = h("a", { href: "#topics", "data-topic": topic, ...props });
  setName(link, name);
  link.addEventListener("click", () => window.dispatchEvent(new CustomEvent("topic", { detail: topic })));
  return link;
}

/** Calls a function when a link to a topic is clicked. */
export function onTopicLink(open: (topic: string) => void): void {
  window.addEventListener("topic", (event) => open((event as CustomEvent<string>).detail));
}
