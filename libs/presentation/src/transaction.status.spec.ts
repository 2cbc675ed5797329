import { resultText } from '@tillstream/contracts';
import { type PaymentEvent } from '@tillstream/domain';
import {
  approved,
  bank,
  byForm,
  statusLine,
  formFailed,
  goods,
  later,
  ofSale,
  outcome,
  requested,
  sale,
  second,
  presentedResult,
  submitted,
  attemptRequested,
} from './transaction.result.testing.js';

describe('The status of an operation follows docs/spec/transactions.md#endings', () => {
  const rows: [what: string, events: PaymentEvent[], ending: string][] = [
    ['in flight', [requested(), attemptRequested()], 'Pending 1010'],
    ['approved', [requested(), attemptRequested(), ...approved], 'Completed 0 1'],
    [
      'declined',
      [
        requested(),
        attemptRequested(),
        { type: 'Declined', data: { ...outcome({ responseCode: 11 }), resultCode: 0 } },
      ],
      'Completed 0 11',
    ],
    [
      'interrupted with an answer to its client',
      [
        requested(),
        attemptRequested(),
        { type: 'Interrupted', data: { ...ofSale, try: 1, cause: 'NoAnswer', lostLink: false } },
      ],
      'Interrupted 9999 0',
    ],
    [
      'interrupted, and found so after a crash',
      [
        requested(),
        attemptRequested(),
        { type: 'Interrupted', data: { ...ofSale, try: 1, cause: 'Abandoned', lostLink: false } },
      ],
      'Interrupted 1010',
    ],
    [
      'resolved as not executed',
      [
        requested(),
        attemptRequested(),
        { type: 'NotExecuted', data: { ...ofSale, try: 1, source: 'Annul' } },
      ],
      'Completed 0 50',
    ],
    [
      'never sent',
      [requested(), attemptRequested(), { type: 'NotSent', data: { ...ofSale, try: 1, reason: 'r' } }],
      'Cancelled 9998 50',
    ],
    [
      'ended by the terminal',
      [
        requested(),
        attemptRequested(),
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
        attemptRequested(),
        {
          type: 'Cancelled',
          data: { ...ofSale, try: 1, by: 'Customer', source: 'Answer', resultCode: 0, responseCode: 55 },
        },
      ],
      'Cancelled 0 55',
    ],
    ['a form that waits for its customer', [byForm], 'Pending 1010'],
    [
      'a form with a declined attempt',
      [byForm, attemptRequested(1), formFailed(1, 6900, 11)],
      'Pending 6900 11',
    ],
    [
      'a form with a second try in flight',
      [byForm, attemptRequested(1), formFailed(1, 6900, 11), attemptRequested(2)],
      'Pending 1010 11',
    ],
    [
      'a form with two failed tries, newest first',
      [byForm, attemptRequested(1), formFailed(1, 6900, 11), attemptRequested(2), formFailed(2, 6901, 50)],
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
        attemptRequested(1),
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
      [requested({ channel: 'Ach', paymentMethod: bank, byForm: true }), attemptRequested(), submitted(bank)],
      'Processing 0 57',
    ],
    [
      'a bank payment by token',
      [
        requested({ channel: 'Ach', paymentMethod: { ...bank, type: 'Token' } }),
        attemptRequested(),
        submitted({ ...bank, type: 'Token' }),
      ],
      'Processing 4001 57',
    ],
  ];
  it.each(rows)('%s', (_title, events, expected) => {
    const result = presentedResult(events);
    expect(statusLine(result)).toBe(expected);
    expect(result.resultText).toBe(resultText(result.resultCode));
  });

  it('an open challenge has 4100 and its redirect URL', () => {
    const result = presentedResult([
      byForm,
      attemptRequested(),
      {
        type: 'ChallengeOpened',
        data: { ...ofSale, try: 1, challengeId: 'x', redirectUrl: 'https://acs.example/x', expiresAt: later },
      },
    ]);
    expect(statusLine(result)).toBe('Pending 4100');
    expect(result.threeDsChallenge).toEqual({ redirectUrl: 'https://acs.example/x' });
  });

  it('the account type is in lower case only while a hosted bank payment is being processed', () => {
    const waiting = presentedResult([
      requested({ channel: 'Ach', paymentMethod: bank, byForm: true }),
      attemptRequested(),
      submitted(bank),
    ]);
    expect(waiting.transactionResponses[0]?.accountType).toBe('checking');
  });

  it('a refund of a hosted bank payment is being processed, with the account type as stored', () => {
    const approvedByBank: PaymentEvent = {
      type: 'Captured',
      data: {
        ...outcome({ channel: 'Ach', paymentMethod: bank, accountType: 'Checking' }),
        amount: 1_000,
        amountBreakdown: goods,
        originalOperationId: sale,
      },
    };
    const ofRefund = { at: later, operationId: second, commandId: 'c2' };
    const refund: PaymentEvent[] = [
      {
        type: 'RefundRequested',
        data: { ...ofRefund, referenceId: 'r', amount: 400, originalOperationId: sale, executedAs: 'Refund' },
      },
      attemptRequested(1, second),
      { type: 'Submitted', data: { ...outcome({ responseCode: 57, accountType: 'Checking' }), ...ofRefund } },
    ];
    const history = [
      requested({ channel: 'Ach', paymentMethod: bank, byForm: true }),
      attemptRequested(),
      submitted(bank),
    ];
    const result = presentedResult([...history, approvedByBank, ...refund], second);
    expect(statusLine(result)).toBe('Processing 4001 57');
    expect(result.transactionResponses[0]?.accountType).toBe('Checking');
  });
});
