import {
  accepted,
  isAmount,
  rejected,
  type Cents,
  type Currency,
  type Decision,
} from '@tillstream/domain/shared';
import type { GiftCardEvent } from './gift-card.events.js';
import type { GiftCardState } from './gift-card.state.js';

export interface GiftCardRejection {
  readonly code:
    | 'InvalidAmount'
    | 'AlreadyIssued'
    | 'CardNotFound'
    | 'BalanceTooLow'
    | 'RedemptionNotFound'
    | 'AlreadyReversed';
  readonly message: string;
}

export type GiftCardDecision = Decision<GiftCardEvent, GiftCardRejection>;

interface Command {
  readonly at: string;
  readonly commandId: string;
}

type IssueCard = Command & { readonly amount: Cents; readonly currency: Currency };
type RedeemCard = Command & { readonly amount: Cents };
type ReverseRedemption = Command & { readonly redemptionId: string };

export function issue(state: GiftCardState, command: IssueCard): GiftCardDecision {
  if (isRepeated(state, command)) return accepted([], undefined);
  if (state.status === 'Issued') return no('AlreadyIssued', 'This card was issued before.');
  if (!isAmount(command.amount)) return no('InvalidAmount', 'The amount is a whole number of cents above 0.');
  return accepted([{ type: 'CardIssued', data: command }], undefined);
}

/** At most the balance is redeemed. */
export function redeem(state: GiftCardState, command: RedeemCard): GiftCardDecision {
  if (state.status === 'None') return no('CardNotFound', 'There is no such card.');
  if (isRepeated(state, command)) return accepted([], undefined);
  if (!isAmount(command.amount)) return no('InvalidAmount', 'The amount is a whole number of cents above 0.');
  if (command.amount > state.balance.amount) {
    return no('BalanceTooLow', `received ${command.amount}, left ${state.balance.amount}`);
  }
  return accepted([{ type: 'CardRedeemed', data: command }], undefined);
}

/** A redemption is reversed as a whole, once. */
export function reverse(state: GiftCardState, command: ReverseRedemption): GiftCardDecision {
  if (state.status === 'None') return no('CardNotFound', 'There is no such card.');
  if (isRepeated(state, command)) return accepted([], undefined);
  const redemption = state.redemptions.get(command.redemptionId);
  if (!redemption) return no('RedemptionNotFound', 'The card has no such redemption.');
  if (redemption.reversed) return no('AlreadyReversed', 'This redemption was reversed before.');
  const data = { ...command, amount: redemption.amount };
  return accepted([{ type: 'RedemptionReversed', data }], undefined);
}

function isRepeated(state: GiftCardState, { commandId }: Command): boolean {
  return state.status === 'Issued' && state.commandIds.has(commandId);
}

function no(code: GiftCardRejection['code'], message: string): GiftCardDecision {
  return rejected({ code, message });
}
