import type { AttemptResponse } from '../../attempt/index.js';
import type { ResponseCode } from '../../shared/codes.js';
import type { Cents } from '../../shared/money.js';
import type { PaymentAction } from './operation-arbitraries.testing.js';

/** The processor's answer that an action names. @param requested the amount of its attempt */
export function answerOf(
  { says, amount }: Extract<PaymentAction, { does: 'answer' }>,
  requested: Cents,
): AttemptResponse {
  const sums = { all: requested, half: Math.ceil(requested / 2), aboveAll: requested + 1, zero: 0 };
  const facts = (responseCode: ResponseCode) => ({ responseCode });
  const answers: Record<typeof says, AttemptResponse> = {
    Approved: { kind: 'Approved', amount: sums[amount], facts: facts(1) },
    Declined: { kind: 'Declined', facts: facts(10) },
    Submitted: { kind: 'Submitted', facts: facts(57) },
    TerminalEnded: { kind: 'TerminalEnded', resultCode: 1003, facts: facts(0) },
    CustomerCancelled: { kind: 'CustomerCancelled', facts: facts(55) },
    ProcessorBatchClosed: { kind: 'ProcessorBatchClosed', facts: facts(20) },
  };
  return answers[says];
}
