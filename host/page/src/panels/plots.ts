// Plots of fields over simulated time, below the view.

import uPlot from "uplot";
import type { Http } from "../api/http.ts";
import type { Socket } from "../api/socket.ts";
import type { TopicMessage } from "../api/types.ts";
import type { Host } from "../state/host.ts";
import type { Off } from "../state/signal.ts";
import { Button } from "../ui/controls.ts";
import { h } from "../ui/dom.ts";
import { number } from "../ui/format.ts";
import { valueAt } from "./message_tree.ts";
import { Series, WINDOW_SECONDS } from "./series.ts";

const HEIGHT = 150;
const DRAW_PERIOD_MS = 100;
const COLORS = ["#3b82d6", "#d9822b", "#3f9b57", "#c44d58", "#8a63c9", "#2ba6a0"];

export class Plots {
  readonly element = h("div", { class: "plots", role: "region", "aria-label": "Plots", hidden: true });
  private readonly plots: Plot[] = [];
  /** New fields are added to this one. */
  private target: Plot | null = null;
  private drawnAt = 0;
  private readonly clock: Clock;

  constructor(
    private readonly socket: Socket,
    host: Host,
    http: Http,
  ) {
    this.clock = clockOf(host, http);
    // A new run begins with an empty plot.
    host.run.listen(() => {
      for (const plot of this.plots) plot.clear();
    });
    new MutationObserver(() => {
      for (const plot of this.plots) plot.rebuild();
    }).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const loop = (now: number) => {
      requestAnimationFrame(loop);
      if (now - this.drawnAt < DRAW_PERIOD_MS) return;
      this.drawnAt = now;
      for (const plot of this.plots) plot.draw();
    };
    requestAnimationFrame(loop);
  }

  /** Plots a field of a topic, from its latest message on: in a pause no other one comes. */
  add(topic: string, path: string, latest: TopicMessage | null = null): void {
    const plot = this.target ?? this.create();
    plot.add(topic, path, latest);
  }

  /** Times and values of a field, for tests. */
  data(topic: string, path: string): [number[], number[]] | null {
    for (const plot of this.plots) {
      const series = plot.find(topic, path);
      if (series) return [Array.from(series.data()[0]), Array.from(series.data()[1])];
    }
    return null;
  }

  private create(): Plot {
    const plot: Plot = new Plot(this.socket, this.clock, {
      close: () => this.remove(plot),
      toggleTarget: () => this.setTarget(this.target === plot ? null : plot),
    });
    this.plots.push(plot);
    this.element.append(plot.element);
    this.element.hidden = false;
    return plot;
  }

  private remove(plot: Plot): void {
    plot.end();
    this.plots.splice(this.plots.indexOf(plot), 1);
    if (this.target === plot) this.setTarget(null);
    this.element.hidden = this.plots.length === 0;
  }

  private setTarget(target: Plot | null): void {
    this.target = target;
    for (const plot of this.plots) plot.markTarget(plot === target);
  }
}

/** The time that plots mark. */
interface Clock {
  /** Simulated seconds; not a number before the first status. */
  now(): number;
  /** Begin and end of a recording, seconds; null for a run. */
  limits(): [number, number] | null;
  /** Moves a recording; does nothing to a run. */
  seek(seconds: number): void;
}

function clockOf(host: Host, http: Http): Clock {
  return {
    now: () => (host.lastSeen.get()?.status.time_ns ?? Number.NaN) / 1e9,
    limits: () => {
      const recording = host.recording.get();
      return recording && [recording.begin_ns / 1e9, recording.end_ns / 1e9];
    },
    seek: (seconds) => {
      if (!host.recording.get()) return;
      void http.call("seek", { time_ns: Math.round(seconds * 1e9) }).catch(() => undefined);
    },
  };
}

class Plot {
  readonly element: HTMLElement;
  private readonly area = h("div", { class: "chart" });
  private readonly title = h("span", { class: "mono" });
  private readonly series: Series[] = [];
  private readonly offs: Off[] = [];
  private readonly target: Button;
  private chart: uPlot | null = null;
  private isChanged = false;
  /** Time of the mark that is drawn. */
  private markedAt = Number.NaN;
  private readonly observer = new ResizeObserver(() => this.fit());

