import {
  ResponseCode,
  responseCodeOfTerminalResult,
  type AccountType,
  type AvsResult,
  type CvvResult,
  type EntryMode,
  type ResultCode,
} from '../shared/codes.js';
import type { OperationId } from '../shared/ids.js';
import type { Cents } from '../shared/money.js';
import type { ProcessorAccount, SendWindow } from '../attempt/index.js';
import type { AttemptOutcome, Cancelled, OutcomeSource } from './payment.events.js';
import type { PaymentMethodSnapshot, ThreeDsFacts } from '../shared/event.shapes.js';
import { accountOfAttempt, type Operation, type Payment } from './payment.state.js';

/** The answer of a processor, terminal, bank or operator to an attempt. */
export type AttemptResponse =
  /** `amount`: cents, 1 to 999,999,999. */
  | { readonly kind: 'Approved'; readonly amount: Cents; readonly facts: ResponseFacts }
  | { readonly kind: 'Declined'; readonly facts: ResponseFacts }
  /** A bank took the attempt and answers later. */
  | { readonly kind: 'Submitted'; readonly facts: ResponseFacts }
  /** The cardholder has to be verified first. The answer comes later, by a notice or an inquiry. */
  | {
      readonly kind: 'ChallengeRequired';
      readonly challengeId: string;
      readonly redirectUrl: string;
      /** RFC 3339, the service's clock. */
      readonly expiresAt: string;
      readonly facts: ResponseFacts;
    }
  /** The terminal ended the attempt before it asked the issuer, and confirms that nothing was charged. */
  | { readonly kind: 'TerminalEnded'; readonly resultCode: ResultCode; readonly facts: ResponseFacts }
  | { readonly kind: 'CustomerCancelled'; readonly facts: ResponseFacts }
  /** The processor's own batch closed before ours, so a void is no longer possible. */
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
  /** The account that answered, for an answer to an attempt that is not in the stream. */
  readonly answeredBy?: ProcessorAccount;
  readonly receiptLines: readonly string[];
  /** Of an approved authorization. */
  readonly expiresAt: string;
  /** For the attempt that follows at once if a void falls back to a refund. */
  readonly nextWindow: SendWindow;
}

/** The common part of all outcome events: the answer, with the attempt's data. */
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

/** A capture, void or refund is sent without a card; reports and fees need the card that paid. */
function withKnownCard(payment: Payment, facts: ResponseFacts): ResponseFacts {
  const paid = payment.operations[0]?.responses[0]?.outcome;
  const card = facts.card ?? paid?.card;
  const accountType = facts.accountType ?? paid?.accountType;
  return { ...facts, ...(card && { card }), ...(accountType && { accountType }) };
}

/** The payment method of the payment, with the card of the answer. */
function snapshotWithCard(payment: Payment, { card, accountType }: ResponseFacts): PaymentMethodSnapshot {
  return {
    ...payment.paymentMethod,
    ...(card && { cardType: card.cardType, maskedCardNumber: card.maskedCardNumber }),
    ...(accountType && { accountType }),
  };
}

/** The data of a cancellation, which follows from the answer alone (`docs/spec/terminals.md#endings-at-the-terminal`). */
export function cancellation(
  { at, operationId, try: number, source, hostText, terminalId }: AttemptOutcome,
  answer: Extract<AttemptResponse, { kind: 'TerminalEnded' | 'CustomerCancelled' }>,
): Cancelled {
  const ending =
    answer.kind === 'CustomerCancelled'
      ? ({ by: 'Customer', resultCode: 0, responseCode: ResponseCode.UserCancelled } as const)
      : ({
          by: 'Terminal',
          resultCode: answer.resultCode,
          responseCode: responseCodeOfTerminalResult(answer.resultCode),
        } as const);
  return {
    at,
    operationId,
    try: number,
    source,
    ...ending,
    ...(hostText !== undefined && { hostText }),
    ...(terminalId !== undefined && { terminalId }),
  };
}
