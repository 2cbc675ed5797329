import { ResponseCode, responseCodeOfTerminalResult, type ResultCode } from '../shared/codes.js';
import type { PaymentMethodSnapshot } from '../shared/event.shapes.js';
import type { Cents } from '../shared/money.js';
import { pick } from '../shared/pick.js';
import type {
  AttemptEventData,
  AttemptOutcome,
  Cancelled,
  OutcomeSource,
  ResponseFacts,
} from './attempt.events.js';

/** The answer of a processor, terminal, bank or operator to an attempt. */
export type AttemptResponse =
  /** `amount`: cents, 1 to 999,999,999. */
  | { readonly kind: 'Approved'; readonly amount: Cents; readonly facts: ResponseFacts }
  | { readonly kind: 'Declined'; readonly facts: ResponseFacts }
  /** A bank took the attempt and answers later. */
  | { readonly kind: 'Submitted'; readonly facts: ResponseFacts }
  /** The cardholder has to be authenticated first. The answer comes later, by a notice or an inquiry. */
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

export interface RecordAttemptResponse extends AttemptEventData {
  readonly source: OutcomeSource;
  readonly reason?: string;
  readonly answer: AttemptResponse;
  readonly receiptLines: readonly string[];
}

/** The outcome that the response gives: its facts, with the data of the attempt. */
export function attemptOutcome(
  { at, operationId, try: number, source, reason, receiptLines }: RecordAttemptResponse,
  facts: ResponseFacts,
  attempt: Pick<AttemptOutcome, 'commandId' | 'channel' | 'paymentMethod' | 'processor' | 'processorAccount'>,
): AttemptOutcome {
  return {
    at,
    operationId,
    try: number,
    source,
    ...(reason !== undefined && { reason }),
    ...attempt,
    paymentMethod: { ...attempt.paymentMethod, ...cardFields(facts) },
    receiptLines,
    ...facts,
  };
}

/** The part of a payment method that the response knows. */
export function cardFields({ card, accountType }: ResponseFacts): Partial<PaymentMethodSnapshot> {
  return {
    ...(card && { cardType: card.cardType, maskedCardNumber: card.maskedCardNumber }),
    ...(accountType && { accountType }),
  };
}

/** The data of a cancellation, which follows from the answer alone (`docs/spec/terminals.md#endings-at-the-terminal`). */
export function cancellation(
  outcome: AttemptOutcome,
  answer: Extract<AttemptResponse, { kind: 'TerminalEnded' | 'CustomerCancelled' }>,
): Cancelled {
  return {
    ...pick(outcome, 'at', 'operationId', 'try', 'source', 'hostText', 'terminalId'),
    ...(answer.kind === 'CustomerCancelled'
      ? { by: 'Customer', resultCode: 0, responseCode: ResponseCode.UserCancelled }
      : {
          by: 'Terminal',
          resultCode: answer.resultCode,
          responseCode: responseCodeOfTerminalResult(answer.resultCode),
        }),
  };
}
