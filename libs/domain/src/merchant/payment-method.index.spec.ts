import fc from 'fast-check';
import { evolveMerchant, noMerchant, type Merchant, type MerchantEvent } from './merchant.js';
import { findMethodOf } from './payment-method.index.js';

const AT = '2026-03-01T12:00:00.000Z';
const CREATED = {
  type: 'MerchantCreated',
  data: { at: AT, merchantId: 'mer_A', name: 'Maple', currencies: ['USD'], timeZone: 'UTC' },
} as unknown as MerchantEvent;

function next(state: Merchant | typeof noMerchant, event: MerchantEvent): Merchant {
  return evolveMerchant(state, event) as Merchant;
}

function added(paymentMethodId: string, isDefault: boolean): MerchantEvent {
  return {
    type: 'PaymentMethodAdded',
    data: { at: AT, paymentMethodId, type: 'Physical', currency: 'USD', isDefault },
  };
}

const anyStep = fc.record({
  /** Which of the states so far is continued: the service decides on a state more than once. */
  from: fc.nat(),
  id: fc.constantFrom('pm_0', 'pm_1', 'pm_2', 'pm_3', 'pm_4'),
  isDefault: fc.boolean(),
  isLookedUp: fc.boolean(),
});

describe('Looking a payment method up', () => {
  it('finds what a search finds, in each of the states that follow from one', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 20 }), (steps) => {
        const states = [next(noMerchant, CREATED)];
        for (const { from, id, isDefault, isLookedUp } of steps) {
          const state = states[from % states.length] as Merchant;
          if (isLookedUp) findMethodOf(state, id);
          const isKnown = state.paymentMethods.some((method) => method.id === id);
          const change: MerchantEvent = {
            type: 'PaymentMethodChanged',
            data: { at: AT, paymentMethodId: id, isDefault },
          };
          states.push(next(state, isKnown ? change : added(id, isDefault)));
        }
        for (const state of states)
          for (const id of ['pm_0', 'pm_1', 'pm_2', 'pm_3', 'pm_4', 'pm_5'])
            expect(findMethodOf(state, id)).toBe(state.paymentMethods.find((method) => method.id === id));
      }),
    );
  });
});
