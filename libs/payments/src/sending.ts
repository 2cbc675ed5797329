import {
  findOperation,
  notSent,
  interrupt,
  recordAnswer,
  type Merchant,
  type Operation,
  type OperationId,
  type OutcomeSource,
  type Payment,
  type PaymentDecision,
  type PaymentState,
  type TryAnswer,
} from '@tillstream/domain';
import type { Answer, PaymentRequest, Processor } from '@tillstream/processors';
import { iso, type Clock } from './clock.port.js';
import type { CrashPoints } from './crash-points.port.js';
import { callOf, depart, type Departure } from './departure.js';
import type { Cause } from './event-metadata.js';
import type { LoadedPayment, PaymentJournal, WrittenPayment } from './journals.js';
import type { OutcomeRetries } from './outcome.retries.js';
import { followUpRequest, paymentRequest } from './processor.requests.js';
import { receiptLines } from './receipt.js';
import type { Timings } from './timings.js';

/** Facts already received are decided anew as often as others are faster. */
const UNTIL_WRITTEN = Number.POSITIVE_INFINITY;

/** Beside each, the payment as it was last known. */
export type Sent =
  | { readonly kind: 'Ended'; readonly payment: LoadedPayment }
  /** Written so, or not written at all: the answer to the client is the same. */
  | { readonly kind: 'Interrupted'; readonly payment: LoadedPayment };

/** What is opened from the vault for one call, and lives in its memory only: no event, log or error has it. */
export type Secret = Pick<PaymentRequest, 'card' | 'bankAccount' | 'billing'>;

export interface SendingParts {
  readonly journal: PaymentJournal;
  readonly processor: Processor;
  readonly clock: Clock;
  readonly timings: Timings;
  readonly crashPoints: CrashPoints;
  readonly outcomes: OutcomeRetries;
  onLateAnswer(operationId: OperationId, number: number, answer: TryAnswer): void;
}

/** Steps 2 to 4 of the payment protocol: call, append what came of it, and only then say so. */
export class Sending {
  constructor(private readonly parts: SendingParts) {}

  depart(deadline?: number, networkTransactionId?: string): Departure {
    return depart(this.parts, deadline, networkTransactionId);
  }

  /** Sends the operation's last try, which is durable. Goes on with a fall-back try where the answer asks for one. */
  async send(
    merchant: Merchant,
    known: LoadedPayment,
    operationId: OperationId,
    cause: Cause,
    startedAt: number,
    secret: Secret = {},
  ): Promise<Sent> {
    const { crashPoints, clock, outcomes } = this.parts;
    let payment = known;
    let departed = startedAt;
    for (;;) {
      const { opened, operation } = inHand(payment.state, operationId);
      const number = operation.try?.number ?? 0;
      crashPoints.reached('before-send');
      const answer = await this.call(opened, operation, departed, secret);
      crashPoints.reached('after-answer');
      crashPoints.reached('before-outcome');
      const nextDeparture = clock.monotonicNow();
      const from = payment;
      const written = await outcomes.nowOrLater(operationId, () =>
        this.record(merchant, from, operationId, number, answer, 'Answer', cause),
      );
      if (written?.kind !== 'Written') return { kind: 'Interrupted', payment };
      crashPoints.reached('after-outcome');
      payment = written.loaded;
      const next = findOperation(payment.state, operationId);
      if (next?.progress.status === 'Interrupted') return { kind: 'Interrupted', payment };
      if (next?.progress.status !== 'InFlight') return { kind: 'Ended', payment };
      // Somebody else's step is on its way (a resend by the resolver): that one records the outcome.
      if (next.try?.number === number) return { kind: 'Interrupted', payment };
      departed = nextDeparture;
    }
  }

  /** Appends what was learned of a try, wherever it was learned. */
  async record(
    merchant: Merchant,
    known: LoadedPayment,
    operationId: OperationId,
    number: number,
    answer: Answer,
    source: OutcomeSource,
    cause: Cause,
  ): Promise<WrittenPayment> {
    const { journal, processor, clock, timings } = this.parts;
    const at = iso(clock.now());
    const decide = (state: PaymentState): PaymentDecision => {
      const ofTry = { at, operationId, try: number };
      if (answer.kind === 'NotSent') return notSent(state, { ...ofTry, reason: answer.reason });
      if (answer.kind === 'NoAnswer') {
        return interrupt(state, { ...ofTry, cause: 'NoAnswer', lostLink: answer.lostLink ?? false });
      }
      const { opened, operation } = inHand(state, operationId);
      return recordAnswer(state, {
        ...ofTry,
        source,
        answer,
        processor: processor.name,
        processorAccount: processor.account,
        receiptLines: receiptLines(merchant, opened, operation, answer, at),
        expiresAt: iso(clock.now() + timings.authorizationLifetime),
        nextTry: this.depart().plan,
        ...(cause.reason !== undefined && { reason: cause.reason }),
      });
    };
    return journal.write(known.stream, cause, decide, { known, attempts: UNTIL_WRITTEN });
  }

  private async call(
    payment: Payment,
    operation: Operation,
    startedAt: number,
    secret: Secret,
  ): Promise<Answer> {
    const { processor, onLateAnswer } = this.parts;
    const lastTry = operation.try;
    if (!lastTry) return { kind: 'NotSent', reason: 'the operation has no try' };
    const call = callOf(this.parts, operation.id, lastTry, startedAt, (answer) =>
      onLateAnswer(operation.id, lastTry.number, answer),
    );
    const opening = { ...paymentRequest(payment, operation), ...secret };
    switch (lastTry.executedAs) {
      case 'Sale':
        return processor.sale(opening, call);
      case 'Authorize':
        return processor.authorize(opening, call);
      case 'UnreferencedRefund':
        return processor.unreferencedRefund(opening, call);
      case 'Capture':
        return processor.capture(followUpRequest(payment, operation), call);
      case 'Void':
        return processor.void(followUpRequest(payment, operation), call);
      case 'Refund':
        return processor.refund(followUpRequest(payment, operation), call);
      case 'Reverse':
        return processor.reverse(followUpRequest(payment, operation), call);
    }
  }
}

function inHand(
  state: PaymentState,
  operationId: OperationId,
): { readonly opened: Payment; readonly operation: Operation } {
  const operation = findOperation(state, operationId);
  if (state.status === 'None' || !operation) throw new Error(`operation ${operationId} is not in its stream`);
  return { opened: state, operation };
}
