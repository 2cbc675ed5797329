import { fileURLToPath } from 'node:url';
import { codecContract, givenBy } from '@tillstream/domain/testing';
import { giftCardCodec } from './gift-card.codec.js';
import { issue, redeem, reverse } from './gift-card.decide.js';
import type { GiftCardEvent } from './gift-card.events.js';
import { foldGiftCard, type GiftCardState } from './gift-card.state.js';

const given = givenBy<GiftCardState, GiftCardEvent>(foldGiftCard);
const at = '2026-03-01T12:00:00.000Z';

const issued = (amount: number): GiftCardEvent => ({
  type: 'CardIssued',
  data: { at, commandId: 'issue', amount, currency: 'USD' },
});
const redeemed = (amount: number, commandId = 'redeem'): GiftCardEvent => ({
  type: 'CardRedeemed',
  data: { at, commandId, amount },
});
const reversed = (amount: number): GiftCardEvent => ({
  type: 'RedemptionReversed',
  data: { at, commandId: 'reverse', redemptionId: 'redeem', amount },
});
const issuing =
  (amount: number, commandId = 'issue') =>
  (state: GiftCardState) =>
    issue(state, { at, commandId, amount, currency: 'USD' });
const redeeming =
  (amount: number, commandId = 'redeem') =>
  (state: GiftCardState) =>
    redeem(state, { at, commandId, amount });
const reversing =
  (redemptionId = 'redeem', commandId = 'reverse') =>
  (state: GiftCardState) =>
    reverse(state, { at, commandId, redemptionId });

describe('A gift card', () => {
  it('is issued once, for a positive amount', () => {
    given().when(issuing(5_000)).then(issued(5_000));
    given().when(issuing(0)).thenRejected('InvalidAmount');
    given(issued(5_000)).when(issuing(5_000, 'another')).thenRejected('AlreadyIssued');
  });

  it('is redeemed up to its balance, and not beyond', () => {
    given(issued(5_000), redeemed(2_000)).when(redeeming(3_000, 'second')).then(redeemed(3_000, 'second'));
    given(issued(5_000), redeemed(2_000)).when(redeeming(3_001, 'second')).thenRejected('BalanceTooLow');
    given().when(redeeming(1)).thenRejected('CardNotFound');
  });

  it('has what a reversal gives back', () => {
    given(issued(5_000), redeemed(5_000))
      .when(reversing())
      .and.when(redeeming(5_000, 'second'))
      .then(redeemed(5_000, 'second'));
  });

  it('reverses a redemption once', () => {
    given(issued(5_000), redeemed(1), reversed(1))
      .when(reversing('redeem', 'again'))
      .thenRejected('AlreadyReversed');
    given(issued(5_000)).when(reversing()).thenRejected('RedemptionNotFound');
  });

  it('is changed once by a command that comes twice', () => {
    given(issued(5_000)).when(issuing(5_000)).thenNothing();
    given(issued(5_000), redeemed(2_000)).when(redeeming(2_000)).thenNothing();
    given(issued(5_000), redeemed(1), reversed(1)).when(reversing()).thenNothing();
  });
});

describe('The stored events of a gift card', () => {
  codecContract(giftCardCodec, fileURLToPath(new URL('./fixtures', import.meta.url)), {
    CardIssued: { at, commandId: 'c1', amount: 5_000, currency: 'USD' },
    CardRedeemed: { at, commandId: 'c2', amount: 2_000 },
    RedemptionReversed: { at, commandId: 'c3', redemptionId: 'c2', amount: 2_000 },
  });
});
