import { Inject, Injectable } from '@nestjs/common';
import { ErrorCode } from '@tillstream/contracts';
import type { Log, Metrics } from '@tillstream/platform';
import { LRUCache } from 'lru-cache';
import { ADAPTERS, SUBMISSION_LIMIT_SETTINGS, LOG } from '../api.parts.js';
import { ApiError } from '../http/api.error.js';
import type { SubmissionOutcome } from './keyed.limit.js';
import {
  SUBMISSION_LIMITS,
  SubmissionLimits,
  type SubmissionLimitSettings,
  type RefusedSubmission,
  type Submission,
  type SubmissionLimit,
} from './submission.limits.js';

const MESSAGES: Readonly<Record<SubmissionLimit, string>> = {
  Ip: 'Too many payments were tried from this network; try again later.',
  Bin: 'Too many payments were tried with cards or accounts like this one; try again later, or use another one.',
  Merchant: 'Too many payments to this merchant were declined; try again later.',
};

const ALERT_EVERY_MS = 600_000;
const ALERTED_MERCHANTS_MAX = 10_000;

/** 429, 3000, `Rejected` (`docs/spec/hosted-form.md#submission-limits`). */
export function tooManySubmissions({
  limit,
  retryAfterSeconds,
}: Pick<RefusedSubmission, 'limit' | 'retryAfterSeconds'>): ApiError {
  return new ApiError(429, ErrorCode.UnknownServerGenericError, MESSAGES[limit], {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}

/**
 * Admits submissions of the hosted form within the limits against card testing. Counts each refusal by its limit, and alerts
 * once per merchant in ten minutes. Logs and metrics have no address and no BIN.
 */
@Injectable()
export class SubmissionGuard {
  private readonly limits: SubmissionLimits;
  private readonly metrics: Pick<Metrics, 'submissionsRefused'>;
  private readonly alerted: LRUCache<string, true>;

  constructor(
    @Inject(SUBMISSION_LIMIT_SETTINGS) allowed: SubmissionLimitSettings,
    @Inject(ADAPTERS)
    { observability }: { readonly observability: { readonly metrics: Pick<Metrics, 'submissionsRefused'> } },
    @Inject(LOG) private readonly log: Pick<Log, 'error'>,
  ) {
    this.limits = new SubmissionLimits(allowed);
    this.metrics = observability.metrics;
    for (const limit of SUBMISSION_LIMITS) this.metrics.submissionsRefused.labels(limit).inc(0);
    this.alerted = new LRUCache({ max: ALERTED_MERCHANTS_MAX, ttl: ALERT_EVERY_MS });
  }

  /**
   * Runs a submission, unless a limit refuses it. A submission that throws counts as `Other`.
   * @throws ApiError 429, before anything is stored or sent
   */
  async admit<Result>(
    submission: Submission,
    submit: () => Promise<Result>,
    outcomeOf: (result: Result) => SubmissionOutcome,
  ): Promise<Result> {
    const checked = this.limits.check(submission);
    if (checked.kind === 'Refused') throw this.refuse(submission, checked);
    let outcome: SubmissionOutcome = 'Other';
    try {
      const result = await submit();
      outcome = outcomeOf(result);
      return result;
    } finally {
      checked.record(outcome);
    }
  }

  /** Counts the outcome of a submission that was admitted and then waited for a challenge. */
  countAfterChallenge(submission: Omit<Submission, 'bin'>, outcome: SubmissionOutcome): void {
    this.limits.countAfterChallenge(submission, outcome);
  }

  private refuse({ merchantId }: Submission, refused: RefusedSubmission): ApiError {
    const { limit, cause } = refused;
    this.metrics.submissionsRefused.labels(limit).inc();
    // A rush of customers has many submissions in flight too.
    if (cause !== 'InFlight' && !this.alerted.has(merchantId)) {
      this.alerted.set(merchantId, true);
      this.log.error('card-testing-suspected', { merchantId, kind: limit });
    }
    return tooManySubmissions(refused);
  }
}
