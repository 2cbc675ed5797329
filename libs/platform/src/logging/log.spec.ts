import { createLog } from './log.js';
import { scrub } from './log.fields.js';

function logged(fields: Record<string, unknown>, level = 'info'): Record<string, unknown> {
  const lines: string[] = [];
  createLog(level, { write: (line: string) => void lines.push(line) }).info('something', fields);
  return JSON.parse(lines[0] ?? '{}') as Record<string, unknown>;
}

describe('A log line', () => {
  it('is one JSON object with level, time and event', () => {
    expect(logged({ status: 200 })).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      event: 'something',
      status: 200,
    });
  });

  it('has only the allowed fields', () => {
    const {
      level: _level,
      time: _time,
      ...rest
    } = logged({
      body: { amount: 1 },
      headers: { 'x-api-key': 'sk_test_a' },
      card: '4242424242424242',
      url: '/v1/x',
      __proto__: { reason: 'inherited' },
      merchantId: 'mer_1',
    });
    expect(rest).toEqual({ event: 'something', merchantId: 'mer_1' });
  });

  it('has them only with the right type', () => {
    expect(
      logged({ status: { pan: '4242424242424242' }, reason: ['4242424242424242'], traceId: 7 }),
    ).not.toMatchObject({
      status: expect.anything() as unknown,
    });
  });

  it('has no card number or key in any text', () => {
    const text = JSON.stringify(
      logged({
        reason: 'card 4242424242424242, 4242 4242 4242 4242 or 378282-246310-005',
        error: `key sk_test_${'a'.repeat(32)} and ak_${'b'.repeat(32)}, whsec_c2VjcmV0`,
        stack: 'Error: 6759649826438453\n    at x',
      }),
    );
    expect(text).not.toMatch(/4242|0005|005"|aaaa|bbbb|c2Vj|6759/);
  });

  it('has ids unchanged', () => {
    const id = 'trx_01M7ZEVMZ2SK7YE6CJWG3SRP00';
    expect(logged({ transactionId: id })).toMatchObject({ transactionId: id });
  });

  it('is not written below the level', () => {
    expect(logged({}, 'warn')).toEqual({});
  });
});

describe('A long text', () => {
  it('is cut', () => {
    expect(scrub('x'.repeat(1_000))).toHaveLength(300);
  });
});
