// The area of the 3-D view: the canvas, its tools, and what it says when it cannot draw.

import type { App } from "../app.ts";
import type { Overlays } from "../overlays/overlays.ts";
import type { View } from "../scene/view.ts";
import { Button, checkbox } from "../ui/controls.ts";
import { menu } from "../ui/dialog.ts";
import { textAfter } from "../state/ending.ts";
import { fill, h, prose, setText } from "../ui/dom.ts";
import { drivePad, hasPad } from "./drive_pad.ts";
import { drivingText } from "./driving.ts";
import { currentMode, leaveMode, type Mode } from "./modes.ts";
import { handleDrags, moving } from "./move.ts";
import { placing } from "./placing.ts";
import { standstill } from "./topic_rate.ts";

/** A press that moves farther than this turns the camera; it is no click. */
const CLICK_PIXELS = 4;

export function viewArea(
  app: App,
  canvas: HTMLCanvasElement,
  overlays: Overlays | null,
  labels: HTMLElement,
): HTMLElement {
  const element = h("div", { class: "view", "data-test": "view" });
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute(
    "aria-label",
    "The world in 3-D. Arrow keys turn the camera, plus and minus change its distance.",
  );
  element.append(canvas.parentElement ?? canvas, labels, banner(app));
  const { view } = app;
  if (!view || !overlays) {
    element.append(
      h(
        "p",
        { class: "notice" },
        "This browser has no WebGL, so the world cannot be drawn. The panels work.",
      ),
    );
    return element;
  }
  element.append(tools(app, view, overlays), hint(app, view), drivePad(app.drive));
  handleDrags(app, view, canvas);
  handleClicks(app, view, canvas);
  return element;
}

function tools(app: App, view: View, overlays: Overlays): HTMLElement {
  const fit = new Button({ label: "Show the whole world", icon: "fit", isIconOnly: true, id: "fit" }, () => {
    view.mount.set({ kind: "free" });
    view.fit();
  });
  const picture = new Button(
    { label: "Save a picture", icon: "camera", isIconOnly: true, id: "picture" },
    () => void savePicture(app, view),
  );
  const shadows = checkbox("Shadows", view.hasShadows.get(), (isOn) => view.setShadows(isOn));
  const lines = checkbox("Grid", view.hasGrid.get(), (isOn) => view.hasGrid.set(isOn));
  view.hasGrid.listen((isOn) => {
    lines.querySelector("input")!.checked = isOn;
  });
  const rows = overlays.all.map((overlay) => {
    const box = checkbox(overlay.title, overlay.isOn.get(), (isOn) => overlay.isOn.set(isOn));
    box.dataset.overlay = overlay.id;
    const input = box.querySelector("input")!;
    overlay.isOn.listen((isOn) => {
      input.checked = isOn;
    });
    overlay.missing.watch((reason) => {
      input.disabled = reason !== "";
      box.title = reason;
      box.classList.toggle("off", reason !== "");
    });
    return box;
  });
  const layers = new Button({ label: "Layers", icon: "layers", id: "layers" }, () => undefined);
  const content = h(
    "div",
    { class: "choices" },
    h("h4", {}, "Overlays"),
    ...rows,
    h("h4", {}, "Picture"),
    lines,
    shadows,
  );
  return h(
    "div",
    { class: "tools", role: "toolbar", "aria-label": "View" },
    fit.element,
    picture.element,
    menu(layers, content, "Layers"),
    moveButton(),
  );
}

/** A recording cannot be changed. */
function moveButton(): HTMLElement {
  const move = new Button(
    {
      label: "Move things",
      icon: "drive",
      isIconOnly: true,
      title: "Drag things along the ground in place of turning the camera; the shift key does it too",
      id: "move",
    },
    () => moving.update((isOn) => !isOn),
  );
  moving.watch((isOn) => move.element.setAttribute("aria-pressed", String(isOn)));
  move.element.classList.add("of-run");
  return move.element;
}

async function savePicture(app: App, view: View): Promise<void> {
  const blob = await view.picture();
  if (!blob) return;
  const link = h("a", {
    href: URL.createObjectURL(blob),
    download: `${app.host.status.get()?.world || "world"}.png`,
  });
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Says what moves the camera, or what the next click does. */
function hint(app: App, view: View): HTMLElement {
  const text = h("span", {});
  const leave = new Button({ label: "Leave", kind: "quiet", id: "leave-mount" }, () => void leaveMode(app));
  const element = h(
    "div",
    { class: "hint-bar", role: "status", hidden: true, "data-test": "hint-bar" },
    text,
    leave.element,
  );
  const draw = () => {
    const mode = currentMode(app);
    element.hidden = mode === null;
    view.canvas.classList.toggle("placing", mode === "placing");
    view.canvas.classList.toggle("moving", mode === "moving");
    if (mode !== null) setText(text, textOf(app, view, mode));
  };
  view.mount.watch(draw);
  placing.listen(draw);
  moving.listen(draw);
  app.drive.topic.listen(draw);
  app.host.status.listen(draw);
  return element;
}

function textOf(app: App, view: View, mode: Mode): string {
  const mount = view.mount.get();
  switch (mode) {
    case "placing":
      return "Click the place where the model is spawned.";
    case "moving":
      return "Drag a thing to move it along the ground.";
    case "driving":
      return drivingText(app.drive.topic.get() ?? "", standstill(app.host), hasPad());
    case "mounted":
      if (mount.kind === "follow") return `The camera follows ${mount.label}.`;
      return mount.kind === "sensor" ? `View of the sensor ${mount.label}.` : "";
  }
}

/** Says that the host is away, or has ended as asked; what is shown is then old. */
function banner(app: App): HTMLElement {
  const element = h("div", { class: "banner", role: "alert", hidden: true, "data-test": "banner" });
  const draw = () => {
    const link = app.socket.link.get();
    const ending = app.host.ending.seen.get();
    element.hidden = link === "open";
    element.classList.toggle("calm", ending !== null);
    const texts = {
      connecting: "Connecting to the host …",
      waiting:
        "The host does not answer. The page connects again as soon as it does; until then it shows the last state in grey.",
      token: "The host requires a token.",
      open: "",
    };
    fill(
      element,
      ...prose(ending ? textAfter(ending, app.host.lastSeen.get()?.status.world ?? "") : texts[link]),
    );
  };
  app.socket.link.watch(draw);
  app.host.ending.seen.listen(draw);
  return element;
}

function handleClicks(app: App, view: View, canvas: HTMLCanvasElement): void {
  let pressed: { x: number; y: number } | null = null;
  canvas.addEventListener("pointerdown", (event) => {
    pressed = event.button === 0 ? { x: event.clientX, y: event.clientY } : null;
  });
  canvas.addEventListener("pointerup", (event) => {
    const start = pressed;
    pressed = null;
    if (!start || Math.hypot(event.clientX - start.x, event.clientY - start.y) > CLICK_PIXELS) return;
    const hit = view.hitAt(event.clientX, event.clientY);
    const place = placing.get();
    if (place) {
      placing.set(null);
      if (hit) place(hit.point.x, hit.point.y, hit.point.z);
      else app.notices.error("There is nothing at this place; click a surface.");
      return;
    }
    const node = hit && hit.node >= 0 ? view.world.get()?.scene.nodes[hit.node] : undefined;
    view.selection.set(node?.entity ?? null);
  });
}
