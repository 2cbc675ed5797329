import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatOperationId, operationRoot, paymentStream, tokenStream } from '@tillstream/domain';
import { sha256 } from '../identifiers.js';
import { isSession, SessionIds, streamOfSession } from './session-ids.js';

const key = (byte: number): Uint8Array => Buffer.alloc(32, byte);
const operations = fc
  .record({
    time: fc.nat({ max: 2 ** 47 }),
    random: fc.uint8Array({ minLength: 13, maxLength: 13 }),
    category: fc.constantFrom('payment' as const, 'token' as const),
  })
  .map(({ time, random, category }) => ({ category, root: operationRoot(time, random) }));

describe('a session id', () => {
  it('is ses_ and 32 base62 characters, and names the stream of its operation', () => {
    fc.assert(
      fc.property(operations, ({ category, root }) => {
        const operationId = formatOperationId({ category, root, number: 0 });
        const id = new SessionIds(() => [key(1)]).create(operationId);
        expect(id).toMatch(/^ses_[0-9A-Za-z]{32}$/);
        expect(streamOfSession(id)).toBe(category === 'payment' ? paymentStream(root) : tokenStream(root));
        expect(isSession(id, sha256(id))).toBe(true);
      }),
    );
  });

  it('does not follow from the id of the operation without the key', () => {
    const operationId = formatOperationId({
      category: 'payment',
      root: '01JQ0000000000000000000',
      number: 0,
    });
    const ids = [1, 2, 3].map((byte) => new SessionIds(() => [key(byte)]).create(operationId));
    expect(new Set(ids).size).toBe(3);
    expect(isSession(ids[0] ?? '', sha256(ids[1] ?? ''))).toBe(false);
  });

  it('is found again after its key was replaced, as long as the old key is configured', () => {
    const operationId = formatOperationId({ category: 'token', root: '01JQ0000000000000000000', number: 0 });
    const before = new SessionIds(() => [key(1)]).create(operationId);
    expect(new SessionIds(() => [key(2), key(1)]).find(operationId, sha256(before))).toBe(before);
    expect(new SessionIds(() => [key(2)]).find(operationId, sha256(before))).toBeUndefined();
  });

  it('of any other text is none', () => {
    for (const text of [
      '',
      'ses_',
      `ses_${'A'.repeat(31)}`,
      `ses_${'-'.repeat(32)}`,
      `trx_${'A'.repeat(32)}`,
    ])
      expect([text, streamOfSession(text)]).toEqual([text, undefined]);
    fc.assert(
      fc.property(fc.stringMatching(/^ses_[0-9A-Za-z]{32}$/), (text) => {
        expect(['payment', 'token', undefined]).toContain(streamOfSession(text)?.split('-')[0]);
      }),
    );
  });
});
