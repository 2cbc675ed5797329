import type { TokenEvent } from '@tillstream/domain';
import {
  asked,
  change,
  charged,
  create,
  created,
  declined,
  history,
  later,
  ofCreation,
  removal,
  removed,
  sent,
  shownToken,
  stored,
  tokenId,
  updated,
  verified,
} from './token.operation.result.testing.js';
import { approved, ending, requested, shown, terminal, tried } from './transaction.result.testing.js';

const form = {
  sessionHash: 'h',
  expiresAt: later,
  useJavaScriptCallback: false,
  billingInfoCaptureLevel: 'Full',
  enable3DSecure: true,
  piiFields: [],
} as const;
const askedByForm = {
  ...asked,
  data: { ...asked.data, channel: 'CardNotPresent', form },
} as TokenEvent;

describe('Where the creation of a token stands is shown as docs/spec/transactions.md#endings has it', () => {
  const rows: [what: string, events: TokenEvent[], ending: string][] = [
    ['a form that waits', [askedByForm], 'Pending 1010'],
    ['in flight', [asked, sent], 'Pending 1010'],
    ['approved', [asked, sent, created], 'Completed 0 1'],
    ['declined', [asked, sent, declined], 'Completed 0 14'],
    [
      'interrupted, and its caller was told',
      [
        asked,
        sent,
        { type: 'VerificationInterrupted', data: { ...ofCreation, cause: 'NoAnswer', lostLink: false } },
      ],
      'Interrupted 9999 0',
    ],
    [
      'interrupted, and found so after a crash',
      [
        asked,
        sent,
        { type: 'VerificationInterrupted', data: { ...ofCreation, cause: 'Abandoned', lostLink: false } },
      ],
      'Interrupted 1010',
    ],
    [
      'resolved as not executed',
      [asked, sent, { type: 'VerificationNotExecuted', data: { ...ofCreation, source: 'Annul' } }],
      'Completed 0 50',
    ],
    [
      'never sent',
      [asked, sent, { type: 'VerificationNotSent', data: { ...ofCreation, reason: 'late' } }],
      'Cancelled 9998 50',
    ],
    ...(
      [
        ['ended by the terminal', 'Terminal', 1003, 53, 'Cancelled 1003 53'],
        ['cancelled by the customer at the terminal', 'Customer', 0, 55, 'Cancelled 0 55'],
      ] as const
    ).map(([what, by, resultCode, responseCode, expected]): [string, TokenEvent[], string] => [
      what,
      [
        asked,
        sent,
        {
          type: 'VerificationCancelled',
          data: { ...ofCreation, by, source: 'Answer', resultCode, responseCode },
        },
      ],
      expected,
    ]),
    [
      'a form cancelled before any try',
      [
        askedByForm,
        {
          type: 'VerificationCancelled',
          data: { ...ofCreation, try: 0, by: 'Customer', source: 'Service', resultCode: 55 },
        },
      ],
      'Cancelled 55',
    ],
  ];
  it.each(rows)('%s', (_what, events, expected) => {
    expect(ending(shownToken(events))).toBe(expected);
  });
});

describe('The creation of a token', () => {
  it('shows the terminal while it waits, and after a decline with the card that was presented', () => {
    expect(shownToken([asked, sent]).paymentMethod).toEqual(terminal);
    const result = shownToken([asked, sent, declined]);
    expect(result.paymentMethod).toEqual(charged);
    expect(result.transactionResponses[0]?.paymentMethod).toEqual(charged);
    expect(JSON.stringify(result)).not.toContain('pmt_tkn_');
  });

  it('once approved has the new token, in its response too, and approved no money', () => {
    const { personal: _sealed, ...token } = stored;
    const result = shownToken([asked, sent, created]);
    expect(result).toEqual({
      id: create,
      referenceId: 'card-1',
      type: 'TokenCreate',
      status: 'Completed',
      resultCode: 0,
      resultText: expect.any(String),
      currency: 'USD',
      transactionResponses: [
        {
          responseCode: 1,
          amountApproved: 0,
          paymentMethod: token,
          cardType: 'VISA',
          accountType: 'Credit',
          receipt: { lines: ['APPROVED'] },
        },
      ],
      paymentMethod: token,
      accountHolderId: 'acc_1',
      gatewayTransactionId: 'gateway-1',
      createdAt: asked.data.at,
      updatedAt: later,
    });
  });

  it('has the 3-D Secure facts, but never at a terminal', () => {
    const threeDs = { status: 'Authenticated', eci: '05' } as const;
    const withFacts: TokenEvent = { type: 'TokenCreated', data: { ...verified({ threeDs }), token: stored } };
    expect(shownToken([askedByForm, sent, withFacts]).threeDs).toEqual(threeDs);
    expect(shownToken([asked, sent, withFacts]).threeDs).toBeUndefined();
  });

  it('keeps what it showed when the token is changed later', () => {
    const before = shownToken([asked, sent, created]);
    expect(shownToken([asked, sent, created, updated])).toEqual(before);
  });
});

describe('An update and a removal of a token', () => {
  it('have no responses, and the token as it then is', () => {
    const updating = shownToken([asked, sent, created, updated], change);
    expect(updating).toMatchObject({
      type: 'TokenUpdate',
      status: 'Completed',
      resultCode: 0,
      transactionResponses: [],
      paymentMethod: { id: tokenId, type: 'Token', description: 'Visa of the shop' },
      accountHolderId: 'acc_2',
    });
    expect(shownToken(history, removal)).toMatchObject({ type: 'TokenRemove', transactionResponses: [] });
  });

  it('a removal shows on every operation of the token, with its number taken away', () => {
    for (const id of [create, change, removal]) {
      const result = shownToken(history, id);
      expect(result.paymentMethod).toMatchObject({
        id: tokenId,
        dateDeleted: removed.data.at,
        cardType: 'VISA',
      });
      expect(JSON.stringify(result)).not.toContain('4242');
    }
  });
});

describe('A result of a token', () => {
  it('of equal history has equal bytes', () => {
    expect(JSON.stringify(shownToken(history))).toBe(JSON.stringify(shownToken(structuredClone(history))));
  });

  it('has its fields in the order of a payment’s', () => {
    const payment = Object.keys(shown([requested(), tried(), ...approved]));
    const {
      threeDs: _threeDs,
      accountHolderId: _holder,
      gatewayTransactionId: _id,
      ...token
    } = shownToken(history);
    expect(Object.keys(token)).toEqual(payment.filter((field) => field !== 'amount'));
    expect(Object.keys(shownToken(history))).toEqual([
      'id',
      'referenceId',
      'type',
      'status',
      'resultCode',
      'resultText',
      'currency',
      'transactionResponses',
      'paymentMethod',
      'accountHolderId',
      'gatewayTransactionId',
      'createdAt',
      'updatedAt',
    ]);
  });

  it('never shows what is sealed, and leaves out what has no value', () => {
    for (const id of [create, change, removal]) {
      expect(JSON.stringify(shownToken(history, id))).not.toMatch(/secret|null|undefined/);
    }
  });

  it('does not exist for what the token does not have', () => {
    expect(() => shownToken([asked], removal)).toThrow(RangeError);
  });
});
