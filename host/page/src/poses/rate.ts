// Chooses the rate of the pose stream: as fast as the screen, less if the link or this machine does not keep up.
//
// A value without a clock: the caller passes what happened in each period.

export const RATES = [60, 30, 15, 8, 4, 2] as const;

/** Level of the lowest rate for machines that draw slowly. */
const SLOWEST_FOR_DRAWING = 2;

/** Calm periods before a higher rate is tried; doubled after each attempt that failed. */
const PATIENCE = 4;
const LONGEST_PATIENCE = 64;

export interface Period {
  received: number;
  /** Frames that the host skipped because this page was too slow. */
  lost: number;
  /** Frames that were drawn. */
  drawn: number;
  seconds: number;
}

export class RateControl {
  private level = 0;
  private calm = 0;
  private patience = PATIENCE;
  private hasJustRisen = false;

  rate(): number {
    return RATES[this.level];
  }

  /** Takes the counts of a period; returns true if the rate is another one now. */
  after(period: Period): boolean {
    if (isLinkSlow(period)) return this.lower(RATES.length - 1);
    if (isDrawingSlow(period)) return this.lower(SLOWEST_FOR_DRAWING);
    this.calm += 1;
    if (this.calm < this.patience || this.level === 0) return false;
    this.calm = 0;
    this.level -= 1;
    this.hasJustRisen = true;
    return true;
  }

  /** Lowers the rate, but not below a level. */
  private lower(lowest: number): boolean {
    this.patience = this.hasJustRisen ? Math.min(LONGEST_PATIENCE, this.patience * 2) : this.patience;
    this.hasJustRisen = false;
    this.calm = 0;
    if (this.level >= lowest) return false;
    this.level += 1;
    return true;
  }
}

/** More than a tenth of the frames was skipped. */
function isLinkSlow({ received, lost }: Period): boolean {
  return lost > 0.1 * (received + lost);
}

/** Less than half of what came was drawn, and drawing is slow. */
function isDrawingSlow({ received, drawn, seconds }: Period): boolean {
  return received > 4 && drawn < 0.5 * received && drawn / seconds < 20;
}
