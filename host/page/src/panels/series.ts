// The values of one field over the last minute of simulated time.

export const WINDOW_SECONDS = 60;

export class Series {
  private times = new Float64Array(1024);
  private values = new Float64Array(1024);
  private from = 0;
  private to = 0;

  constructor(
    readonly topic: string,
    readonly path: string,
  ) {}

  /** Adds a value. If time runs backwards, the values from before are dropped. */
  push(time: number, value: number): void {
    if (this.to > this.from && time < this.times[this.to - 1]) this.clear();
    if (this.to === this.times.length) this.makeRoom();
    this.times[this.to] = time;
    this.values[this.to] = value;
    this.to += 1;
    while (this.times[this.from] < time - WINDOW_SECONDS) this.from += 1;
  }

  clear(): void {
    this.from = 0;
    this.to = 0;
  }

  length(): number {
    return this.to - this.from;
  }

  lastTime(): number {
    return this.to > this.from ? this.times[this.to - 1] : Number.NaN;
  }

  /** Times and values; valid until the next value is added. */
  data(): [Float64Array, Float64Array] {
    return [this.times.subarray(this.from, this.to), this.values.subarray(this.from, this.to)];
  }

  private makeRoom(): void {
    const [times, values] = this.data();
    const isHalfFree = this.from > this.times.length / 2;
    const size = isHalfFree ? this.times.length : this.times.length * 2;
    const [nextTimes, nextValues] = [new Float64Array(size), new Float64Array(size)];
    nextTimes.set(times);
    nextValues.set(values);
    this.to -= this.from;
    this.from = 0;
    this.times = nextTimes;
    this.values = nextValues;
  }
}
