// Topics: the list with rates, the chosen topic, and driving.

import type { App, Panel } from "../app.ts";
import type { TopicInfo } from "../api/types.ts";
import type { Off } from "../state/signal.ts";
import { empty, section, table, textInput } from "../ui/controls.ts";
import { append, fill, h, setName, setText } from "../ui/dom.ts";
import { count } from "../ui/format.ts";
import { Rows } from "../ui/rows.ts";
import { driveSection } from "./drive.ts";
import { onTopicLink } from "./open_topic.ts";
import { type TopicDetail, topicDetail } from "./topic_detail.ts";
import { showRate } from "./topic_rate.ts";

export function topicsPanel(app: App): Panel {
  const filter = textInput({
    placeholder: "Filter by name or type",
    label: "Filter of topics",
    id: "topic-filter",
  });
  const { element, body } = table("Topics", [
    "Topic",
    { title: "Rate", isNumber: true },
    { title: "Messages", isNumber: true },
  ]);
  const none = empty("No topic.");
  const area = h("div", {});
  const scroll = h("div", { class: "scroll topics" }, element);
  let detail: TopicDetail | null = null;
  const choose = (topic: string | null) => {
    const next = topic !== null && detail?.topic !== topic ? topic : null;
    detail?.end();
    detail = next === null ? null : topicDetail(app, next);
    fill(area, detail?.element);
    // Without a chosen topic, the list has the whole height.
    scroll.classList.toggle("beside-detail", detail !== null);
    mark();
  };
  const mark = () => {
    for (const row of body.querySelectorAll<HTMLElement>("[data-topic]")) {
      row.setAttribute("aria-selected", String(row.dataset.topic === detail?.topic));
    }
  };
  const rows = new Rows<TopicInfo>(
    body,
    ({ topic }) => topic,
    (info) => topicRow(app, info, choose),
  );
  const draw = () => {
    const wanted = filter.value.toLowerCase();
    const all = app.topics.all
      .get()
      .filter(({ topic, type }) => `${topic} ${type}`.toLowerCase().includes(wanted));
    rows.set(all);
    none.hidden = all.length > 0;
    detail?.update();
    mark();
  };
  filter.addEventListener("input", draw);
  app.topics.all.watch(draw);
  // Another world has other topics.
  let world = app.host.status.get()?.world;
  app.host.status.listen((status) => {
    if (!status || status.world === world) return;
    if (world !== undefined) choose(null);
    world = status.world;
  });
  onTopicLink((topic) => {
    if (detail?.topic !== topic) choose(topic);
  });
  let off: Off | null = null;
  const drive = driveSection(app);
  const show = () => {
    off = app.topics.use();
    detail?.show();
  };
  const hide = () => {
    off?.();
    detail?.hide();
  };
  const list = section("Topics", filter, scroll, none);
  return { id: "topics", title: "Topics", element: h("div", {}, drive, list, area), show, hide };
}

function topicRow(
  app: App,
  info: TopicInfo,
  choose: (topic: string) => void,
): { element: Element; update(info: TopicInfo): void } {
  const name = h("button", {
    type: "button",
    class: "entry plain",
    title: `${info.topic}, ${info.type}`,
    on: { click: () => choose(info.topic) },
  });
  setName(name, info.topic);
  const speed = h("td", { class: "number" });
  const messages = h("td", { class: "number" });
  const dropped = h("div", { class: "failure" });
  const total = h("div", {});
  append(messages, total, dropped);
  const element = h("tr", { class: "choice", "data-topic": info.topic }, h("td", {}, name), speed, messages);
  const update = (next: TopicInfo) => {
    showRate(app.host, speed, next, true);
    setText(total, count(next.published));
    setText(dropped, next.dropped > 0 ? `${count(next.dropped)} dropped` : "");
  };
  return { element, update };
}
