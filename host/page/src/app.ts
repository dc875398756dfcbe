// The parts of the page that its panels share.

import type { Catalogue } from "./api/catalogue.ts";
import type { Http } from "./api/http.ts";
import type { Types } from "./api/schema.ts";
import type { Socket } from "./api/socket.ts";
import type { PoseStream } from "./poses/stream.ts";
import type { View } from "./scene/view.ts";
import type { Host } from "./state/host.ts";
import type { Notices } from "./state/notices.ts";
import type { Drive } from "./panels/driving.ts";
import type { Images } from "./panels/images.ts";
import type { Plots } from "./panels/plots.ts";
import type { TopicList } from "./state/topics.ts";

export interface App {
  http: Http;
  socket: Socket;
  types: Types;
  catalogue: Catalogue;
  host: Host;
  notices: Notices;
  topics: TopicList;
  plots: Plots;
  images: Images;
  drive: Drive;
  /** Null without WebGL. */
  view: View | null;
  poses: PoseStream | null;
}

/** A panel of the dock. */
export interface Panel {
  id: string;
  title: string;
  element: HTMLElement;
  /** A recording has nothing for it. */
  isOfRun?: boolean;
  /** It is visible from now on. */
  show(): void;
  hide(): void;
}
