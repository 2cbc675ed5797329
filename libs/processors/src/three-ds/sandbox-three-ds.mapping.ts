import type { AuthenticationReaction, CardAuthentication } from '@tillstream/sandbox';
import type { AuthenticationRequest, AuthenticationResult } from './three-ds.port.js';

/** Of the simulated access control server: a page of this service (`docs/spec/three-d-secure.md#challenge-page`). */
const CHALLENGE_PAGES = '/sandbox/acs/';

export function toCardAuthentication(request: AuthenticationRequest): CardAuthentication {
  const { key, card, amount, currency, merchantName, challengeExpiresAt } = request;
  return {
    ...{ key, amount, currency, merchantName },
    cardNumber: card.number,
    challengeExpiresAt: Date.parse(challengeExpiresAt),
  };
}

/** Undefined: the sandbox gave no result. */
export function toAuthenticationResult(reaction: AuthenticationReaction | undefined): AuthenticationResult {
  if (!reaction) return { kind: 'NoAnswer' };
  if (reaction.kind === 'Completed') return reaction;
  return { ...reaction, redirectUrl: CHALLENGE_PAGES + reaction.challengeId };
}
