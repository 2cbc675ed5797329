import { createHmac, randomBytes } from 'node:crypto';
import { ResponseCode } from '@tillstream/domain';
import type { FormSubmission } from '@tillstream/payments';
import type { Config } from '@tillstream/platform';
import {
  KeyedLimit,
  type KeyedLimitSettings,
  type Refusal,
  type RefusalCause,
  type SubmissionOutcome,
} from './keyed.limit.js';

export const SUBMISSION_LIMITS = ['Ip', 'Bin', 'Merchant'] as const;
export type SubmissionLimit = (typeof SUBMISSION_LIMITS)[number];

/** Who submits a card or bank account at which merchant. */
export interface Submission {
  /** The client's network, of `clientNetwork`. */
  readonly ip: string;
  /** Of `issuerOf`. */
  readonly bin: string;
  readonly merchantId: string;
}

export interface AllowedSubmission {
  readonly kind: 'Allowed';
  /** Call it once, with the outcome. */
  record(outcome: SubmissionOutcome): void;
}

export interface RefusedSubmission {
  readonly kind: 'Refused';
  readonly limit: SubmissionLimit;
  readonly cause: RefusalCause;
  readonly retryAfterSeconds: number;
}

/** The most in ten minutes; 0 is no limit. */
export interface SubmissionLimitSettings {
  readonly ipSubmissions: number;
  readonly ipDeclines: number;
  /** Of one BIN at one merchant. */
  readonly binDeclines: number;
  readonly merchantDeclines: number;
}

/** The configured limits; none in the sandbox, whose test cards are declined on purpose, unless they apply always. */
export function submissionLimitSettings({
  mode,
  formLimits: { apply, ...limits },
}: Pick<Config, 'mode' | 'formLimits'>): SubmissionLimitSettings {
  const none = { ipSubmissions: 0, ipDeclines: 0, binDeclines: 0, merchantDeclines: 0 };
  return mode === 'live' || apply === 'always' ? limits : none;
}

const MINUTE_MS = 60_000;
/** An issuer answers within about a second. */
const IN_FLIGHT_RETRY_SECONDS = 2;
/** Of each limit. A flood of addresses makes the limits forget addresses, but no BIN and no merchant. */
const KEYS_MAX = 20_000;

/** The digits of a card number that name its issuer: eight, or six of a number with less than 16 digits (ISO/IEC 7812-1). */
export function binOf(cardNumber: string): string {
  return cardNumber.slice(0, cardNumber.length < 16 ? 6 : 8);
}

/** The BIN of a card, or the routing number of a bank account, which has no BIN. */
export function issuerOf({ card, bankAccount }: Pick<FormSubmission, 'card' | 'bankAccount'>): string {
  return card ? binOf(card.number) : (bankAccount?.routingNumber ?? '');
}

/**
 * What the response to a submission counts as; undefined: there is none.
 * @param responseCode of `docs/spec/codes.md#response-codes`
 */
export function submissionOutcome(responseCode: number | undefined): SubmissionOutcome {
  const { Approved, PartialApproved, Declined, PolicyViolation } = ResponseCode;
  if (responseCode === Approved || responseCode === PartialApproved) return 'Approved';
  if (responseCode === undefined || responseCode < Declined) return 'Other';
  return responseCode <= PolicyViolation ? 'Declined' : 'Other';
}

interface Limit {
  readonly name: SubmissionLimit;
  readonly counts: KeyedLimit;
  readonly keyOf: (submission: Submission) => string;
}

/**
 * The limits of this instance against card testing (`docs/spec/hosted-form.md#submission-limits`).
 *
 * Addresses and BINs are kept in memory only, as keyed hashes with a key of this process.
 */
export class SubmissionLimits {
  private readonly salt = randomBytes(32);
  private readonly limits: readonly Limit[];
  private latest = 0;

  /** @param now ms; the time of a clock that goes backwards stands still. */
  constructor(
    { ipSubmissions, ipDeclines, binDeclines, merchantDeclines }: SubmissionLimitSettings,
    private readonly now: () => number = () => performance.now(),
    private readonly keysMax = KEYS_MAX,
  ) {
    this.limits = [
      // The approvals of an address raise nothing: a tester of stolen cards has some too.
      ...this.limit('Ip', ({ ip }) => this.hash(ip), { declines: ipDeclines, submissions: ipSubmissions }),
      ...this.limit('Bin', ({ bin, merchantId }) => this.hash(`${merchantId} ${bin}`), {
        declines: binDeclines,
        approvalsRaise: true,
      }),
      ...this.limit('Merchant', ({ merchantId }) => merchantId, {
        declines: merchantDeclines,
        approvalsRaise: true,
      }),
    ];
  }

  /**
   * An allowed submission counts from now on. If several limits refuse it, the one that refuses it for longest is named.
   */
  check(submission: Submission): AllowedSubmission | RefusedSubmission {
    const minute = this.minute();
    const keyed = this.limits.map(({ name, counts, keyOf }) => ({ name, counts, key: keyOf(submission) }));
    const [refused] = keyed
      .flatMap(({ name, counts, key }) => this.refused(name, counts.refusal(key, minute)))
      .sort((one, other) => other.retryAfterSeconds - one.retryAfterSeconds);
    if (refused) return refused;
    for (const { counts, key } of keyed) counts.reserve(key, minute);
    const record = (outcome: SubmissionOutcome): void => {
      const now = this.minute();
      for (const { counts, key } of keyed) counts.record(key, { outcome, reserved: minute }, now);
    };
    return { kind: 'Allowed', record };
  }

  /** Counts the outcome of a submission that waited for a challenge. Its BIN is not known any more. */
  countAfterChallenge(submission: Omit<Submission, 'bin'>, outcome: SubmissionOutcome): void {
    const minute = this.minute();
    for (const { name, counts, keyOf } of this.limits) {
      if (name !== 'Bin') counts.count(keyOf({ ...submission, bin: '' }), outcome, minute);
    }
  }

  private refused(limit: SubmissionLimit, refusal: Refusal | undefined): readonly RefusedSubmission[] {
    if (!refusal) return [];
    const { cause, until } = refusal;
    const retryAfterSeconds = until === undefined ? IN_FLIGHT_RETRY_SECONDS : this.secondsUntil(until);
    return [{ kind: 'Refused', limit, cause, retryAfterSeconds }];
  }

  private limit(
    name: SubmissionLimit,
    keyOf: Limit['keyOf'],
    settings: KeyedLimitSettings,
  ): readonly Limit[] {
    const isOff = settings.declines === 0 && (settings.submissions ?? 0) === 0;
    return isOff ? [] : [{ name, keyOf, counts: new KeyedLimit(settings, this.keysMax) }];
  }

  private hash(text: string): string {
    return createHmac('sha256', this.salt).update(text).digest('base64');
  }

  private time(): number {
    this.latest = Math.max(this.latest, this.now());
    return this.latest;
  }

  private minute(): number {
    return Math.floor(this.time() / MINUTE_MS);
  }

  private secondsUntil(minute: number): number {
    return Math.max(1, Math.ceil((minute * MINUTE_MS - this.time()) / 1000));
  }
}
