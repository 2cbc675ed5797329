import type { Money } from '@tillstream/domain/shared';
import type { GiftCardEvent } from './gift-card.events.js';

interface Redemption {
  readonly amount: Money['amount'];
  readonly reversed: boolean;
}

export interface GiftCard {
  readonly status: 'Issued';
  readonly balance: Money;
  /** By the id of the command that redeemed. */
  readonly redemptions: ReadonlyMap<string, Redemption>;
  readonly commandIds: ReadonlySet<string>;
}

export type GiftCardState = { readonly status: 'None' } | GiftCard;

export function foldGiftCard(events: Iterable<GiftCardEvent>): GiftCardState {
  let state: GiftCardState = { status: 'None' };
  for (const event of events) state = evolve(state, event);
  return state;
}

function evolve(state: GiftCardState, { type, data }: GiftCardEvent): GiftCardState {
  if (type === 'CardIssued') {
    const balance = { amount: data.amount, currency: data.currency };
    return { status: 'Issued', balance, redemptions: new Map(), commandIds: new Set([data.commandId]) };
  }
  if (state.status === 'None') throw new Error(`${type} on a card that was not issued`);
  const commandIds = new Set(state.commandIds).add(data.commandId);
  const redemptions = new Map(state.redemptions);
  const { amount, currency } = state.balance;
  switch (type) {
    case 'CardRedeemed':
      redemptions.set(data.commandId, { amount: data.amount, reversed: false });
      return { ...state, commandIds, redemptions, balance: { amount: amount - data.amount, currency } };
    case 'RedemptionReversed':
      redemptions.set(data.redemptionId, { amount: data.amount, reversed: true });
      return { ...state, commandIds, redemptions, balance: { amount: amount + data.amount, currency } };
  }
}
