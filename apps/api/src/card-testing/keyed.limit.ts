import { LRUCache } from 'lru-cache';
import { RecentCount } from './recent.count.js';

/** How the issuer answered a submission. `Other`: it was not asked, or its answer is not known. */
export type SubmissionOutcome = 'Approved' | 'Declined' | 'Other';

/** The most of one key in ten minutes; 0 is no limit. */
export interface KeyedLimitSettings {
  readonly declines: number;
  /** With any outcome. */
  readonly submissions?: number;
  /** Each approval of the last ten minutes allows one decline more. */
  readonly approvalsRaise?: boolean;
}

/** `InFlight`: the limit would be exceeded if all submissions without an outcome were declined. */
export type RefusalCause = 'Declines' | 'Submissions' | 'InFlight';

export interface Refusal {
  readonly cause: RefusalCause;
  /** The first minute in which the counts allow a submission; absent if that depends on outcomes. */
  readonly until?: number;
}

/** What must be counted for ten minutes at least is counted in the current minute and in the ten before it. */
const COUNTED_MINUTES = 11;
/** What must be counted for ten minutes at most. */
const CREDITED_MINUTES = 10;

class Counts {
  readonly submitted = new RecentCount(COUNTED_MINUTES);
  readonly inFlight = new RecentCount(COUNTED_MINUTES);
  readonly declined = new RecentCount(COUNTED_MINUTES);
  readonly approved = new RecentCount(CREDITED_MINUTES);
}

/**
 * A limit for each key: an address, a BIN, a merchant. A submission in flight counts as declined until its outcome is
 * recorded, so that parallel submissions can't exceed the limit together. One whose outcome is never recorded counts for ten
 * minutes.
 *
 * At most `keysMax` keys are remembered, one or two kilobytes each. When there are more, the key that was used longest ago is
 * forgotten and begins with zero.
 */
export class KeyedLimit {
  private readonly counts: LRUCache<string, Counts>;

  constructor(
    private readonly allowed: KeyedLimitSettings,
    keysMax: number,
  ) {
    this.counts = new LRUCache({ max: keysMax });
  }

  /** Undefined: a submission is allowed. */
  refusal(key: string, minute: number): Refusal | undefined {
    const counts = this.counts.get(key);
    if (!counts) return undefined;
    const { submissions = 0 } = this.allowed;
    if (submissions > 0 && counts.submitted.total(minute) >= submissions)
      return { cause: 'Submissions', until: counts.submitted.minuteBelow(submissions, minute) };
    return this.declinesRefusal(counts, minute);
  }

  private declinesRefusal({ declined, inFlight, approved }: Counts, minute: number): Refusal | undefined {
    const { declines, approvalsRaise = false } = this.allowed;
    if (declines === 0) return undefined;
    const limit = declines + (approvalsRaise ? approved.total(minute) : 0);
    const count = declined.total(minute);
    if (count >= limit) return { cause: 'Declines', until: declined.minuteBelow(limit, minute) };
    if (count + inFlight.total(minute) >= limit) return { cause: 'InFlight' };
    return undefined;
  }

  /** Counts a submission that begins now. */
  reserve(key: string, minute: number): void {
    const counts = this.counts.get(key) ?? new Counts();
    counts.submitted.add(minute);
    counts.inFlight.add(minute);
    this.counts.set(key, counts);
  }

  /** @param submission `reserved`: the minute of its `reserve` */
  record(
    key: string,
    { outcome, reserved }: { readonly outcome: SubmissionOutcome; readonly reserved: number },
    minute: number,
  ): void {
    this.counts.get(key)?.inFlight.remove(reserved);
    this.count(key, outcome, minute);
  }

  /** Counts the outcome of a submission that is recorded already, as `Other`. */
  count(key: string, outcome: SubmissionOutcome, minute: number): void {
    const counts = this.counts.get(key) ?? new Counts();
    if (outcome === 'Declined') counts.declined.add(minute);
    if (outcome === 'Approved') counts.approved.add(minute);
    this.counts.set(key, counts);
  }
}
