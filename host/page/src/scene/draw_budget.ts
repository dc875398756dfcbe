// How often moving things are drawn on a machine whose renderer is slow: one without a GPU draws with all its cores, which
// the simulation needs.
//
// A value without a clock: the caller passes the times, in milliseconds.

/** A drawing that takes less is one of a GPU: its cost is not noticed. */
const FREE_MS = 40;
/** Rest after a slow drawing, in durations of that drawing. */
const REST = 1;

export class DrawBudget {
  private begunAt: number | null = null;
  private restsUntil = 0;

  /** A drawing was given to the renderer. */
  begin(now: number): void {
    this.begunAt = now;
  }

  /** The renderer has finished. */
  end(now: number): void {
    if (this.begunAt === null) return;
    const duration = now - this.begunAt;
    this.begunAt = null;
    this.restsUntil = duration < FREE_MS ? now : now + REST * duration;
  }

  isDrawing(): boolean {
    return this.begunAt !== null;
  }

  /** Returns true if what moves by itself may be drawn again. */
  allows(now: number): boolean {
    return this.begunAt === null && now >= this.restsUntil;
  }
}
