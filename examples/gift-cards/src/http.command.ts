import { issue, redeem, reverse, type GiftCardDecision } from './gift-card.decide.js';
import type { GiftCardState } from './gift-card.state.js';

interface Made {
  readonly at: string;
  readonly commandId: string;
}

/** The command that a request asks for, such as `POST /redemptions`; undefined if there is none or its body is wrong. */
export function giftCardCommand(
  route: string,
  body: unknown,
  made: Made,
): ((state: GiftCardState) => GiftCardDecision) | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { amount, currency, redemptionId } = body as Record<string, unknown>;
  switch (route) {
    case 'PUT ':
      if (typeof amount !== 'number' || (currency !== 'USD' && currency !== 'CAD')) return undefined;
      return (state) => issue(state, { ...made, amount, currency });
    case 'POST /redemptions':
      return typeof amount === 'number' ? (state) => redeem(state, { ...made, amount }) : undefined;
    case 'POST /reversals':
      if (typeof redemptionId !== 'string') return undefined;
      return (state) => reverse(state, { ...made, redemptionId });
    default:
      return undefined;
  }
}
