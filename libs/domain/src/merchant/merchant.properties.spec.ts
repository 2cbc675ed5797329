import fc from 'fast-check';
import {
  changeMerchant,
  createMerchant,
  disableMerchant,
  enableMerchant,
  issueApiKey,
  revokeApiKey,
} from './merchant.decide.js';
import {
  evolveMerchant,
  foldMerchant,
  noMerchant,
  type MerchantEvent,
  type MerchantState,
  type PaymentMethodChanged,
} from './merchant.js';
import { addPaymentMethod, changePaymentMethod } from './payment-method.decide.js';

const at = '2026-03-01T12:00:00.000Z';
const id = (prefix: string) => fc.integer({ min: 0, max: 5 }).map((number) => `${prefix}_${number}`);
const currencies = fc.constantFrom(['USD'] as const, ['CAD'] as const, ['USD', 'CAD'] as const);
const currency = fc.constantFrom('USD' as const, 'CAD' as const);
const settings = fc.record(
  {
    name: fc.constantFrom('A', 'B'),
    currencies,
    cutOff: fc.constantFrom('22:00', '20:00'),
    unreferencedRefunds: fc.record(
      { enabled: fc.boolean(), dailyLimit: fc.integer({ min: 0, max: 2 }) },
      { requiredKeys: ['enabled'] },
    ),
    rateLimitPerSecond: fc.integer({ min: 0, max: 2 }),
  },
  { requiredKeys: [] },
);
const form = fc.record(
  {
    billingInfoCaptureLevel: fc.constantFrom('Minimal' as const, 'Full' as const),
    enable3DSecure: fc.boolean(),
  },
  { requiredKeys: ['billingInfoCaptureLevel'] },
);
const methodChange = fc.record(
  {
    currency,
    description: fc.constantFrom('a', 'b'),
    isDefault: fc.boolean(),
    disabled: fc.boolean(),
    formConfig: form,
    allowedOrigins: fc.subarray(['https://a.example', 'https://b.example']),
  },
  { requiredKeys: [] },
);
const newMethod = fc.record(
  {
    type: fc.constantFrom(
      'Physical' as const,
      'Virtual' as const,
      'VirtualAch' as const,
      'VirtualEft' as const,
    ),
    isDefault: fc.boolean(),
    currency,
    formConfig: form,
  },
  { requiredKeys: ['type', 'isDefault'] },
);

type Command = (state: MerchantState) => ReturnType<typeof changeMerchant>;
const key = { at, keyHash: 'ab', name: 'till', readOnly: false, lastFour: 'x7Qp' };
const command: fc.Arbitrary<Command> = fc.oneof(
  settings.map(
    (change): Command =>
      (state) =>
        changeMerchant(state, { at, ...change }),
  ),
  fc.constantFrom<Command>(
    (state) => disableMerchant(state, { at }),
    (state) => enableMerchant(state, { at }),
  ),
  fc.tuple(id('pmt'), newMethod).map(
    ([paymentMethodId, method]): Command =>
      (state) =>
        addPaymentMethod(state, { at, paymentMethodId, ...method }),
  ),
  fc.tuple(id('pmt'), methodChange).map(([paymentMethodId, change]): Command => {
    const data: PaymentMethodChanged = { at, paymentMethodId, ...change };
    return (state) => changePaymentMethod(state, data);
  }),
  id('key').map(
    (keyId): Command =>
      (state) =>
        issueApiKey(state, { ...key, keyId }),
  ),
  id('key').map(
    (keyId): Command =>
      (state) =>
        revokeApiKey(state, { at, keyId }),
  ),
);

const created = createMerchant(noMerchant, {
  at,
  merchantId: 'mer_1',
  name: 'A',
  currencies: ['USD', 'CAD'],
  timeZone: 'America/New_York',
  cutOff: '22:00',
  locale: 'en-US',
  fundingType: 'Net',
  managedWebhooks: false,
  unreferencedRefunds: { enabled: false },
});

function simulate(commands: readonly Command[], each: (state: MerchantState, run: Command) => void) {
  const history: MerchantEvent[] = created.kind === 'Accepted' ? [...created.events] : [];
  let state = foldMerchant(history);
  for (const run of commands) {
    const decision = run(state);
    if (decision.kind === 'Accepted') {
      history.push(...decision.events);
      state = decision.events.reduce(evolveMerchant, state);
    }
    each(state, run);
  }
  return { history, state };
}

describe('any sequence of commands to a merchant', () => {
  it('leaves at least one currency, and every enabled payment method in one of them', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        simulate(commands, (state) => {
          if (state.status === 'None') throw new Error('the merchant was created');
          expect(state.currencies.length).toBeGreaterThan(0);
          for (const method of state.paymentMethods) {
            if (!method.disabled) expect(state.currencies).toContain(method.currency);
          }
        });
      }),
    );
  });

  it('leaves at most one default for each type, no form on terminals, and bank forms in their currency and rules', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        simulate(commands, (state) => {
          const methods = state.status === 'None' ? [] : state.paymentMethods;
          const defaults = methods.filter(({ isDefault }) => isDefault).map(({ type }) => type);
          expect(new Set(defaults).size).toBe(defaults.length);
          for (const { type, currency: own, formConfig } of methods) {
            if (type === 'Physical') expect(formConfig).toBeUndefined();
            if (type === 'VirtualAch') expect(own).toBe('USD');
            if (type === 'VirtualEft') expect(own).toBe('CAD');
            if (type === 'VirtualAch' || type === 'VirtualEft') {
              expect(formConfig?.billingInfoCaptureLevel).not.toBe('Minimal');
              expect(formConfig?.enable3DSecure).not.toBe(true);
            }
          }
        });
      }),
    );
  });

  it('adds no event when it is repeated, and the history folds to the same merchant', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        const { history, state } = simulate(commands, (now, run) => {
          const again = run(now);
          if (again.kind === 'Accepted') expect(again.events).toEqual([]);
        });
        expect(foldMerchant(history)).toEqual(state);
      }),
    );
  });
});