  constructor(
    private readonly socket: Socket,
    private readonly clock: Clock,
    actions: { close(): void; toggleTarget(): void },
  ) {
    this.target = new Button(
      { label: "Add here", kind: "quiet", title: "Add the next fields to this plot" },
      actions.toggleTarget,
    );
    const close = new Button(
      { label: "Close the plot", icon: "close", kind: "quiet", isIconOnly: true },
      actions.close,
    );
    this.element = h(
      "figure",
      { class: "plot-card", "data-test": "plot" },
      h("figcaption", {}, this.title, this.target.element, close.element),
      this.area,
    );
    this.observer.observe(this.area);
    // In a recording, a click moves to that time.
    this.area.addEventListener("click", () => {
      const { chart } = this;
      const left = chart?.cursor.left ?? -1;
      if (chart && left >= 0) this.clock.seek(chart.posToVal(left, "x"));
    });
  }

  add(topic: string, path: string, latest: TopicMessage | null): void {
    if (this.find(topic, path)) return;
    const series = new Series(topic, path);
    this.series.push(series);
    const event = (data: unknown) => {
      const { message, stamp_ns, sequence } = data as TopicMessage;
      if (data !== latest && sequence === latest?.sequence && stamp_ns === latest.stamp_ns) return;
      const value = valueAt(message, path);
      if (value === undefined) return;
      series.push(stamp_ns / 1e9, value);
      this.isChanged = true;
    };
    if (latest) event(latest);
    this.offs.push(this.socket.subscribe(`topic:${topic}`, { event }));
    this.title.textContent = [...new Set(this.series.map((one) => one.topic))].join(", ");
    this.rebuild();
  }

  find(topic: string, path: string): Series | undefined {
    return this.series.find((series) => series.topic === topic && series.path === path);
  }

  clear(): void {
    for (const series of this.series) series.clear();
    this.isChanged = true;
  }

  markTarget(isTarget: boolean): void {
    this.target.element.setAttribute("aria-pressed", String(isTarget));
  }

  end(): void {
    for (const off of this.offs) off();
    this.observer.disconnect();
    this.chart?.destroy();
    this.element.remove();
  }

  draw(): void {
    if (!this.chart) return;
    const now = this.clock.now();
    if (!this.isChanged && now === this.markedAt) return;
    this.isChanged = false;
    this.markedAt = now;
    const data = this.joined();
    this.chart.setData(data);
    // Without a pointer over the chart, the legend has the latest values.
    const isPointed = this.chart.cursor.left !== undefined && this.chart.cursor.left >= 0;
    if (!isPointed && data[0].length > 0) this.chart.setLegend({ idx: data[0].length - 1 }, false);
  }

  /** Fields of one topic have the same times; those of several are joined. */
  private joined(): uPlot.AlignedData {
    const tables = this.series.map((series) => series.data());
    const isShared = this.series.every(
      (series, index) =>
        series.topic === this.series[0].topic && tables[index][0].length === tables[0][0].length,
    );
    if (isShared) return [tables[0][0], ...tables.map(([, values]) => values)];
    return uPlot.join(
      tables.map(([times, values]): uPlot.AlignedData => [Array.from(times), Array.from(values)]),
    );
  }

