import type { AttemptEventData, AttemptResponse } from '../attempt/index.js';
import { accepted, eventCodec, foldOf, rejected, type Decision, type Event } from '../shared/aggregate.js';
import { ResponseCode, type Currency } from '../shared/codes.js';
import type { CommandEventData } from '../shared/event.shapes.js';
import type { OperationId } from '../shared/ids.js';
import type { Cents } from '../shared/money.js';
import { pick } from '../shared/pick.js';

/*
 * The decisions of operators about an operation with an unknown outcome, before they take effect. The result is an
 * outcome event in the stream of the payment or token itself, with the operator's name and reason.
 */

export const RESOLUTION_CATEGORY = 'resolution';

export const resolutionStream = (operationId: OperationId): string =>
  `${RESOLUTION_CATEGORY}-${operationId.slice('trx_'.length)}`;

/** Storage: these shapes never change (docs/adr/0014). */
export type ResolutionEvent =
  | Event<'InquiryForced', InquiryForced>
  | Event<'ResolutionProposed', ResolutionProposed>
  | Event<'ResolutionConfirmed', ResolutionConfirmed>;

/** An operator's decision about an attempt. `NotReceived`: the processor never received it, and never will. */
export type ResolutionOutcome = 'Approved' | 'Declined' | 'NotReceived';

/** Two operators are different if their keys differ, since an operator can choose any name. */
export interface OperatorIdentity {
  readonly keyId: string;
  readonly name: string;
}

/** An operator did not wait for the next scheduled inquiry. */
export interface InquiryForced extends AttemptEventData {
  readonly merchantId: string;
  readonly by: OperatorIdentity;
}

/**
 * From the first of two operators (`docs/spec/unknown-outcomes.md#confirmation`). It is valid for this attempt only, and
 * replaces an earlier proposal.
 */
export interface ResolutionProposed extends CommandEventData, AttemptEventData {
  readonly merchantId: string;
  readonly outcome: ResolutionOutcome;
  readonly reason: string;
  /** Of an approval, as the processor gave it to the operator. */
  readonly authCode?: string;
  readonly amount: Cents;
  readonly currency: Currency;
  readonly by: OperatorIdentity;
}

/** A second operator agrees. From here on the resolution may take effect. */
export interface ResolutionConfirmed extends ResolutionProposed {
  readonly proposedBy: OperatorIdentity;
  readonly proposedAt: string;
}

/** Frozen examples of each version are in `fixtures/`. */
export const resolutionCodec = eventCodec<ResolutionEvent>({
  types: { InquiryForced: [], ResolutionProposed: [], ResolutionConfirmed: [] },
});

/** The last proposal, confirmed or not. */
export interface Proposal extends Pick<
  ResolutionProposed,
  'at' | 'commandId' | 'try' | 'outcome' | 'reason' | 'authCode' | 'by'
> {
  readonly confirmed: boolean;
}

export interface ResolutionState {
  readonly proposal?: Proposal;
}

export const noResolution: ResolutionState = {};

/** The proposal for this attempt. A proposal for an earlier attempt does not count. */
export function proposalFor({ proposal }: ResolutionState, number: number): Proposal | undefined {
  return proposal?.try === number ? proposal : undefined;
}

/** When one operator is not enough (`docs/spec/unknown-outcomes.md#confirmation`). */
export interface ConfirmationRule {
  readonly mode: 'sandbox' | 'live';
  /** Cents, of either currency. A larger operation needs a second operator. */
  readonly above: Cents;
}

/** In the sandbox no money moves, and an operation on a stored card has no amount. */
export function needsConfirmation({ mode, above }: ConfirmationRule, amount: Cents | undefined): boolean {
  return mode === 'live' && amount !== undefined && amount > above;
}

export interface ResolutionStatus {
  /** `Confirmed`: two operators agree, so the resolution may take effect. */
  readonly kind: 'Confirmed' | 'AwaitsConfirmation';
  readonly proposal: Proposal;
}

export interface ResolutionRejection {
  readonly code: 'SameOperator';
  readonly message: string;
}

export type ResolutionDecision = Decision<ResolutionEvent, ResolutionRejection, ResolutionStatus>;

/**
 * The rule of two: the first operator proposes, and an operator with another key confirms the same. A different decision
 * replaces the proposal and needs its own confirmation. If the process crashed between the confirmation and its effect,
 * any operator may repeat the command. A repeated `commandId` adds no event.
 */
export function proposeOrConfirm(state: ResolutionState, command: ResolutionProposed): ResolutionDecision {
  const current = proposalFor(state, command.try);
  if (!current || !isSameResolution(current, command)) {
    const event: ResolutionEvent = { type: 'ResolutionProposed', data: command };
    return accepted([event], { kind: 'AwaitsConfirmation', proposal: newProposal(command) });
  }
  if (current.confirmed) return accepted([], { kind: 'Confirmed', proposal: current });
  if (current.commandId === command.commandId) {
    return accepted([], { kind: 'AwaitsConfirmation', proposal: current });
  }
  if (current.by.keyId === command.by.keyId) {
    return rejected({
      code: 'SameOperator',
      message: 'This was proposed with the same admin key; an operator with another key has to confirm it.',
    });
  }
  const proposed = { proposedBy: current.by, proposedAt: current.at };
  const data = { ...command, ...pick(current, 'authCode'), ...proposed };
  const confirmed = { kind: 'Confirmed', proposal: { ...current, confirmed: true } } as const;
  return accepted([{ type: 'ResolutionConfirmed', data }], confirmed);
}

/** The second operator may leave out the authorization code that the first one gave. */
function isSameResolution(proposal: Proposal, { outcome, authCode }: ResolutionProposed): boolean {
  return proposal.outcome === outcome && (authCode === undefined || authCode === proposal.authCode);
}

function newProposal(data: ResolutionProposed): Proposal {
  return {
    ...pick(data, 'at', 'commandId', 'try', 'outcome', 'reason', 'authCode', 'by'),
    confirmed: false,
  };
}

export const foldResolution = foldOf<ResolutionState, ResolutionEvent>(evolve, noResolution);

function evolve(state: ResolutionState, event: ResolutionEvent): ResolutionState {
  switch (event.type) {
    case 'InquiryForced':
      return state;
    case 'ResolutionProposed':
      return { proposal: newProposal(event.data) };
    case 'ResolutionConfirmed':
      return state.proposal ? { proposal: { ...state.proposal, confirmed: true } } : state;
  }
}

/** A resolution in the form of a processor's answer: approved in full, or declined by the issuer (code 10). */
export function operatorResponse(
  outcome: Exclude<ResolutionOutcome, 'NotReceived'>,
  amount: Cents,
  authCode: string | undefined,
): AttemptResponse {
  const facts = { hostText: 'resolved by an operator', ...(authCode !== undefined && { authCode }) };
  return outcome === 'Approved'
    ? { kind: 'Approved', amount, facts: { responseCode: ResponseCode.Approved, ...facts } }
    : { kind: 'Declined', facts: { responseCode: ResponseCode.Declined, ...facts } };
}
