import { resultText, type TransactionResult } from '@tillstream/contracts';
import {
  foldPayment,
  type OperationId,
  type Payment,
  type PaymentEvent,
  type PaymentMethodSnapshot,
  type TryOutcome,
} from '@tillstream/domain';
import { transactionResult } from './transaction.result.js';

const at = '2026-08-03T12:00:00.000Z';
const later = '2026-08-03T12:00:05.000Z';
const sale: OperationId = 'trx_01J0000000000000000000AP00';
const second: OperationId = 'trx_01J0000000000000000000AP01';
const terminal: PaymentMethodSnapshot = { id: 'pmt_trm_1', type: 'Physical', currency: 'USD' };
const charged: PaymentMethodSnapshot = {
  ...terminal,
  cardType: 'VISA',
  maskedCardNumber: '************4242',
};

interface Way {
  readonly channel?: Payment['channel'];
  readonly paymentMethod?: PaymentMethodSnapshot;
  readonly byForm?: boolean;
}

const form = {
  sessionHash: 'h',
  expiresAt: later,
  useJavaScriptCallback: false,
  billingInfoCaptureLevel: 'Full',
  enable3DSecure: false,
  piiFields: [],
} as const;

const requested = ({
  channel = 'CardPresent',
  paymentMethod = terminal,
  byForm = false,
}: Way = {}): PaymentEvent => ({
  type: 'SaleRequested',
  data: {
    at,
    operationId: sale,
    commandId: 'c1',
    referenceId: 'order-1',
    amount: 1_000,
    merchantId: 'mer_1',
    currency: 'USD',
    channel,
    paymentMethod,
    ...(byForm && { form }),
  },
});
const tried = (number = 1, operationId = sale): PaymentEvent => ({
  type: 'TryRequested',
  data: {
    at,
    operationId,
    commandId: `c${number}`,
    try: number,
    executedAs: 'Sale',
    amount: 1_000,
    sendBefore: later,
    processor: 'sandbox',
    processorAccount: 'a',
  },
});
const outcome = (more: Partial<TryOutcome> = {}): TryOutcome => ({
  at: later,
  operationId: sale,
  commandId: 'c1',
  try: 1,
  source: 'Answer',
  responseCode: 1,
  channel: 'CardPresent',
  paymentMethod: charged,
  receiptLines: ['APPROVED'],
  ...more,
});
const goods = { amountGoodsAndServices: 1_000, tax: 0, cashback: 0, tip: 0 };
const approved: PaymentEvent[] = [
  {
    type: 'Authorized',
    data: { ...outcome(), amount: 1_000, requestedAmount: 1_000, amountBreakdown: goods },
  },
  {
    type: 'Captured',
    data: {
      ...outcome({ receiptLines: [] }),
      amount: 1_000,
      amountBreakdown: goods,
      originalOperationId: sale,
    },
  },
];
const ofSale = { at: later, operationId: sale };

const shown = (events: PaymentEvent[], id = sale): TransactionResult =>
  transactionResult(foldPayment(events) as Payment, id);
const ending = ({ status, resultCode, transactionResponses }: TransactionResult) =>
  [status, resultCode, ...transactionResponses.map(({ responseCode }) => responseCode)].join(' ');

const formFailed = (
  number: number,
  resultCode: number,
  responseCode: TryOutcome['responseCode'],
): PaymentEvent => ({
  type: 'TryFailed',
  data: {
    ...outcome({ try: number, responseCode, channel: 'CardNotPresent' }),
    resultCode,
    cause: 'Declined',
  },
});
const byForm = requested({ channel: 'CardNotPresent', byForm: true });
const bank: PaymentMethodSnapshot = { id: 'pmt_ach_1', type: 'VirtualAch', currency: 'USD' };
const submitted = (paymentMethod: PaymentMethodSnapshot): PaymentEvent => ({
  type: 'Submitted',
  data: outcome({
    responseCode: 57,
    channel: 'Ach',
    paymentMethod,
    accountType: 'Checking',
    receiptLines: [],
  }),
});