  /** Makes the chart again: it has another field, or other colours. */
  rebuild(): void {
    this.chart?.destroy();
    const style = getComputedStyle(document.documentElement);
    const [text, line] = [style.getPropertyValue("--text-2"), style.getPropertyValue("--line")];
    const axis: uPlot.Axis = {
      stroke: text,
      grid: { stroke: line, width: 1 },
      ticks: { stroke: line, width: 1, size: 4 },
      font: "11px system-ui, sans-serif",
    };
    const options: uPlot.Options = {
      width: Math.max(200, this.area.clientWidth),
      height: HEIGHT,
      // The pointer over one plot shows the values of that time in all.
      cursor: {
        y: false,
        sync: { key: "time" },
        dataIdx: (chart, index, closest, time) => {
          if (index === 0) return closest;
          const near = chart.posToVal(NEAR_PIXELS, "x") - chart.posToVal(0, "x");
          return indexAt(chart.data[0], chart.data[index], closest, time + near);
        },
      },
      hooks: { draw: [(chart) => this.mark(chart)] },
      scales: {
        x: { time: false, range: () => this.range() },
        y: { range: (_chart, least, most) => padded(least, most) },
      },
      axes: [
        {
          ...axis,
          size: 26,
          values: (_chart, splits) => splits.map((split) => `${Number(split.toFixed(3))} s`),
        },
        {
          ...axis,
          size: 62,
          values: (_chart, splits) => splits.map((split) => shortNumber(split)),
        },
      ],
      series: [
        { label: "time, s", value: (_chart, value) => (typeof value === "number" ? value.toFixed(3) : "–") },
        ...this.series.map(
          (series, index): uPlot.Series => ({
            label: series.path,
            stroke: COLORS[index % COLORS.length],
            width: 1.5,
            spanGaps: true,
            // A line through one value is not visible.
            points: { show: () => series.length() === 1, size: 6 },
            value: (_chart, value) => (typeof value === "number" ? number(value) : "–"),
          }),
        ),
      ],
    };
    this.chart = new uPlot(options, this.joined(), this.area);
    // The next drawing fills in the legend.
    this.isChanged = true;
  }

  /** Draws a line at the present time. */
  private mark(chart: uPlot): void {
    const at = chart.valToPos(this.clock.now(), "x", true);
    const { left, top, width, height } = chart.bbox;
    if (!(at >= left && at <= left + width)) return;
    const { ctx } = chart;
    ctx.save();
    ctx.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--accent");
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(at, top);
    ctx.lineTo(at, top + height);
    ctx.stroke();
    ctx.restore();
  }

  /** A short recording as a whole, or else the last minute. */
  private range(): [number, number] {
    const limits = this.clock.limits();
    if (limits && limits[1] > limits[0] && limits[1] - limits[0] <= WINDOW_SECONDS) return limits;
    const times = this.series.map((series) => series.lastTime()).filter(Number.isFinite);
    // Before the first value, the axis has the present time.
    const last = times.length > 0 ? Math.max(...times) : this.clock.now() || 0;
    const first = Math.min(...this.series.map((series) => series.data()[0][0] ?? last));
    const from = Math.max(first, last - WINDOW_SECONDS);
    return last - from < 1 ? [last - 1, last] : [from, last];
  }

  private fit(): void {
    const width = Math.floor(this.area.clientWidth);
    if (this.chart && width > 50 && width !== this.chart.width) this.chart.setSize({ width, height: HEIGHT });
  }
}

/** A pointer that is this near to the first value of a curve is not before it. */
const NEAR_PIXELS = 4;

/** Returns the index of the latest value of a curve at a time; null before its first one. `closest` is the index of the
    nearest time, at which another curve may have its value. */
export function indexAt(
  times: ArrayLike<number>,
  values: ArrayLike<number | null | undefined>,
  closest: number,
  time: number,
): number | null {
  for (let index = closest; index >= 0; index -= 1) {
    if (typeof values[index] !== "number") continue;
    // The nearest time may be later than the pointer.
    return index < closest || times[index] <= time || hasEarlier(values, index) ? index : null;
  }
  return null;
}

function hasEarlier(values: ArrayLike<number | null | undefined>, index: number): boolean {
  for (let before = index - 1; before >= 0; before -= 1) if (typeof values[before] === "number") return true;
  return false;
}

const ROUNDING = 1e-9;

/** Limits of an axis with room above and below; a constant has some too. */
export function padded(least: number | null, most: number | null): [number, number] {
  if (least === null || most === null || !Number.isFinite(least + most)) return [-1, 1];
  // What is left of a sum of rounded numbers is 0 to a reader.
  if (Math.max(Math.abs(least), Math.abs(most)) < ROUNDING) return [-1, 1];
  const span = Math.max(most - least, 0.02 * Math.max(Math.abs(least), Math.abs(most)), 1e-6);
  const middle = (least + most) / 2;
  return [middle - 0.6 * span, middle + 0.6 * span];
}

/** A number for an axis: few digits, because neighbours differ in them. */
export function shortNumber(value: number): string {
  const rounded = Number(value.toPrecision(5));
  const size = Math.abs(rounded);
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? rounded.toExponential(1) : String(rounded);
}
