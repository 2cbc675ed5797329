import { ResponseCode } from '../shared/codes.js';
import { accepted, rejected, type Decision } from '../shared/decision.js';
import type { OperationId } from '../shared/ids.js';
import type { Currency } from '../shared/codes.js';
import type { Cents } from '../shared/money.js';
import type { AttemptResponse } from '../payment/attempt.response.js';
import type { OperatorIdentity, ResolutionEvent, ResolutionOutcome } from './manual-resolution.events.js';
import { proposalFor, type Proposal, type ResolutionState } from './manual-resolution.state.js';

/** When one operator's word is not enough (`docs/spec/unknown-outcomes.md#confirmation`). */
export interface ConfirmationRule {
  readonly mode: 'sandbox' | 'live';
  /** Cents, of either currency. An operation of more needs a second operator. */
  readonly above: Cents;
}

/** In the sandbox no money moves, and an operation on a stored card has no amount. */
export function needsConfirmation({ mode, above }: ConfirmationRule, amount: Cents | undefined): boolean {
  return mode === 'live' && amount !== undefined && amount > above;
}

/** What an operator says became of a try. */
export interface ResolveCommand {
  readonly at: string;
  /** Repeated under it, nothing is said a second time. */
  readonly commandId: string;
  readonly operationId: OperationId;
  readonly merchantId: string;
  readonly try: number;
  readonly outcome: ResolutionOutcome;
  readonly reason: string;
  readonly authCode?: string;
  readonly amount: Cents;
  readonly currency: Currency;
  readonly by: OperatorIdentity;
}

export type ResolutionStatus =
  /** Two operators say so: it may be carried out. */
  | { readonly kind: 'Confirmed'; readonly proposal: Proposal }
  | { readonly kind: 'AwaitsConfirmation'; readonly proposal: Proposal };

export interface ResolutionRejection {
  readonly code: 'SameOperator';
  readonly message: string;
}

export type ResolutionDecision = Decision<ResolutionEvent, ResolutionRejection, ResolutionStatus>;

/**
 * The rule of two: the first operator proposes, another with a key of its own says the same and it may be carried out.
 * Something else takes the place of the proposal and waits for its own second. What was confirmed but not carried out,
 * since the process died in between, may be carried out by anybody who repeats it.
 */
export function proposeOrConfirm(state: ResolutionState, command: ResolveCommand): ResolutionDecision {
  const standing = proposalFor(state, command.try);
  if (!standing || !isSameResolution(standing, command)) return propose(command);
  if (standing.confirmed) return accepted([], { kind: 'Confirmed', proposal: standing });
  if (standing.commandId === command.commandId) {
    return accepted([], { kind: 'AwaitsConfirmation', proposal: standing });
  }
  if (standing.by.keyId === command.by.keyId) {
    return rejected({
      code: 'SameOperator',
      message: 'This was proposed with the same admin key; an operator with another key has to confirm it.',
    });
  }
  const { authCode } = standing;
  const data = {
    ...command,
    ...(authCode !== undefined && { authCode }),
    proposedBy: standing.by,
    proposedAt: standing.at,
  };
  const confirmed = { kind: 'Confirmed', proposal: { ...standing, confirmed: true } } as const;
  return accepted([{ type: 'ResolutionConfirmed', data }], confirmed);
}

function propose(command: ResolveCommand): ResolutionDecision {
  const { at, commandId, try: number, outcome, reason, authCode, by } = command;
  const said = { at, commandId, try: number, outcome, reason, by };
  const proposal = { ...said, ...(authCode !== undefined && { authCode }), confirmed: false };
  return accepted([{ type: 'ResolutionProposed', data: command }], { kind: 'AwaitsConfirmation', proposal });
}

/** A second operator need not know the code that the first was told. */
function isSameResolution(standing: Proposal, { outcome, authCode }: ResolveCommand): boolean {
  return standing.outcome === outcome && (authCode === undefined || authCode === standing.authCode);
}

const BY_OPERATOR = 'resolved by an operator';

/** An operator's word in the form of a processor's answer: approved in full, or declined by the issuer (code 10). */
export function operatorResponse(
  outcome: Exclude<ResolutionOutcome, 'NotReceived'>,
  amount: Cents,
  authCode: string | undefined,
): AttemptResponse {
  const said = { hostText: BY_OPERATOR, ...(authCode !== undefined && { authCode }) };
  return outcome === 'Approved'
    ? { kind: 'Approved', amount, facts: { responseCode: ResponseCode.Approved, ...said } }
    : { kind: 'Declined', facts: { responseCode: ResponseCode.Declined, ...said } };
}
