// A value that tells its subscribers when it changes.

/** Ends a subscription. */
export type Off = () => void;

export class Signal<T> {
  private readonly subscribers = new Set<(value: T) => void>();

  constructor(private value: T) {}

  get(): T {
    return this.value;
  }

  /** Sets the value; subscribers are called if it is another one. */
  set(value: T): void {
    if (Object.is(value, this.value)) return;
    this.value = value;
    for (const subscriber of [...this.subscribers]) subscriber(value);
  }

  update(change: (value: T) => T): void {
    this.set(change(this.value));
  }

  /** Calls the function now and at each change. */
  watch(subscriber: (value: T) => void): Off {
    subscriber(this.value);
    return this.listen(subscriber);
  }

  /** Calls the function at each change. */
  listen(subscriber: (value: T) => void): Off {
    this.subscribers.add(subscriber);
    return () => this.subscribers.delete(subscriber);
  }
}
