import type {
  AccountType,
  AvsResult,
  CvvResult,
  EntryMode,
  ResponseCode,
  ResultCode,
} from '../shared/codes.js';
import type { OperationId } from '../shared/ids.js';
import type { Cents } from '../shared/money.js';
import type { ProcessorAccount, SendWindow } from '../attempt/index.js';
import type { OutcomeSource, AttemptOutcome } from './payment.events.js';
import type { PaymentMethodSnapshot, ThreeDsFacts } from '../shared/event.shapes.js';
import { accountOfAttempt, type Operation, type Payment } from './payment.state.js';

/** What a processor, terminal, bank or operator says of a try. */
export type AttemptResponse =
  /** `amount`: cents, 1 to 999,999,999. */
  | { readonly kind: 'Approved'; readonly amount: Cents; readonly facts: ResponseFacts }
  | { readonly kind: 'Declined'; readonly facts: ResponseFacts }
  /** A bank took it and answers later. */
  | { readonly kind: 'Submitted'; readonly facts: ResponseFacts }
  /** The cardholder has to be verified first; the answer comes later, by a notice or an inquiry. */
  | {
      readonly kind: 'ChallengeRequired';
      readonly challengeId: string;
      readonly redirectUrl: string;
      /** RFC 3339, the service's clock. */
      readonly expiresAt: string;
      readonly facts: ResponseFacts;
    }
  /** The terminal ended it before the issuer was asked, and says that nothing was charged. */
  | { readonly kind: 'TerminalEnded'; readonly resultCode: ResultCode; readonly facts: ResponseFacts }
  | { readonly kind: 'CustomerCancelled'; readonly facts: ResponseFacts }
  /** The processor's own batch closed before ours: a void can't be done any more. */
  | { readonly kind: 'ProcessorBatchClosed'; readonly facts: ResponseFacts };

export interface ResponseFacts {
  readonly responseCode: ResponseCode;
  readonly gatewayTransactionId?: string;
  readonly hostCode?: string;
  readonly hostText?: string;
  readonly authCode?: string;
  readonly networkTransactionId?: string;
  readonly entryMode?: EntryMode;
  readonly terminalId?: string;
  readonly card?: NonNullable<AttemptOutcome['card']>;
  readonly accountType?: AccountType;
  readonly avsResult?: AvsResult;
  readonly cvvResult?: CvvResult;
  readonly threeDs?: ThreeDsFacts;
}

export interface RecordResponse {
  readonly at: string;
  readonly operationId: OperationId;
  readonly try: number;
  readonly source: OutcomeSource;
  readonly reason?: string;
  readonly answer: AttemptResponse;
  /** For an answer to a try that this history does not have. */
  readonly answeredBy?: ProcessorAccount;
  readonly receiptLines: readonly string[];
  /** Of an approved authorization. */
  readonly expiresAt: string;
  /** Of the attempt that follows at once, where a void falls back to a refund. */
  readonly nextWindow: SendWindow;
}

/** The answer with all that is known beside it: what every outcome event says. */
export function attemptOutcome(
  payment: Payment,
  operation: Operation,
  command: RecordResponse,
): AttemptOutcome {
  const { at, operationId, source, reason, receiptLines } = command;
  const facts = withKnownCard(payment, command.answer.facts);
  return {
    at,
    operationId,
    commandId: operation.commandIds[command.try] ?? operation.commandIds.at(-1) ?? '',
    try: command.try,
    source,
    ...(reason !== undefined && { reason }),
    ...(accountOfAttempt(operation, command.try) ?? command.answeredBy),
    channel: payment.channel,
    paymentMethod: snapshotWithCard(payment, facts),
    receiptLines,
    ...facts,
  };
}

/** A capture, void or refund needs no card, and is still of the card that paid: fees and reports go by it. */
function withKnownCard(payment: Payment, facts: ResponseFacts): ResponseFacts {
  const paid = payment.operations[0]?.responses[0]?.outcome;
  const card = facts.card ?? paid?.card;
  const accountType = facts.accountType ?? paid?.accountType;
  return { ...facts, ...(card && { card }), ...(accountType && { accountType }) };
}

/** The method, and the card that it turned out to be. */
function snapshotWithCard(payment: Payment, { card, accountType }: ResponseFacts): PaymentMethodSnapshot {
  return {
    ...payment.paymentMethod,
    ...(card && { cardType: card.cardType, maskedCardNumber: card.maskedCardNumber }),
    ...(accountType && { accountType }),
  };
}
