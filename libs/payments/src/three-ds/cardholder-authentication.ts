import {
  mayBeSent,
  type CompleteThreeDs,
  type Merchant,
  type OperationId,
  type ThreeDsFacts,
} from '@tillstream/domain';
import type { AuthenticationResult } from '@tillstream/processors';
import { VaultError } from '@tillstream/vault';
import type { AttemptAggregate, PaymentSecret } from '../attempts/attempt.aggregate.js';
import { processorKey } from '../attempts/processor-requests.js';
import { startAttempt } from '../attempts/send-window.js';
import type { Parts } from '../parts.js';
import { iso } from '../ports/clock.port.js';
import type { Cause, StreamEvent } from '../stream-repository/event-metadata.js';
import type { LoadedStream } from '../stream-repository/repositories.js';
import { destroyChallengedCard, keepChallengedCard } from './challenged.card.js';

/** Of an attempt that can't be sent for a technical reason. */
export const UNAVAILABLE: ThreeDsFacts = { status: 'Unavailable' };

export interface AttemptToAuthenticate<State> {
  readonly merchant: Merchant;
  readonly loaded: LoadedStream<State>;
  readonly operationId: OperationId;
  /** Of the attempt. */
  readonly number: number;
  readonly cause: Cause;
}

export type AuthenticationStep<State> =
  /** This call renewed the send window, and sends the attempt. `startedAt`: monotonic, ms. */
  | { readonly kind: 'GoesOn'; readonly loaded: LoadedStream<State>; readonly startedAt: number }
  /** The attempt ended, or waits for a challenge. */
  | { readonly kind: 'Ended'; readonly loaded: LoadedStream<State> }
  /** Another process took the attempt over: this one does nothing more. */
  | { readonly kind: 'TakenOver'; readonly loaded: LoadedStream<State> }
  /** The append has no known result. `loaded` is the stream before it. */
  | { readonly kind: 'Interrupted'; readonly loaded: LoadedStream<State> };

type AuthenticationParts = Pick<
  Parts,
  'threeDsServer' | 'challengeCvvs' | 'vault' | 'clock' | 'timings' | 'crashPoints' | 'outcomes' | 'log'
>;

/**
 * Authenticates the cardholder of an attempt that is durable and not sent (`docs/spec/three-d-secure.md`). The result is
 * durable before the processor is called, and renews the send window: the authentication may have taken all of the first one.
 */
export class CardholderAuthentication<State, Event extends StreamEvent, Rejection> {
  constructor(
    private readonly parts: AuthenticationParts,
    private readonly aggregate: AttemptAggregate<State, Event, Rejection>,
  ) {}

  async authenticate(
    attempt: AttemptToAuthenticate<State>,
    { card, billing }: PaymentSecret,
  ): Promise<AuthenticationStep<State>> {
    const { threeDsServer, clock, timings } = this.parts;
    const { merchant, loaded, operationId, number } = attempt;
    const { amount, currency } = this.aggregate.authenticatedAmount(loaded.state, operationId);
    if (!card) return this.complete(attempt, { threeDs: UNAVAILABLE });
    const expiresAt = iso(clock.now() + timings.challengeLifetime);
    const result = await threeDsServer.authenticate({
      key: processorKey(operationId, number),
      merchantId: merchant.id,
      merchantName: merchant.name,
      amount,
      currency,
      card: { number: card.number, expDate: card.expDate },
      ...(billing && { billing }),
      challengeExpiresAt: expiresAt,
      deadlineMs: timings.processorDeadline,
    });
    this.parts.crashPoints.reached('after-authentication');
    switch (result.kind) {
      case 'Completed':
        return this.complete(attempt, { threeDs: result.threeDs });
      case 'NoAnswer':
        return this.complete(attempt, { threeDs: UNAVAILABLE });
      case 'ChallengeRequired':
        return this.openChallenge(attempt, { card, ...(billing && { billing }) }, { ...result, expiresAt });
    }
  }

  /** Records the result. A result that ends the attempt leaves the form open for another one. */
  async complete(
    { loaded, operationId, number, cause }: AttemptToAuthenticate<State>,
    { challengeId, threeDs }: Pick<CompleteThreeDs, 'challengeId' | 'threeDs'>,
  ): Promise<AuthenticationStep<State>> {
    const { clock, outcomes, crashPoints } = this.parts;
    const { startedAt, window: resumes } = startAttempt(this.parts);
    const at = iso(clock.now());
    const command = {
      ...{ at, operationId, try: number, threeDs, resumes },
      ...(challengeId !== undefined && { challengeId }),
    };
    const written = await outcomes.writeOrRetry(operationId, () =>
      this.aggregate.repository.transact(loaded, cause, (state) =>
        this.aggregate.threeDs.completeThreeDs(state, command),
      ),
    );
    if (written?.kind !== 'Written') return { kind: 'Interrupted', loaded };
    crashPoints.reached('after-authentication-stored');
    if (written.events.length === 0) return { kind: 'TakenOver', loaded: written.loaded };
    const kind = mayBeSent(threeDs) ? 'GoesOn' : 'Ended';
    return { kind, loaded: written.loaded, startedAt };
  }

  private async openChallenge(
    attempt: AttemptToAuthenticate<State>,
    { card, billing }: Pick<PaymentSecret, 'billing'> & Required<Pick<PaymentSecret, 'card'>>,
    challenge: Extract<AuthenticationResult, { kind: 'ChallengeRequired' }> & { readonly expiresAt: string },
  ): Promise<AuthenticationStep<State>> {
    const { vault, clock, outcomes, log, threeDsServer, challengeCvvs } = this.parts;
    const { loaded, operationId, number, cause } = attempt;
    const subject = this.aggregate.attemptSubject(loaded.state, operationId, number);
    const { challengeId, redirectUrl, expiresAt } = challenge;
    let personal;
    try {
      personal = await keepChallengedCard(vault, subject, card, billing);
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      log.error('card-not-kept', { operationId, reason: error.code });
      return this.complete(attempt, { threeDs: UNAVAILABLE });
    }
    const opened = {
      ...{ at: iso(clock.now()), operationId, try: number, challengeId, redirectUrl, expiresAt },
      threeDsServer: threeDsServer.name,
      ...(personal && { personal }),
    };
    challengeCvvs.keep(processorKey(operationId, number), card.cvv);
    const written = await outcomes.writeOrRetry(operationId, () =>
      this.aggregate.repository.transact(loaded, cause, (state) =>
        this.aggregate.threeDs.openChallenge(state, opened),
      ),
    );
    if (written?.kind === 'Written') return { kind: 'Ended', loaded: written.loaded };
    // The resolver took the attempt over. After an append without a known result the card stays: the challenge may be open.
    if (written) await destroyChallengedCard(vault, subject);
    return { kind: 'Interrupted', loaded };
  }
}
