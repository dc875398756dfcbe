// Starts the page.

import "uplot/dist/uPlot.min.css";
import "./style/base.css";
import "./style/controls.css";
import "./style/panels.css";
import "./style/narrow.css";

import { Assets } from "./api/asset.ts";
import { Catalogue } from "./api/catalogue.ts";
import { Http } from "./api/http.ts";
import { Types } from "./api/schema.ts";
import { Socket } from "./api/socket.ts";
import type { App } from "./app.ts";
import { Frames } from "./overlays/frames.ts";
import { Overlays } from "./overlays/overlays.ts";
import { diagnosticsPanel } from "./panels/diagnostics.ts";
import { dock } from "./panels/dock.ts";
import { createDrive, driveByKeys } from "./panels/driving.ts";
import { header } from "./panels/header.ts";
import { Images } from "./panels/images.ts";
import { listenToKeys, showKeys } from "./panels/keys.ts";
import { Plots } from "./panels/plots.ts";
import { runPanel } from "./panels/run.ts";
import { askForToken } from "./panels/token.ts";
import { timeline } from "./panels/timeline.ts";
import { noticePauses } from "./panels/trigger_notice.ts";
import { topicsPanel } from "./panels/topics.ts";
import { vehiclesPanel } from "./panels/vehicles.ts";
import { viewArea } from "./panels/view_area.ts";
import { worldPanel } from "./panels/world.ts";
import { PoseStream } from "./poses/stream.ts";
import { View } from "./scene/view.ts";
import { Host } from "./state/host.ts";
import { Notices } from "./state/notices.ts";
import { applyTheme, setting, type Theme } from "./state/settings.ts";
import { TopicList } from "./state/topics.ts";
import { Button } from "./ui/controls.ts";
import { append, h } from "./ui/dom.ts";
import { toasts } from "./ui/toasts.ts";

const theme = setting<Theme>("theme", "system");
const hasShadows = setting("shadows", true);

function createView(canvas: HTMLCanvasElement): View | null {
  // For slow machines and for measurements: `?quality=low` draws without shadows and without smooth edges.
  const isLow = new URLSearchParams(location.search).get("quality") === "low";
  try {
    const view = new View(canvas, { hasShadows: hasShadows.get() && !isLow, isSmooth: !isLow });
    if (!isLow) view.hasShadows.listen((isOn) => hasShadows.set(isOn));
    return view;
  } catch {
    return null;
  }
}

function start(page: HTMLElement): void {
  theme.watch(applyTheme);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => applyTheme(theme.get()));

  const http = new Http();
  const socket = new Socket(http);
  const notices = new Notices();
  const catalogue = new Catalogue();
  const host = new Host(http, socket);
  const topics = new TopicList(http, socket);
  const types = new Types(http);
  socket.connections.listen(() => types.forget());
  // The view fits the canvas into its frame.
  const canvas = h("canvas");
  append(h("div", { class: "canvas" }), canvas);
  const view = createView(canvas);
  const assets = new Assets(http);
  const poses = view && new PoseStream(http, socket, view, assets, (text) => notices.error(text));
  const plots = new Plots(socket, host, http);
  const images = new Images(socket, topics);
  const drive = createDrive({ http, socket, notices, topics });
  driveByKeys(drive);
  const app: App = {
    http,
    socket,
    types,
    catalogue,
    host,
    notices,
    topics,
    plots,
    images,
    drive,
    view,
    poses,
  };

  const overlays =
    view && new Overlays({ view, host, http, socket, topics, frames: new Frames(view, host), assets });
  if (view) {
    const dark = () => view.setDark(document.documentElement.dataset.theme === "dark");
    new MutationObserver(dark).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    dark();
    host.description.listen((world) =>
      view.setVehicles([
        ...new Set(world?.elements.map(({ vehicle }) => vehicle).filter((name) => name !== "")),
      ]),
    );
  }
  view?.world.listen((world) => {
    if (world) void host.describe();
    if (world && world.lights.ignored > 0) {
      notices.info(`The scene has more lights than the view draws; ${world.lights.ignored} are left out.`);
    }
  });
  const allowRequests = () => {
    const away = host.ending.seen.get() ? "the host has ended" : "the host does not answer";
    Button.allowRequests(socket.link.get() === "open" ? "" : away);
  };
  socket.link.watch(allowRequests);
  host.ending.seen.listen(allowRequests);
  const panels = [
    worldPanel(app),
    runPanel(app),
    vehiclesPanel(app),
    topicsPanel(app),
    diagnosticsPanel(app),
  ];
  append(
    page,
    header(app, theme, showKeys),
    h(
      "main",
      {},
      h(
        "div",
        { class: "centre" },
        h(
          "div",
          { class: "stage" },
          viewArea(app, canvas, overlays, overlays?.labels ?? h("div", {})),
          images.element,
        ),
        timeline(app),
        plots.element,
      ),
      dock(panels, host.recording),
    ),
    toasts(notices, catalogue),
  );
  // What only a run can do is hidden by the style.
  host.recording.watch((recording) =>
    document.documentElement.toggleAttribute("data-recording", recording !== null),
  );
  listenToKeys(app);
  noticePauses(app);
  askForToken(app);
  void catalogue.load();
  void socket.start();
  // For tests: what is drawn cannot be read from the document.
  Object.assign(window, { bridgehead: app });
}

start(document.getElementById("page")!);
