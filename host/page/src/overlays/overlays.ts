// All overlays, in the order of the menu.

import { MarkersOverlay } from "./markers.ts";
import { ContactsOverlay, LidarOverlay } from "./measured.ts";
import { NamesOverlay } from "./names.ts";
import type { Context, Overlay } from "./overlay.ts";
import { CollisionsOverlay } from "./collisions.ts";
import { FramesOverlay, JointsOverlay, PathsOverlay } from "./simple.ts";

export class Overlays {
  readonly all: readonly Overlay[];
  /** The texts of the page over the picture. */
  readonly labels: HTMLElement;

  constructor(context: Context) {
    const names = new NamesOverlay(context);
    this.labels = names.element;
    this.all = [
      names,
      new FramesOverlay(context),
      new JointsOverlay(context),
      new CollisionsOverlay(context),
      new ContactsOverlay(context),
      new LidarOverlay(context),
      new PathsOverlay(context),
      new MarkersOverlay(context),
    ];
    for (const overlay of this.all) overlay.begin();
  }
}