describe('Where an operation stands is shown as decisions.md 2.3 has it', () => {
  const rows: [what: string, events: PaymentEvent[], ending: string][] = [
    ['in flight', [requested(), tried()], 'Pending 1010'],
    ['approved', [requested(), tried(), ...approved], 'Completed 0 1'],
    [
      'declined',
      [requested(), tried(), { type: 'Declined', data: { ...outcome({ responseCode: 11 }), resultCode: 0 } }],
      'Completed 0 11',
    ],
    [
      'interrupted, and its caller was told',
      [
        requested(),
        tried(),
        { type: 'Interrupted', data: { ...ofSale, try: 1, cause: 'NoAnswer', lostLink: false } },
      ],
      'Interrupted 9999 0',
    ],
    [
      'interrupted, and found so after a crash',
      [
        requested(),
        tried(),
        { type: 'Interrupted', data: { ...ofSale, try: 1, cause: 'Abandoned', lostLink: false } },
      ],
      'Interrupted 1010',
    ],
    [
      'resolved as not executed',
      [requested(), tried(), { type: 'NotExecuted', data: { ...ofSale, try: 1, source: 'Annul' } }],
      'Completed 0 50',
    ],
    [
      'never sent',
      [requested(), tried(), { type: 'NotSent', data: { ...ofSale, try: 1, reason: 'r' } }],
      'Cancelled 9998 50',
    ],
    [
      'ended by the terminal',
      [
        requested(),
        tried(),
        {
          type: 'Cancelled',
          data: { ...ofSale, try: 1, by: 'Terminal', source: 'Answer', resultCode: 3006, responseCode: 51 },
        },
      ],
      'Cancelled 3006 51',
    ],
    [
      'cancelled by the customer at the terminal',
      [
        requested(),
        tried(),
        {
          type: 'Cancelled',
          data: { ...ofSale, try: 1, by: 'Customer', source: 'Answer', resultCode: 0, responseCode: 55 },
        },
      ],
      'Cancelled 0 55',
    ],
    ['a form that waits', [byForm], 'Pending 1010'],
    ['a form with a declined try', [byForm, tried(1), formFailed(1, 6900, 11)], 'Pending 6900 11'],
    [
      'a form with a second try in flight',
      [byForm, tried(1), formFailed(1, 6900, 11), tried(2)],
      'Pending 1010 11',
    ],
    [
      'a form with two failed tries, newest first',
      [byForm, tried(1), formFailed(1, 6900, 11), tried(2), formFailed(2, 6901, 50)],
      'Pending 6901 50 11',
    ],
    [
      'a form cancelled before any try',
      [
        byForm,
        { type: 'Cancelled', data: { ...ofSale, try: 0, by: 'Customer', source: 'Service', resultCode: 55 } },
      ],
      'Cancelled 55',
    ],
    ['a form that expired', [byForm, { type: 'FormExpired', data: ofSale }], 'Expired 3010'],
    [
      'a form that is over after a failed try',
      [
        byForm,
        tried(1),
        formFailed(1, 6800, 17),
        {
          type: 'Declined',
          data: { ...outcome({ responseCode: 17, channel: 'CardNotPresent' }), resultCode: 6800 },
        },
      ],
      'Completed 6800 17',
    ],
    [
      'a bank payment by form',
      [requested({ channel: 'Ach', paymentMethod: bank, byForm: true }), tried(), submitted(bank)],
      'Processing 0 57',
    ],
    [
      'a bank payment by token',
      [
        requested({ channel: 'Ach', paymentMethod: { ...bank, type: 'Token' } }),
        tried(),
        submitted({ ...bank, type: 'Token' }),
      ],
      'Processing 4001 57',
    ],
  ];
  it.each(rows)('%s', (_what, events, expected) => {
    const result = shown(events);
    expect(ending(result)).toBe(expected);
    expect(result.resultText).toBe(resultText(result.resultCode));
  });

  it('a challenge that is open: 4100 with where to go', () => {
    const result = shown([
      byForm,
      tried(),
      {
        type: 'ChallengeOpened',
        data: { ...ofSale, try: 1, challengeId: 'x', redirectUrl: 'https://acs.example/x', expiresAt: later },
      },
    ]);
    expect(ending(result)).toBe('Pending 4100');
    expect(result.threeDsChallenge).toEqual({ redirectUrl: 'https://acs.example/x' });
  });

  it('a bank’s account type is in lower case only while its form’s payment waits', () => {
    const waiting = shown([
      requested({ channel: 'Ach', paymentMethod: bank, byForm: true }),
      tried(),
      submitted(bank),
    ]);
    expect(waiting.transactionResponses[0]?.accountType).toBe('checking');
  });
});

describe('A result', () => {
  it('of equal history has equal bytes', () => {
    const events = [requested(), tried(), ...approved];
    expect(JSON.stringify(shown(events))).toBe(JSON.stringify(shown(structuredClone(events))));
  });

  it('leaves out what has no value', () => {
    expect(JSON.stringify(shown([requested()]))).not.toMatch(/null|undefined/);
    expect(Object.keys(shown([requested()]))).toEqual([
      'id',
      'referenceId',
      'type',
      'status',
      'resultCode',
      'resultText',
      'amount',
      'currency',
      'transactionResponses',
      'paymentMethod',
      'createdAt',
      'updatedAt',
    ]);
  });

  it('of a follow-up shows the card of the payment, its original, and how a refund is executed', () => {
    const refund: PaymentEvent = {
      type: 'RefundRequested',
      data: {
        at,
        operationId: second,
        commandId: 'c2',
        referenceId: 'r',
        amount: 400,
        originalOperationId: sale,
        executedAs: 'Void',
      },
    };
    expect(shown([requested(), tried(), ...approved, refund], second)).toMatchObject({
      type: 'Refund',
      amount: 400,
      originalTransactionId: sale,
      executedAs: 'Void',
      paymentMethod: { cardType: 'VISA', maskedCardNumber: '************4242' },
    });
  });

  it('has the batch that took it', () => {
    const batched: PaymentEvent = { type: 'Batched', data: { ...ofSale, batchId: 'bat_1', amount: 1_000 } };
    expect(shown([requested(), tried(), ...approved, batched])).toMatchObject({
      batchId: 'bat_1',
      updatedAt: later,
    });
  });

  it('has the 3-D Secure facts, but never at a terminal', () => {
    const threeDs = { status: 'Authenticated', eci: '05' } as const;
    const withFacts = (channel: TryOutcome['channel']): PaymentEvent => ({
      type: 'Declined',
      data: { ...outcome({ responseCode: 10, channel, threeDs }), resultCode: 0 },
    });
    expect(shown([byForm, tried(), withFacts('CardNotPresent')]).threeDs).toEqual(threeDs);
    expect(shown([requested(), tried(), withFacts('CardPresent')]).threeDs).toBeUndefined();
  });

  it('never shows sealed personal data', () => {
    const personal = { keyId: 'k', iv: 'iv', ciphertext: 'secret' };
    expect(JSON.stringify(shown([requested({ paymentMethod: { ...terminal, personal } })]))).not.toContain(
      'secret',
    );
  });

  it('does not exist for what the payment does not have', () => {
    expect(() => shown([requested()], second)).toThrow(RangeError);
  });
});
