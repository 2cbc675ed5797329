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
  type TryPlan,
} from '@tillstream/domain';
import { EventStoreError } from '@tillstream/event-store';
import type { Answer, Call, Processor } from '@tillstream/processors';
import { iso, type Clock } from './clock.port.js';
import type { CrashPoints } from './crash-points.port.js';
import type { Cause } from './event-metadata.js';
import type { PaymentsLog } from './log.port.js';
import type { LoadedPayment, PaymentJournal, Written } from './payment.journal.js';
import { followUpRequest, paymentRequest, processorKey } from './processor.requests.js';
import { receiptLines } from './receipt.js';
import type { Timings } from './timings.js';

/** Facts already received are decided anew as often as others are faster. */
const UNTIL_WRITTEN = Number.POSITIVE_INFINITY;
const OUTCOME_RETRY_MS = 500;
/** Beyond these the resolver finds the outcome by inquiry. */
const MAX_OUTCOMES_WAITING = 1_000;

export type Sent =
  | { readonly kind: 'Ended'; readonly payment: LoadedPayment }
  /** Written so, or not written at all: the answer to the client is the same. */
  | { readonly kind: 'Interrupted' };

/** When a decided try was begun: both clocks, for `sendBefore`. */
export interface Departure {
  readonly startedAt: number;
  readonly plan: TryPlan;
}

/** Steps 2 to 4 of the payment protocol: call, append what came of it, and only then say so. */
export class Sending {
  private outcomesWaiting = 0;

  constructor(
    private readonly journal: PaymentJournal,
    private readonly processor: Processor,
    private readonly clock: Clock,
    private readonly timings: Timings,
    private readonly crashPoints: CrashPoints,
    private readonly log: PaymentsLog,
    private readonly onLateAnswer: (operationId: OperationId, number: number, answer: TryAnswer) => void,
  ) {}

  /** Made before the decision, so that the age of a request counts from its beginning. */
  depart(deadline: number = this.timings.processorDeadline, networkTransactionId?: string): Departure {
    const sendBefore = this.clock.realNow() + this.timings.sendWithin;
    return {
      startedAt: this.clock.monotonicNow(),
      plan: {
        sendBefore: iso(sendBefore),
        answerBefore: iso(sendBefore + deadline),
        processor: this.processor.name,
        processorAccount: this.processor.account,
        ...(networkTransactionId !== undefined && { networkTransactionId }),
      },
    };
  }

  /** Sends the operation's last try, which is durable. Goes on with a fall-back try where the answer asks for one. */
  async send(
    merchant: Merchant,
    known: LoadedPayment,
    operationId: OperationId,
    cause: Cause,
    startedAt: number,
  ): Promise<Sent> {
    let payment = known;
    let departed = startedAt;
    for (;;) {
      const { opened, operation } = inHand(payment.state, operationId);
      const number = operation.try?.number ?? 0;
      this.crashPoints.reached('before-send');
      const answering = this.call(opened, operation, departed);
      this.crashPoints.reached('after-send');
      const answer = await answering;
      this.crashPoints.reached('after-answer');
      this.crashPoints.reached('before-outcome');
      const nextDeparture = this.clock.monotonicNow();
      const written = await this.recordUntilWritten(
        merchant,
        payment,
        operationId,
        number,
        answer,
        'Answer',
        cause,
      );
      if (written?.kind !== 'Written') return { kind: 'Interrupted' };
      this.crashPoints.reached('after-outcome');
      payment = written.payment;
      const next = findOperation(payment.state, operationId);
      if (next?.progress.status === 'Interrupted') return { kind: 'Interrupted' };
      if (next?.progress.status !== 'InFlight') return { kind: 'Ended', payment };
      // Somebody else's step is on its way (a resend by the resolver): that one records the outcome.
      if (next.try?.number === number) return { kind: 'Interrupted' };
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
  ): Promise<Written> {
    const at = iso(this.clock.now());
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
        processor: this.processor.name,
        processorAccount: this.processor.account,
        receiptLines: receiptLines(merchant, opened, operation, answer, at),
        expiresAt: iso(this.clock.now() + this.timings.authorizationLifetime),
        nextTry: this.depart().plan,
        ...(cause.reason !== undefined && { reason: cause.reason }),
      });
    };
    return this.journal.write(known.stream, cause, decide, { known, attempts: UNTIL_WRITTEN });
  }

  /** Undefined where the store would not take it now: it is tried again behind the client's back. */
  private async recordUntilWritten(...args: Parameters<Sending['record']>): Promise<Written | undefined> {
    try {
      return await this.record(...args);
    } catch (error) {
      if (!(error instanceof EventStoreError)) throw error;
      this.log.error('outcome-not-written', { operationId: args[2], reason: error.code });
      void this.recordLater(args);
      return undefined;
    }
  }

  private async recordLater(args: Parameters<Sending['record']>): Promise<void> {
    if (this.outcomesWaiting >= MAX_OUTCOMES_WAITING) return;
    this.outcomesWaiting++;
    const givenUpAt = this.clock.monotonicNow() + this.timings.terminalDeadline;
    while (this.clock.monotonicNow() < givenUpAt) {
      await new Promise((resolve) => setTimeout(resolve, OUTCOME_RETRY_MS).unref());
      const written = await this.record(...args).catch(() => undefined);
      if (written) break;
    }
    this.outcomesWaiting--;
  }

  private async call(payment: Payment, operation: Operation, startedAt: number): Promise<Answer> {
    const { processor } = this;
    const lastTry = operation.try;
    if (!lastTry) return { kind: 'NotSent', reason: 'the operation has no try' };
    const call = this.callOf(operation.id, lastTry, startedAt);
    switch (lastTry.executedAs) {
      case 'Sale':
        return processor.sale(paymentRequest(payment, operation), call);
      case 'Authorize':
        return processor.authorize(paymentRequest(payment, operation), call);
      case 'UnreferencedRefund':
        return processor.unreferencedRefund(paymentRequest(payment, operation), call);
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

  private callOf(id: OperationId, lastTry: NonNullable<Operation['try']>, startedAt: number): Call {
    const sendBefore = Date.parse(lastTry.sendBefore);
    return {
      key: processorKey(id, lastTry.number),
      sendBefore,
      startedAt,
      sendWithinMs: this.timings.sendWithin,
      deadlineMs: Date.parse(lastTry.answerBefore) - sendBefore,
      onLateAnswer: (answer) => {
        if (answer.kind !== 'NotSent' && answer.kind !== 'NoAnswer')
          this.onLateAnswer(id, lastTry.number, answer);
      },
    };
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
