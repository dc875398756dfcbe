// What the parts of the page subscribe to, and what is subscribed at the host: one subscription for each subject, at the
// highest rate that a part needs.

/** A consumer of a subject. */
export interface Consumer {
  /** Largest number of events per second; absent for every event. */
  rate?: number;
  event?(data: unknown, epoch: number, lost: number): void;
  /** For subjects with binary frames. */
  binary?(frame: ArrayBuffer): void;
  refused?(code: string, message: string): void;
}

/** A change that the host must be told. */
export type Order = { op: "subscribe"; what: string; rate?: number } | { op: "unsubscribe"; what: string };

/** Returns the rate that satisfies all; undefined for every event. */
export function commonRate(consumers: Iterable<Consumer>): number | undefined {
  let highest = 0;
  for (const { rate } of consumers) {
    if (rate === undefined) return undefined;
    highest = Math.max(highest, rate);
  }
  return highest;
}

export class Subscriptions {
  private readonly wanted = new Map<string, Set<Consumer>>();
  private readonly sent = new Map<string, number | undefined>();

  add(what: string, consumer: Consumer): void {
    const consumers = this.wanted.get(what) ?? new Set();
    consumers.add(consumer);
    this.wanted.set(what, consumers);
  }

  remove(what: string, consumer: Consumer): void {
    const consumers = this.wanted.get(what);
    consumers?.delete(consumer);
    if (consumers?.size === 0) this.wanted.delete(what);
  }

  consumers(what: string): Consumer[] {
    return [...(this.wanted.get(what) ?? [])];
  }

  /** The connection is new: nothing is subscribed. */
  forget(): void {
    this.sent.clear();
  }

  /** Returns the orders that make the host's subscriptions the wanted ones, and notes them as sent. */
  orders(): Order[] {
    const orders: Order[] = [];
    for (const what of [...this.sent.keys()]) {
      if (this.wanted.has(what)) continue;
      this.sent.delete(what);
      orders.push({ op: "unsubscribe", what });
    }
    for (const [what, consumers] of this.wanted) {
      const rate = commonRate(consumers);
      if (this.sent.has(what) && this.sent.get(what) === rate) continue;
      this.sent.set(what, rate);
      orders.push(rate === undefined ? { op: "subscribe", what } : { op: "subscribe", what, rate });
    }
    return orders;
  }

  /** True if messages of a topic are wanted. */
  hasTopics(): boolean {
    return [...this.wanted.keys()].some((what) => what.startsWith("topic:"));
  }

  count(): number {
    return this.wanted.size;
  }
}
