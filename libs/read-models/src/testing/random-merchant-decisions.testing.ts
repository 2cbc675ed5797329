import {
  addPaymentMethod,
  changeMerchant,
  changePaymentMethod,
  createMerchant,
  disableMerchant,
  enableMerchant,
  type MerchantState,
} from '@tillstream/domain';
import { pickRandom, type RandomChoice } from './random-decisions.testing.js';

export function randomMerchantDecision(
  state: MerchantState,
  at: string,
  choose: RandomChoice,
  stream: string,
) {
  if (state.status === 'None') {
    return createMerchant(state, {
      at,
      merchantId: stream.slice('merchant-'.length),
      name: 'Maple Street Books',
      currencies: ['USD', 'CAD'],
      timeZone: 'America/New_York',
      cutOff: '22:00',
      locale: 'en-US',
      fundingType: 'Net',
      managedWebhooks: false,
      unreferencedRefunds: { enabled: true },
    });
  }
  const paymentMethodId = `pmt_${state.id}_${choose(6)}`;
  if (choose(4) === 0) return ownChange(state, at, choose);
  return choose(3) === 0
    ? changePaymentMethod(state, {
        at,
        paymentMethodId,
        disabled: choose(2) === 0,
        ...(choose(3) === 0 && { isDefault: true }),
        ...(choose(2) === 0 && { description: `till ${choose(3)}` }),
      })
    : addPaymentMethod(state, {
        at,
        paymentMethodId,
        type: pickRandom(choose, ['Physical', 'Virtual'] as const),
        currency: pickRandom(choose, ['USD', 'CAD'] as const),
        isDefault: choose(2) === 0,
      });
}

function ownChange(state: MerchantState, at: string, choose: RandomChoice) {
  switch (choose(3)) {
    case 0:
      return disableMerchant(state, { at });
    case 1:
      return enableMerchant(state, { at });
    default:
      return changeMerchant(state, { at, name: `Shop ${choose(5)}`, rateLimitPerSecond: choose(3) });
  }
}
