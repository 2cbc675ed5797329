export interface BreakerSettings {
  /** Failed calls within the window that open the breaker. 0: it never opens. */
  readonly failures: number;
  /** The failed calls must also be at least this share of the calls that gave evidence, 0 to 100. */
  readonly percent: number;
  readonly windowMs: number;
  /** The breaker stays open for this time. Then it admits one trial call. */
  readonly openMs: number;
}

export const defaultBreakerSettings: BreakerSettings = {
  failures: 20,
  percent: 50,
  windowMs: 30_000,
  openMs: 10_000,
};

export type BreakerState = 'Closed' | 'Open' | 'HalfOpen';

/** What a call shows about the processor. `Nothing`: the call ended before it reached the processor. */
export type CallEvidence = 'Answered' | 'Failed' | 'Nothing';

/** Permission for one call. */
export interface BreakerPass {
  /** Only the first evidence counts. */
  settle(evidence: CallEvidence): void;
}

interface Slot {
  number: number;
  answered: number;
  failed: number;
}

/** The window advances by one slot at a time. */
const SLOTS = 10;

/**
 * Refuses new calls to a processor that fails. It makes no call itself: a caller that gets a pass calls once.
 * Own code, because a call that shows nothing must not end the trial (`docs/spec/service.md#circuit-breaker`).
 */
export class CircuitBreaker {
  private readonly slots: Slot[] = Array.from({ length: SLOTS }, () => ({
    number: -1,
    answered: 0,
    failed: 0,
  }));
  /** Undefined while the breaker is closed. */
  private openedAt: number | undefined;
  /** The start of the last trial call; undefined: no trial call has started. */
  private triedAt: number | undefined;
  /** Changes with each opening and closing. Evidence of a call that began in an earlier period is discarded. */
  private period = 0;

  constructor(
    private readonly settings: BreakerSettings,
    /** A monotonic clock, ms. */
    private readonly now: () => number = () => performance.now(),
    /** Called each time the breaker opens, and when it closes. */
    private readonly changed: (state: BreakerState) => void = () => undefined,
  ) {}

  get state(): BreakerState {
    if (this.openedAt === undefined) return 'Closed';
    return this.mayTry(this.openedAt) || this.triedAt !== undefined ? 'HalfOpen' : 'Open';
  }

  /** Undefined: the call is refused now. */
  tryEnter(): BreakerPass | undefined {
    const isTrial = this.openedAt !== undefined;
    if (this.openedAt !== undefined) {
      if (!this.mayTry(this.openedAt)) return undefined;
      this.triedAt = this.now();
    }
    const { period } = this;
    let settled = false;
    return {
      settle: (evidence) => {
        if (settled) return;
        settled = true;
        if (period !== this.period) return;
        if (isTrial) this.settleTrial(evidence);
        else this.count(evidence);
      },
    };
  }

  /** One trial call at a time. If it takes longer than `openMs` (a customer at a terminal), another one may start. */
  private mayTry(openedAt: number): boolean {
    return this.now() >= (this.triedAt ?? openedAt) + this.settings.openMs;
  }

  private settleTrial(evidence: CallEvidence): void {
    switch (evidence) {
      case 'Answered':
        this.openedAt = undefined;
        this.triedAt = undefined;
        this.period += 1;
        for (const slot of this.slots) slot.number = -1;
        this.changed('Closed');
        return;
      case 'Failed':
        this.open();
        return;
      case 'Nothing':
        // The next trial call may start at once.
        this.triedAt = this.now() - this.settings.openMs;
    }
  }

  private count(evidence: CallEvidence): void {
    const { failures, percent, windowMs } = this.settings;
    if (evidence === 'Nothing' || failures === 0) return;
    const number = Math.floor(this.now() / (windowMs / SLOTS));
    const slot = this.slot(number);
    if (evidence === 'Answered') {
      slot.answered += 1;
      return;
    }
    slot.failed += 1;
    const current = this.slots.filter((each) => each.number > number - SLOTS && each.number <= number);
    const failed = current.reduce((sum, each) => sum + each.failed, 0);
    const answered = current.reduce((sum, each) => sum + each.answered, 0);
    if (failed >= failures && failed * 100 >= (failed + answered) * percent) this.open();
  }

  private slot(number: number): Slot {
    const slot = this.slots[number % SLOTS] as Slot;
    if (slot.number !== number) Object.assign(slot, { number, answered: 0, failed: 0 });
    return slot;
  }

  private open(): void {
    this.openedAt = this.now();
    this.triedAt = undefined;
    this.period += 1;
    this.changed('Open');
  }
}
