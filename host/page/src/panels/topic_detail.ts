// One topic: its latest message as a tree and as a picture, its counts, and a form that publishes on it.

import type { App } from "../app.ts";
import type { TopicMessage } from "../api/types.ts";
import type { Off } from "../state/signal.ts";
import { Button, empty, facts, section } from "../ui/controls.ts";
import { fill, h, setName, setProse, setText } from "../ui/dom.ts";
import { bytes, count, simulatedTime } from "../ui/format.ts";
import { drawImage, isImage } from "./image.ts";
import { messageTree, type Part } from "./message_tree.ts";
import { publishForm } from "./publish.ts";
import { showRate } from "./topic_rate.ts";

/** Messages per second that are shown: more cannot be read. */
const TREE_RATE = 5;
const IMAGE_RATE = 10;

const GONE = "This topic is gone; what is shown was its latest message.";

export interface TopicDetail {
  topic: string;
  element: HTMLElement;
  /** The list of topics is newer. */
  update(): void;
  show(): void;
  hide(): void;
  end(): void;
}

export function topicDetail(app: App, topic: string): TopicDetail {
  const values = {
    type: h("span", { class: "mono" }),
    rate: h("span"),
    counts: h("span"),
    stamp: h("span", { "data-test": "stamp" }),
  };
  const tree = h("div", { class: "tree", "data-test": "message-tree" }, empty("No message yet."));
  const picture = h("canvas", {
    class: "image",
    hidden: true,
    "data-test": "image",
    role: "img",
    "aria-label": `Picture of ${topic}`,
  });
  const failure = h("p", { class: "failure", hidden: true });
  const gone = h("p", { class: "hint", hidden: true, "data-test": "topic-gone" }, GONE);
  const dock = new Button(
    {
      label: "Beside the view",
      icon: "camera",
      title: "Show the pictures beside the 3-D view, also while another panel is open",
      id: "dock-image",
    },
    () => {
      app.images.toggle(topic);
      showDocked();
    },
  );
  const docked = h("div", { class: "row", hidden: true }, dock.element);
  const showDocked = () => dock.element.setAttribute("aria-pressed", String(app.images.isShown(topic)));
  let isKnown = false;
  let part: Part | null = null;
  let latest: TopicMessage | null = null;
  // A recording sends the messages from before to a new plot.
  const plot = (path: string) => app.plots.add(topic, path, app.host.recording.get() ? null : latest);
  const hear = (data: unknown) => {
    latest = data as TopicMessage;
    const { message, stamp_ns, sequence, type } = latest;
    setText(values.stamp, `number ${count(sequence)} at ${simulatedTime(stamp_ns / 1e9)}`);
    setText(values.type, type);
    if (isImage(type)) void drawImage(picture, type, message);
    if (part) part.update(message);
    else {
      part = messageTree("message", "", message, plot);
      fill(tree, part.element);
    }
  };
  const update = () => {
    const info = app.topics.find(topic);
    isKnown ||= info !== undefined;
    gone.hidden = !isKnown || info !== undefined;
    if (!info) return;
    docked.hidden = !isImage(info.type);
    showDocked();
    setText(values.type, info.type);
    showRate(app.host, values.rate, info, true);
    const over = info.overflowed > 0 ? `, ${count(info.overflowed)} of them too fast for the simulation` : "";
    setText(
      values.counts,
      `${count(info.published)} published (${bytes(info.bytes)}), ${count(info.delivered)} delivered to bridges, ${count(info.dropped)} dropped${over}`,
    );
  };
  let off: Off | null = null;
  const show = () => {
    off?.();
    const fast = isImage(app.topics.find(topic)?.type ?? "");
    off = app.socket.subscribe(`topic:${topic}`, {
      rate: fast ? IMAGE_RATE : TREE_RATE,
      event: hear,
      refused: (_code, message) => {
        setProse(failure, message);
        failure.hidden = false;
      },
    });
    void readLatest(app, topic, (data) => {
      if (latest === null) hear(data);
    });
  };
  const hide = () => {
    off?.();
    off = null;
  };
  const title = h("h4", { class: "mono", "data-test": "topic-name" });
  setName(title, topic);
  const element = section(
    "Topic",
    title,
    facts(
      ["Type", values.type],
      ["Rate", values.rate],
      ["Messages", values.counts],
      ["Latest", values.stamp],
    ),
    gone,
    failure,
    docked,
    picture,
    tree,
    publishForm(app, topic, () => latest?.message ?? null),
  );
  update();
  show();
  return { topic, element, update, show, hide, end: hide };
}

/** Reads the message from before the subscription. */
async function readLatest(app: App, topic: string, take: (data: TopicMessage) => void): Promise<void> {
  try {
    const { json, type, stamp, sequence } = await app.http.call<{
      json: string;
      type: string;
      stamp: { sec: number; nanosec: number };
      sequence: number;
    }>("read_topic", { topic });
    if (json === "") return;
    const message = JSON.parse(json) as Record<string, unknown>;
    take({ type, message, sequence, step: 0, stamp_ns: stamp.sec * 1e9 + stamp.nanosec });
  } catch {
    // There is no message yet.
  }
}
