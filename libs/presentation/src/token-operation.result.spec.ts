import type { TokenEvent } from '@tillstream/domain';
import {
  tokenRequested,
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
  verificationRequested,
  presentedTokenResult,
  stored,
  tokenId,
  updated,
  verified,
} from './token-operation.result.testing.js';
import {
  approved,
  statusLine,
  requested,
  presentedResult,
  terminal,
  attemptRequested,
} from './transaction.result.testing.js';

const form = {
  sessionHash: 'h',
  expiresAt: later,
  useJavaScriptCallback: false,
  billingInfoCaptureLevel: 'Full',
  enable3DSecure: true,
  piiFields: [],
} as const;
const askedByForm = {
  ...tokenRequested,
  data: { ...tokenRequested.data, channel: 'CardNotPresent', form },
} as TokenEvent;

describe('The status of a token creation follows docs/spec/transactions.md#endings', () => {
  const rows: [what: string, events: TokenEvent[], ending: string][] = [
    ['a form that waits for its customer', [askedByForm], 'Pending 1010'],
    ['in flight', [tokenRequested, verificationRequested], 'Pending 1010'],
    ['approved', [tokenRequested, verificationRequested, created], 'Completed 0 1'],
    ['declined', [tokenRequested, verificationRequested, declined], 'Completed 0 14'],
    [
      'interrupted with an answer to its client',
      [
        tokenRequested,
        verificationRequested,
        { type: 'VerificationInterrupted', data: { ...ofCreation, cause: 'NoAnswer', lostLink: false } },
      ],
      'Interrupted 9999 0',
    ],
    [
      'interrupted, and found so after a crash',
      [
        tokenRequested,
        verificationRequested,
        { type: 'VerificationInterrupted', data: { ...ofCreation, cause: 'Abandoned', lostLink: false } },
      ],
      'Interrupted 1010',
    ],
    [
      'resolved as not executed',
      [
        tokenRequested,
        verificationRequested,
        { type: 'VerificationNotExecuted', data: { ...ofCreation, source: 'Annul' } },
      ],
      'Completed 0 50',
    ],
    [
      'never sent',
      [
        tokenRequested,
        verificationRequested,
        { type: 'VerificationNotSent', data: { ...ofCreation, reason: 'late' } },
      ],
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
        tokenRequested,
        verificationRequested,
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
  it.each(rows)('%s', (_title, events, expected) => {
    expect(statusLine(presentedTokenResult(events))).toBe(expected);
  });
});

describe('The creation of a token', () => {
  it('shows the terminal while it is pending, and the presented card after a decline', () => {
    expect(presentedTokenResult([tokenRequested, verificationRequested]).paymentMethod).toEqual(terminal);
    const result = presentedTokenResult([tokenRequested, verificationRequested, declined]);
    expect(result.paymentMethod).toEqual(charged);
    expect(result.transactionResponses[0]?.paymentMethod).toEqual(charged);
    expect(JSON.stringify(result)).not.toContain('pmt_tkn_');
  });

  it('after an approval has the new token, also in its response, and no approved amount', () => {
    const { personal: _sealed, ...token } = stored;
    const result = presentedTokenResult([tokenRequested, verificationRequested, created]);
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
      createdAt: tokenRequested.data.at,
      updatedAt: later,
    });
  });

  it('has the 3-D Secure facts, but never at a terminal', () => {
    const threeDs = { status: 'Authenticated', eci: '05' } as const;
    const withFacts: TokenEvent = { type: 'TokenCreated', data: { ...verified({ threeDs }), token: stored } };
    expect(presentedTokenResult([askedByForm, verificationRequested, withFacts]).threeDs).toEqual(threeDs);
    expect(presentedTokenResult([tokenRequested, verificationRequested, withFacts]).threeDs).toBeUndefined();
  });

  it('does not show later changes of the token', () => {
    const before = presentedTokenResult([tokenRequested, verificationRequested, created]);
    expect(presentedTokenResult([tokenRequested, verificationRequested, created, updated])).toEqual(before);
  });
});

describe('An update and a removal of a token', () => {
  it('have no responses, and the token after the change', () => {
    const updating = presentedTokenResult([tokenRequested, verificationRequested, created, updated], change);
    expect(updating).toMatchObject({
      type: 'TokenUpdate',
      status: 'Completed',
      resultCode: 0,
      transactionResponses: [],
      paymentMethod: { id: tokenId, type: 'Token', description: 'Visa of the shop' },
      accountHolderId: 'acc_2',
    });
    expect(presentedTokenResult(history, removal)).toMatchObject({
      type: 'TokenRemove',
      transactionResponses: [],
    });
  });

  it('a removal shows on every operation of the token, without the number', () => {
    for (const id of [create, change, removal]) {
      const result = presentedTokenResult(history, id);
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
  it('has equal bytes for an equal history', () => {
    expect(JSON.stringify(presentedTokenResult(history))).toBe(
      JSON.stringify(presentedTokenResult(structuredClone(history))),
    );
  });

  it('has its fields in the order of a payment’s', () => {
    const payment = Object.keys(presentedResult([requested(), attemptRequested(), ...approved]));
    const {
      threeDs: _threeDs,
      accountHolderId: _holder,
      gatewayTransactionId: _id,
      ...token
    } = presentedTokenResult(history);
    expect(Object.keys(token)).toEqual(payment.filter((field) => field !== 'amount'));
    expect(Object.keys(presentedTokenResult(history))).toEqual([
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

  it('never shows sealed data, and leaves out absent fields', () => {
    for (const id of [create, change, removal]) {
      expect(JSON.stringify(presentedTokenResult(history, id))).not.toMatch(/secret|null|undefined/);
    }
  });

  it('does not exist for an unknown operation', () => {
    expect(() => presentedTokenResult([tokenRequested], removal)).toThrow(RangeError);
  });
});
