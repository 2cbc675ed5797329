export interface BreakerSettings {
  /** So many failed calls within the window open it, 0: nothing does. */
  readonly failures: number;
  /** And so many of a hundred that said anything. */
  readonly percent: number;
  readonly windowMs: number;
  /** Open for so long; then one call may try. */
  readonly openMs: number;
}

export const defaultBreakerSettings: BreakerSettings = {
  failures: 20,
  percent: 50,
  windowMs: 30_000,
  openMs: 10_000,
};

export type BreakerState = 'Closed' | 'Open' | 'HalfOpen';

/** What a call told of the other side. `EmptyMessage`: it ended before it got there, as with a terminal whose battery is low. */
export type CallEvidence = 'Answered' | 'Failed' | 'Nothing';

/** Leave for one call. Only the first `commitDue` counts. */
export interface BreakerPass {
  settle(evidence: CallEvidence): void;
}

interface Slot {
  number: number;
  answered: number;
  failed: number;
}

/** The window moves by one of these at a time. */
const SLOTS = 10;

/**
 * Keeps new calls from somebody who does not answer. It neither calls nor repeats anything: whoever has a pass calls
 * once. Why not a library's: `docs/spec/service.md#circuit-breaker`.
 */
export class CircuitBreaker {
  private readonly slots: Slot[] = Array.from({ length: SLOTS }, () => ({
    number: -1,
    answered: 0,
    failed: 0,
  }));
  /** Since when it is open or half-open; undefined: closed. */
  private openedAt: number | undefined;
  /** Of the last call that was let through to try; undefined: nobody tries. */
  private triedAt: number | undefined;
  /** What began before the last change of mind tells nothing of the time after it. */
  private age = 0;

  constructor(
    private readonly settings: BreakerSettings,
    /** Ms, never set back. */
    private readonly now: () => number = () => performance.now(),
    /** Told when it opens, each time, and when it closes. */
    private readonly changed: (state: BreakerState) => void = () => undefined,
  ) {}

  get state(): BreakerState {
    if (this.openedAt === undefined) return 'Closed';
    return this.mayTry(this.openedAt) || this.triedAt !== undefined ? 'HalfOpen' : 'Open';
  }

  /** Undefined: not now. */
  tryEnter(): BreakerPass | undefined {
    const isTrial = this.openedAt !== undefined;
    if (this.openedAt !== undefined) {
      if (!this.mayTry(this.openedAt)) return undefined;
      this.triedAt = this.now();
    }
    const { age } = this;
    let settled = false;
    return {
      settle: (evidence) => {
        if (settled) return;
        settled = true;
        if (age !== this.age) return;
        if (isTrial) this.tried(evidence);
        else this.count(evidence);
      },
    };
  }

  /** One at a time; where that one takes long (a customer at a terminal), another. */
  private mayTry(openedAt: number): boolean {
    return this.now() >= (this.triedAt ?? openedAt) + this.settings.openMs;
  }

  private tried(evidence: CallEvidence): void {
    switch (evidence) {
      case 'Answered':
        this.openedAt = undefined;
        this.triedAt = undefined;
        this.age += 1;
        for (const slot of this.slots) slot.number = -1;
        this.changed('Closed');
        return;
      case 'Failed':
        this.open();
        return;
      case 'Nothing':
        // Its turn told nothing: the next may try at once.
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
    let [failed, all] = [0, 0];
    for (const one of this.slots) {
      if (one.number <= number - SLOTS || one.number > number) continue;
      failed += one.failed;
      all += one.failed + one.answered;
    }
    if (failed >= failures && failed * 100 >= all * percent) this.open();
  }

  private slot(number: number): Slot {
    const slot = this.slots[number % SLOTS] as Slot;
    if (slot.number !== number) Object.assign(slot, { number, answered: 0, failed: 0 });
    return slot;
  }

  private open(): void {
    this.openedAt = this.now();
    this.triedAt = undefined;
    this.age += 1;
    this.changed('Open');
  }
}
