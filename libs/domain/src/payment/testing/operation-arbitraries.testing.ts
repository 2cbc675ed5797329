import fc from 'fast-check';
import type { ThreeDsStatus } from '../../shared/codes.js';

/* Arbitrary commands on a payment, in any order, with repetitions. The simulation chooses operations and amounts. */

export type AmountChoice =
  | 'omitted'
  | 'zero'
  | 'negative'
  | 'one'
  | 'half'
  | 'open'
  | 'aboveOpen'
  | 'openAndHeld'
  | 'aboveOpenAndHeld'
  | 'all'
  | 'aboveAll'
  | 'greatest'
  | 'tooGreat';

export type PaymentAction =
  | {
      readonly does: 'open';
      readonly kind: 'Sale' | 'Auth' | 'UnreferencedRefund';
      readonly channel: 'CardPresent' | 'Token' | 'Ach';
      readonly form: boolean;
      readonly amount: number;
    }
  | {
      readonly does: 'ask';
      readonly verb: 'capture' | 'refund' | 'void';
      readonly of: number;
      readonly amount: AmountChoice;
      readonly repeated: boolean;
      readonly breakdown: boolean;
    }
  | {
      readonly does: 'answer';
      readonly of: number;
      readonly try: number;
      readonly says:
        | 'Approved'
        | 'Declined'
        | 'Submitted'
        | 'TerminalEnded'
        | 'CustomerCancelled'
        | 'ProcessorBatchClosed';
      readonly amount: 'all' | 'half' | 'aboveAll' | 'zero';
      readonly source: 'Answer' | 'LateAnswer' | 'Inquiry' | 'Operator' | 'Bank';
    }
  | {
      readonly does: 'interrupt' | 'notSent' | 'notExecuted' | 'resend' | 'openChallenge' | 'endChallenge';
      readonly of: number;
      readonly try: number;
    }
  | {
      readonly does: 'completeThreeDs';
      readonly of: number;
      readonly try: number;
      readonly status: ThreeDsStatus;
      readonly challenged: boolean;
    }
  | { readonly does: 'submitForm'; readonly repeated: boolean }
  | { readonly does: 'leaveForm' | 'expireForm' }
  | { readonly does: 'expire' | 'reverseLate'; readonly of: number }
  | { readonly does: 'batch' | 'notice' | 'chargeback' | 'batchChargeback'; readonly of: number }
  | {
      readonly does: 'return';
      readonly of: number;
      readonly amount: AmountChoice;
      readonly id: number;
    }
  | { readonly does: 'batchReturn'; readonly of: number; readonly id: number }
  | { readonly does: 'wait'; readonly hours: number };

const MAX = 999_999_999;
/** 0 is the newest operation, 1 the one before, and so on, modulo the count; -1 is the first. */
const of = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.constant(-1) },
  { weight: 3, arbitrary: fc.nat({ max: 8 }) },
);
/** 0 is the last attempt. */
const tries = fc.oneof(
  { weight: 8, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 6 }) },
);
const amount: fc.Arbitrary<AmountChoice> = fc.constantFrom(
  'omitted',
  'omitted',
  'zero',
  'negative',
  'one',
  'half',
  'half',
  'open',
  'open',
  'aboveOpen',
  'openAndHeld',
  'aboveOpenAndHeld',
  'all',
  'aboveAll',
  'greatest',
  'tooGreat',
);

const open = fc.record({
  does: fc.constant('open' as const),
  kind: fc.constantFrom('Sale' as const, 'Auth' as const, 'Auth' as const, 'UnreferencedRefund' as const),
  channel: fc.constantFrom('CardPresent' as const, 'Token' as const, 'Token' as const, 'Ach' as const),
  form: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  amount: fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.constantFrom(1, 2, 1000, MAX)),
});

const paymentAction: fc.Arbitrary<PaymentAction> = fc.oneof(
  { weight: 1, arbitrary: open },
  {
    weight: 10,
    arbitrary: fc.record({
      does: fc.constant('ask' as const),
      verb: fc.constantFrom('capture' as const, 'refund' as const, 'void' as const),
      of,
      amount,
      repeated: fc.oneof(
        { weight: 6, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
      breakdown: fc.boolean(),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      does: fc.constant('answer' as const),
      of,
      try: tries,
      says: fc.constantFrom(
        'Approved' as const,
        'Approved' as const,
        'Approved' as const,
        'Declined' as const,
        'Submitted' as const,
        'TerminalEnded' as const,
        'CustomerCancelled' as const,
        'ProcessorBatchClosed' as const,
      ),
      amount: fc.constantFrom(
        'all' as const,
        'all' as const,
        'half' as const,
        'aboveAll' as const,
        'zero' as const,
      ),
      source: fc.constantFrom(
        'Answer' as const,
        'LateAnswer' as const,
        'Inquiry' as const,
        'Operator' as const,
        'Bank' as const,
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'interrupt' as const,
        'notSent' as const,
        'notExecuted' as const,
        'resend' as const,
        'openChallenge' as const,
        'endChallenge' as const,
      ),
      of,
      try: tries,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('completeThreeDs' as const),
      of,
      try: tries,
      status: fc.constantFrom<ThreeDsStatus>('Authenticated', 'Attempted', 'Failed', 'Unavailable'),
      challenged: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('submitForm' as const), repeated: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('leaveForm' as const, 'expireForm' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom('expire' as const, 'reverseLate' as const, 'reverseLate' as const),
      of,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'batch' as const,
        'notice' as const,
        'chargeback' as const,
        'batchChargeback' as const,
      ),
      of,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('return' as const), of, amount, id: fc.nat({ max: 2 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('batchReturn' as const), of, id: fc.nat({ max: 2 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('wait' as const),
      hours: fc.constantFrom(0.1, 0.5, 24, 24 * 7),
    }),
  },
);

export const paymentActions: fc.Arbitrary<readonly PaymentAction[]> = fc
  .tuple(open, fc.array(paymentAction, { maxLength: 50, size: 'max' }))
  .map(([first, rest]) => [first, ...rest]);
