// Topics: the list with rates, the chosen topic, and driving.

import type { App, Panel } from "../app.ts";
import type { TopicInfo } from "../api/types.ts";
import type { Off } from "../state/signal.ts";
import { empty, section, table, textInput } from "../ui/controls.ts";
import { fill, h, setText } from "../ui/dom.ts";
import { count, rate } from "../ui/format.ts";
import { Rows } from "../ui/rows.ts";
import { driveSection } from "./drive.ts";
import { type TopicDetail, topicDetail } from "./topic_detail.ts";

export function topicsPanel(app: App): Panel {
  const filter = textInput({
    placeholder: "Filter by name or type",
    label: "Filter of topics",
    id: "topic-filter",
  });
  const { element, body } = table("Topics", [
    "Topic",
    { title: "Rate, Hz", isNumber: true },
    { title: "Messages", isNumber: true },
    { title: "Dropped", isNumber: true },
  ]);
  const none = empty("No topic.");
  const area = h("div", {});
  let detail: TopicDetail | null = null;
  const choose = (topic: string | null) => {
    const next = topic !== null && detail?.topic !== topic ? topic : null;
    detail?.end();
    detail = next === null ? null : topicDetail(app, next);
    fill(area, detail?.element);
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
    (info) => topicRow(info, choose),
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
  window.addEventListener("topic", (event) => {
    const topic = (event as CustomEvent<string>).detail;
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
  const list = section("Topics", filter, h("div", { class: "scroll topics" }, element), none);
  return { id: "topics", title: "Topics", element: h("div", {}, list, area, drive), show, hide };
}

function topicRow(
  info: TopicInfo,
  choose: (topic: string) => void,
): { element: Element; update(info: TopicInfo): void } {
  const cells = [0, 1, 2].map(() => h("td", { class: "number" }));
  const button = h(
    "button",
    { type: "button", class: "entry plain", title: info.type, on: { click: () => choose(info.topic) } },
    info.topic,
  );
  const element = h(
    "tr",
    { class: "choice", "data-topic": info.topic },
    h("td", { class: "clip" }, button),
    ...cells,
  );
  const update = (next: TopicInfo) => {
    setText(cells[0], rate(next.rate));
    setText(cells[1], count(next.published));
    setText(cells[2], count(next.dropped));
  };
  return { element, update };
}
