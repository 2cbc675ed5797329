import fc from 'fast-check';
import type { AmountChoice, PaymentAction } from './operation-arbitraries.testing.js';

/* Arbitrary histories of bank payments: answers, returns and notices in any order and number, among refunds. */

/** As `PaymentAction` counts: 0 is the newest operation, -1 the payment itself. */
const of = fc.constantFrom(0, 0, 1, 2, -1, -1);
const amount = fc.constantFrom<AmountChoice>('omitted', 'one', 'half', 'open', 'aboveOpen', 'all');

const open: fc.Arbitrary<PaymentAction> = fc.record({
  does: fc.constant('open' as const),
  kind: fc.constant('Sale' as const),
  channel: fc.constant('Ach' as const),
  form: fc.boolean(),
  amount: fc.integer({ min: 1, max: 10_000 }),
});

const bankAction: fc.Arbitrary<PaymentAction> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constant('answer' as const),
      of,
      try: fc.constant(0),
      says: fc.constantFrom(
        'Submitted' as const,
        'Approved' as const,
        'Approved' as const,
        'Declined' as const,
      ),
      amount: fc.constant('all' as const),
      source: fc.constantFrom('Answer' as const, 'Inquiry' as const, 'Bank' as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('ask' as const),
      verb: fc.constantFrom('refund' as const, 'refund' as const, 'refund' as const, 'void' as const),
      of,
      amount,
      repeated: fc.boolean(),
      breakdown: fc.constant(false),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('return' as const), of, amount, id: fc.nat({ max: 2 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constantFrom('batch' as const, 'notice' as const), of }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constantFrom('interrupt' as const, 'notSent' as const, 'notExecuted' as const),
      of,
      try: fc.constant(0),
    }),
  },
);

const submitForm: PaymentAction = { does: 'submitForm', repeated: false };

/** A form is submitted at once: what customers do at forms is no subject here. */
export const bankPaymentActions: fc.Arbitrary<readonly PaymentAction[]> = fc
  .tuple(open, fc.array(bankAction, { maxLength: 40, size: 'max' }))
  .map(([first, rest]) => [first, submitForm, ...rest]);
