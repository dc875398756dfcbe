// Pictures of cameras beside the 3-D view. They stay when another panel is chosen.

import type { Socket } from "../api/socket.ts";
import type { TopicMessage } from "../api/types.ts";
import type { Off } from "../state/signal.ts";
import type { TopicList } from "../state/topics.ts";
import { Button } from "../ui/controls.ts";
import { h, setName, setText } from "../ui/dom.ts";
import { drawImage } from "./image.ts";

/** Pictures per second that are shown. */
const RATE = 10;

export class Images {
  readonly element = h("div", {
    class: "images",
    role: "region",
    "aria-label": "Pictures of cameras",
    hidden: true,
  });
  private readonly shown = new Map<string, { element: HTMLElement; off: Off }>();

  constructor(
    private readonly socket: Socket,
    private readonly topics: TopicList,
  ) {}

  /** Shows the pictures of a topic, or hides them if they are shown. */
  toggle(topic: string): void {
    if (this.shown.has(topic)) this.remove(topic);
    else this.add(topic);
  }

  isShown(topic: string): boolean {
    return this.shown.has(topic);
  }

  private add(topic: string): void {
    const canvas = h("canvas", {
      class: "image",
      role: "img",
      "aria-label": `Picture of ${topic}`,
      "data-test": "docked-image",
      // Until there is a picture; drawing one shows it.
      hidden: true,
    });
    const note = h("p", { class: "hint" }, "No picture yet. A paused simulation takes none.");
    const name = h("span", { class: "mono", title: topic });
    setName(name, topic);
    const close = new Button(
      { label: "Close the picture", icon: "close", kind: "quiet", isIconOnly: true },
      () => this.remove(topic),
    );
    const element = h(
      "figure",
      { class: "image-card", "data-image": topic },
      h("figcaption", {}, name, close.element),
      canvas,
      note,
    );
    const event = (data: unknown) => {
      const { type, message } = data as TopicMessage;
      note.hidden = true;
      void drawImage(canvas, type, message);
    };
    const refused = (_code: string, message: string) => setText(note, message);
    const off = this.socket.subscribe(`topic:${this.smallest(topic)}`, { rate: RATE, event, refused });
    this.shown.set(topic, { element, off });
    this.element.append(element);
    this.element.hidden = false;
  }

  private remove(topic: string): void {
    const card = this.shown.get(topic);
    card?.off();
    card?.element.remove();
    this.shown.delete(topic);
    this.element.hidden = this.shown.size === 0;
  }

  /** The compressed pictures of a camera, if it has them: they are a small part of the bytes. */
  private smallest(topic: string): string {
    const compressed = `${topic}/compressed`;
    return this.topics.find(compressed) ? compressed : topic;
  }
}
