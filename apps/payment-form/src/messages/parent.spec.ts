import type { FormMessage } from '@tillstream/contracts';
import { ACH, formSession } from '../testing/sessions.fixture.js';
import { parentOrigin, type Embedding } from './parent.origin.js';
import { ParentWindow } from './parent.window.js';

const shop = 'https://shop.example';
const allowed = [shop];

describe('The origin for messages', () => {
  const rows: readonly (readonly [string, Embedding, string | undefined])[] = [
    ['of an allowed parent', { isEmbedded: true, ancestorOrigins: [shop], referrer: '' }, shop],
    [
      'is of the nearest window, not of one further out',
      { isEmbedded: true, ancestorOrigins: ['https://evil.example', shop], referrer: `${shop}/` },
      undefined,
    ],
    ['follows from the referrer in Firefox', { isEmbedded: true, referrer: `${shop}/cart?a=1` }, shop],
    [
      'is none for a parent that is not allowed',
      { isEmbedded: true, referrer: 'https://evil.example/' },
      undefined,
    ],
    [
      'is none for a similar name',
      { isEmbedded: true, referrer: 'https://shop.example.evil.example/' },
      undefined,
    ],
    ['is none if the parent is unknown', { isEmbedded: true, referrer: '' }, undefined],
    ['is none for a page that is not embedded', { isEmbedded: false, referrer: `${shop}/` }, undefined],
  ];
  it.each(rows)('%s', (_, embedding, origin) => {
    expect(parentOrigin(embedding, allowed)).toBe(origin);
  });
});

describe('Messages to the parent', () => {
  const received: FormMessage[] = [];
  const parent = (): ParentWindow => new ParentWindow((message) => received.push(message));
  beforeEach(() => received.splice(0));

  it('have the facts of the transaction, and nothing else', () => {
    const { transactionId, referenceId, ...session } = formSession({
      status: 'Completed',
      resultCode: 0,
      responseCode: 1,
    });
    parent().ended({ transactionId, referenceId, ...session });
    expect(received).toEqual([
      {
        source: 'payment-form',
        type: 'completed',
        transactionId,
        referenceId,
        status: 'Completed',
        resultCode: 0,
        responseCode: 1,
      },
    ]);
  });

  it('come once for each end: an unknown outcome, then the known one', () => {
    const one = parent();
    const unknown = formSession({ status: 'Interrupted' });
    one.ended(unknown);
    one.ended({ ...unknown });
    one.ended({ ...unknown, status: 'Completed', responseCode: 1 });
    expect(received.map(({ type }) => type)).toEqual(['failed', 'completed']);
  });

  it('do not come for a failed attempt that is not the last', () => {
    parent().ended(formSession({ resultCode: 6900, responseCode: 10, triesLeft: 4 }));
    expect(received).toEqual([]);
  });

  it('have the kind of the form, if it failed', () => {
    parent().ended(formSession({ ...ACH, status: 'Completed', resultCode: 0, responseCode: 10 }));
    expect(received).toMatchObject([{ type: 'failed', responseCode: 10, paymentMethodType: 'VirtualAch' }]);
  });

  it('have the code of an error, and no more of it', () => {
    const session = formSession(ACH);
    parent().failed(6300, session);
    const { transactionId, referenceId } = session;
    expect(received).toEqual([
      {
        source: 'payment-form',
        type: 'error',
        transactionId,
        referenceId,
        paymentMethodType: 'VirtualAch',
        code: 6300,
      },
    ]);
  });

  it('have the height in whole pixels, once for each change', () => {
    const one = parent();
    for (const height of [500.2, 500.7, 620]) one.resized(height);
    expect(received.map(({ type, height }) => [type, height])).toEqual([
      ['resize', 501],
      ['resize', 620],
    ]);
  });
});
