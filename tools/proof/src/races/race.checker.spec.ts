import type { PaymentEvent } from '@tillstream/domain';
import { newRequest, type PaymentRequestKind } from '../support/client.request.js';
import { EvidenceFixture } from '../audit/evidence.fixture.js';
import { checkResponse, expectedResult } from './race.checker.js';

/** An authorization of 1000, captured with 700, 200 of it given back. */
const fixture = new EvidenceFixture();
const auth = fixture.open('Auth', 1_000);
const captured = fixture.followUp('Capture', auth, 700);
fixture.followUp('Refund', captured, 200);
const [history] = fixture.evidence(500).histories;

describe('the expected result of a follow-up', () => {
  it.each([
    ['Capture', auth, 300, 'begins'],
    ['Capture', auth, 301, 2012],
    ['Capture', auth, undefined, 2012],
    ['Void', auth, undefined, 'begins'],
    ['Refund', auth, 100, 2011],
    ['Refund', captured, 500, 'begins'],
    ['Refund', captured, 501, 2012],
    ['Void', captured, undefined, 2012],
    ['Capture', captured, 100, 2011],
  ] as const)('%s of %s over %s: %s', (kind, original, amount, expected) => {
    expect(expectedResult(fixture.events, kind, original, amount)).toBe(expected);
  });

  it('an amount that fits only after held amounts come back has to wait', () => {
    const held = fixture.events.slice(
      0,
      fixture.events.findIndex(({ type }) => type === 'Captured'),
    );
    expect(expectedResult(held, 'Capture', auth, 300)).toBe('begins');
    expect(expectedResult(held, 'Capture', auth, 301)).toBe(3401);
    expect(expectedResult(held, 'Capture', auth, 1_001)).toBe(2012);
    expect(expectedResult(held, 'Capture', auth, undefined)).toBe(3401);
  });
});

describe('the check of a response', () => {
  const refused = (kind: PaymentRequestKind, amount: number, status: number, code: number) => {
    if (!history) throw new Error('the evidence has one history');
    const one = newRequest(kind, { originalTransactionId: auth, amount });
    const [since = 0] = history.times;
    const text = JSON.stringify({ code, status: 'Rejected', errorDetails: [] });
    // Sent after all events were written.
    const response = { status, text, replayed: false, sentAt: since + 60_000, receivedAt: since + 60_001 };
    return checkResponse(one, response, history).complaint;
  };

  it('accepts that nothing was sent only if the history says so at that time', () => {
    if (!history) throw new Error('the evidence has one history');
    const one = newRequest('Capture', { originalTransactionId: auth, amount: 100 });
    const text = JSON.stringify({ code: 9000, status: 'Rejected', errorDetails: [] });
    const complaint = (receivedAt: number): string | undefined => {
      const response = { status: 500, text, replayed: false, sentAt: receivedAt - 10, receivedAt };
      return checkResponse(one, response, missed).complaint;
    };
    const last = { type: 'NotSent', data: { operationId: auth } } as unknown as PaymentEvent;
    const missed = { ...history, events: [...history.events, last], times: [...history.times, 90_000] };
    expect(complaint(90_000)).toBeUndefined();
    expect(complaint(80_000)).toContain('answered 500/9000');
  });

  it('accepts a refusal that was due', () => {
    expect(refused('Capture', 301, 400, 2012)).toBeUndefined();
    expect(refused('Refund', 100, 400, 2011)).toBeUndefined();
  });

  it('finds a refusal of a possible request, a wrong code and a needless wait', () => {
    expect(refused('Capture', 300, 400, 2012)).toContain('possible were begins');
    expect(refused('Capture', 301, 400, 2011)).toContain('possible were 2012');
    expect(refused('Capture', 301, 409, 3401)).toContain('possible were 2012');
    expect(refused('Capture', 301, 500, 9000)).toContain('answered 500/9000');
  });
});
