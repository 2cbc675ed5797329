import type { ResolutionEvent, ResolutionProposed } from './manual-resolution.events.js';

/** A proposal that waits for a second operator, or that one confirmed. The newest counts. */
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

export function foldResolution(
  events: Iterable<ResolutionEvent>,
  from: ResolutionState = noResolution,
): ResolutionState {
  let state = from;
  for (const event of events) state = evolve(state, event);
  return state;
}

function evolve(state: ResolutionState, event: ResolutionEvent): ResolutionState {
  switch (event.type) {
    case 'InquiryForced':
      return state;
    case 'ResolutionProposed': {
      const { at, commandId, try: number, outcome, reason, authCode, by } = event.data;
      const said = { at, commandId, try: number, outcome, reason, by };
      return { proposal: { ...said, ...(authCode !== undefined && { authCode }), confirmed: false } };
    }
    case 'ResolutionConfirmed':
      return state.proposal ? { proposal: { ...state.proposal, confirmed: true } } : state;
  }
}

/** The proposal that is good for this try; one of an earlier try answered another question. */
export function proposalFor({ proposal }: ResolutionState, number: number): Proposal | undefined {
  return proposal?.try === number ? proposal : undefined;
}
