import {
  resultText,
  type SandboxCardChoice,
  type SandboxTerminalEnding,
  type SandboxTerminalScreen,
} from '@tillstream/contracts';
import { ResponseCode, responseCodeOfTerminalResult, ResultCode } from '@tillstream/domain';
import type { SandboxControls } from '@tillstream/platform';
import { toResponseCode } from '@tillstream/processors';

type Screen = Awaited<ReturnType<SandboxControls['customers']['screen']>>;
type Ended = Extract<Screen, { readonly kind: 'Ended' }>;
type HostSaid = NonNullable<Ended['answer']>;
type Choice = SandboxControls['customers']['cards'][number];

const OPERATIONS = {
  Sale: 'Sale',
  Authorize: 'Authorization',
  UnreferencedRefund: 'Refund',
  Verify: 'CardCheck',
} as const;

/** `now`: of both clocks, ms. */
export function shownScreen(
  screen: Screen,
  now: { readonly service: number; readonly real: number },
): SandboxTerminalScreen {
  if (screen.kind === 'Idle') return { kind: 'Idle' };
  const { kind, transactionId, operation, amount, currency } = screen;
  const shown = { kind, transactionId, operation: OPERATIONS[operation], amount, currency };
  switch (screen.kind) {
    case 'AwaitsCard':
    case 'AwaitsPin':
      return { ...shown, secondsLeft: inSeconds(screen.endsAt - now.service) };
    case 'Processing':
      return shown;
    case 'Ended':
      return { ...shown, secondsAgo: inSeconds(now.real - screen.at), result: ending(screen) };
  }
}

export function cardChoice({ value, card, asksForPin }: Choice): SandboxCardChoice {
  const group = card.unstorable ? 'By name' : card.declines ? 'Declined' : 'Approved';
  const label = card.unstorable ? value : `${card.type} ···· ${card.number.slice(-4)}`;
  return { value, label, group, asksForPin };
}

function inSeconds(ms: number): number {
  return Math.max(0, Math.ceil(ms / 1000));
}

function ending({ answer, resultCode, takenBack, amount }: Ended): SandboxTerminalEnding {
  if (answer) return hostEnding(answer, amount);
  if (resultCode !== undefined) {
    const responseCode = responseCodeOfTerminalResult(resultCode);
    return { outcome: 'Failed', text: resultText(resultCode), resultCode, responseCode };
  }
  return takenBack
    ? { outcome: 'TakenBack', text: 'The till took the transaction back.' }
    : { outcome: 'NoAnswer', text: 'The host did not answer.' };
}

function hostEnding(answer: HostSaid, asked: number): SandboxTerminalEnding {
  const { outcome, hostCode, hostText, approvedAmount, authCode, entryMode, card } = answer;
  const facts = {
    text: hostText,
    ...(authCode !== undefined && { authCode }),
    ...(card && { cardType: card.cardType, maskedCardNumber: card.maskedNumber }),
    ...(entryMode && { entryMode }),
    resultCode: ResultCode.Success,
    responseCode: toResponseCode(hostCode, outcome === 'Approved'),
  };
  switch (outcome) {
    case 'Approved': {
      const amountApproved = approvedAmount;
      return { outcome: amountApproved < asked ? 'PartlyApproved' : 'Approved', ...facts, amountApproved };
    }
    case 'Declined':
    case 'BatchClosed':
      return { outcome: 'Declined', ...facts };
    // Only banks answer so, and a terminal takes no bank payment.
    case 'Submitted':
      return { outcome: 'NoAnswer', text: hostText };
    case 'CustomerCancelled':
      return { outcome: 'Cancelled', ...facts, responseCode: ResponseCode.UserCancelled };
    case 'TookTooLong': {
      const { TookTooLong: resultCode } = ResultCode;
      return { outcome: 'TimedOut', ...facts, resultCode, responseCode: ResponseCode.TimedOutOnUserInput };
    }
  }
}
