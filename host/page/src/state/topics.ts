// The list of topics, for every panel that needs one.

import type { Http } from "../api/http.ts";
import type { Socket } from "../api/socket.ts";
import type { TopicInfo } from "../api/types.ts";
import { Poller } from "./host.ts";
import { type Off, Signal } from "./signal.ts";

const PERIOD_MS = 1000;

export class TopicList {
  readonly all = new Signal<readonly TopicInfo[]>([]);
  private readonly poller: Poller;
  private users = 0;

  constructor(
    private readonly http: Http,
    socket: Socket,
  ) {
    this.poller = new Poller(PERIOD_MS, socket, () => this.refresh());
  }

  /** Keeps the list up to date until the returned function is called. */
  use(): Off {
    this.users += 1;
    if (this.users === 1) this.poller.start();
    let isUsed = true;
    return () => {
      if (!isUsed) return;
      isUsed = false;
      this.users -= 1;
      if (this.users === 0) this.poller.stop();
    };
  }

  async refresh(): Promise<void> {
    this.all.set((await this.http.call<{ topics: TopicInfo[] }>("get_topics")).topics);
  }

  find(topic: string): TopicInfo | undefined {
    return this.all.get().find((info) => info.topic === topic);
  }
}
