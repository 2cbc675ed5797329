import fc from 'fast-check';
import { openingOperationId, paymentStream, streamOfOperation } from '../payment/payment.events.js';
import { streamOfToken, streamOfTokenOperation, tokenStream } from '../token/token.events.js';
import {
  MAX_OPERATIONS,
  generatedReferenceId,
  isGeneratedReferenceId,
  formatOperationId,
  operationIdFromReference,
  operationRoot,
  parseOperationId,
  parseTokenRoot,
  formatTokenId,
  ulid,
} from './ids.js';

const ALPHABET = /^[0-9A-HJKMNP-TV-Z]+$/;
const MAX_TIME = 2 ** 48 - 1;
const time = fc.integer({ min: 0, max: MAX_TIME });
const randomBytes = fc.uint8Array({ minLength: 16, maxLength: 20 });
const address = fc.record({
  category: fc.constantFrom('payment' as const, 'token' as const),
  root: fc.tuple(time, randomBytes).map(([ms, bytes]) => operationRoot(ms, bytes)),
  number: fc.integer({ min: 0, max: MAX_OPERATIONS - 1 }),
});

describe('an operation id', () => {
  it('gives its stream and its number', () => {
    fc.assert(
      fc.property(address, (of) => {
        expect(parseOperationId(formatOperationId(of))).toEqual(of);
      }),
    );
  });

  it('is 30 characters of the ULID alphabet after its prefix', () => {
    fc.assert(
      fc.property(address, (of) => {
        const id = formatOperationId(of);
        expect(id).toHaveLength(30);
        expect(id.slice(0, 4)).toBe('trx_');
        expect(id.slice(4)).toMatch(ALPHABET);
      }),
    );
  });

  it('of the same stream sorts by its number', () => {
    fc.assert(
      fc.property(address, fc.nat({ max: MAX_OPERATIONS - 1 }), (of, other) => {
        const smaller = formatOperationId({ ...of, number: Math.min(of.number, other) });
        const greater = formatOperationId({ ...of, number: Math.max(of.number, other) });
        expect(smaller <= greater).toBe(true);
      }),
    );
  });

  it('has exactly one written form', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.stringMatching(/^trx_[0-9A-Z]{26}$/),
      fc.stringMatching(/^trx_[0-7][0-9A-HJKMNP-TV-Z]{22}[PTX][0-9A-HJKMNP-TV-Z]{2}$/),
    );
    fc.assert(
      fc.property(text, (garbage) => {
        const parsed = parseOperationId(garbage);
        if (parsed) expect(formatOperationId(parsed)).toBe(garbage);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['nothing', ''],
    ['a prefix alone', 'trx_'],
    ['another prefix', 'ref_01JQ0000000000000000000P00'],
    ['lower case', 'trx_01jq0000000000000000000p00'],
    ['a letter outside the alphabet', 'trx_01JQ000000000000000000UP00'],
    ['a time beyond 48 bits', 'trx_81JQ0000000000000000000P00'],
    ['an unknown category', 'trx_01JQ0000000000000000000X00'],
    ['too short', 'trx_01JQ0000000000000000000P0'],
    ['too long', 'trx_01JQ0000000000000000000P000'],
    ['a line after it', 'trx_01JQ0000000000000000000P00\n'],
    ['a space before it', ' trx_01JQ0000000000000000000P00'],
  ])('is not %s', (_title, text) => {
    expect(parseOperationId(text)).toBeUndefined();
  });

  it.each([-1, MAX_OPERATIONS, 0.5, Number.NaN])('has no number %d', (number) => {
    const root = '01JQ0000000000000000000';
    expect(() => formatOperationId({ category: 'payment', root, number })).toThrow(RangeError);
  });
});

describe('the stream of an operation', () => {
  it('is named by the root, and its first operation by the stream', () => {
    fc.assert(
      fc.property(address, ({ root, number }) => {
        const stream = streamOfOperation(formatOperationId({ category: 'payment', root, number }));
        expect(stream).toBe(paymentStream(root));
        expect(openingOperationId(paymentStream(root))).toBe(
          formatOperationId({ category: 'payment', root, number: 0 }),
        );
      }),
    );
  });

  it('is a payment stream only for operations of payments', () => {
    expect(streamOfOperation('trx_01JQ0000000000000000000T00')).toBeUndefined();
    expect(streamOfOperation('garbage')).toBeUndefined();
  });
});

describe('a ULID', () => {
  it('is 26 characters of its alphabet and sorts by time', () => {
    fc.assert(
      fc.property(time, time, randomBytes, (first, second, bytes) => {
        const id = ulid(first, bytes);
        expect(id).toMatch(ALPHABET);
        expect(id).toHaveLength(26);
        if (first !== second) expect(ulid(second, bytes) < id).toBe(second < first);
      }),
    );
  });

  it('encodes a known time', () => {
    expect(ulid(1469918176385, new Uint8Array(16))).toBe('01ARYZ6S410000000000000000');
    expect(ulid(MAX_TIME, new Uint8Array(16).fill(255))).toBe('7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
  });

  it('needs enough random bytes', () => {
    expect(() => ulid(0, new Uint8Array(15))).toThrow(RangeError);
    expect(() => operationRoot(0, new Uint8Array(12))).toThrow(RangeError);
    expect(operationRoot(0, new Uint8Array(13))).toHaveLength(23);
  });
});

describe('a generated reference id', () => {
  it('leads to its operation and back', () => {
    fc.assert(
      fc.property(address, (of) => {
        const id = formatOperationId(of);
        const reference = generatedReferenceId(id);
        expect(isGeneratedReferenceId(reference)).toBe(true);
        expect(operationIdFromReference(reference)).toBe(id);
      }),
    );
  });

  it.each(['ref_', 'order 7', 'trx_01JQ0000000000000000000P00', 'ref_01JQ0000000000000000000P0'])(
    'is not "%s"',
    (text) => {
      expect(isGeneratedReferenceId(text)).toBe(false);
    },
  );
});

describe('the id of a stored card', () => {
  it('gives its stream, as the ids of its operations do', () => {
    fc.assert(
      fc.property(address, ({ root, number }) => {
        const id = formatTokenId(root);
        expect(id).toHaveLength(34);
        expect(parseTokenRoot(id)).toBe(root);
        expect(streamOfToken(id)).toBe(tokenStream(root));
        expect(streamOfTokenOperation(formatOperationId({ category: 'token', root, number }))).toBe(
          tokenStream(root),
        );
        expect(
          streamOfTokenOperation(formatOperationId({ category: 'payment', root, number })),
        ).toBeUndefined();
      }),
    );
  });

  it('has exactly one written form', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.stringMatching(/^pmt_tkn_[0-7][0-9A-HJKMNP-TV-Z]{22}[PT][0-9A-HJKMNP-TV-Z]{2}$/),
      fc.stringMatching(/^pmt_tkn_[0-7][0-9A-HJKMNP-TV-Z]{22}T00$/),
    );
    fc.assert(
      fc.property(text, (garbage) => {
        const root = parseTokenRoot(garbage);
        if (root !== undefined) expect(formatTokenId(root)).toBe(garbage);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['nothing', ''],
    ['a prefix alone', 'pmt_tkn_'],
    ['a terminal', 'pmt_trm_01JQ0000000000000000000T00'],
    ['the id of its first operation', 'trx_01JQ0000000000000000000T00'],
    ['that of a payment', 'pmt_tkn_01JQ0000000000000000000P00'],
    ['that of a later operation', 'pmt_tkn_01JQ0000000000000000000T01'],
    ['lower case', 'pmt_tkn_01jq0000000000000000000t00'],
    ['too long', 'pmt_tkn_01JQ0000000000000000000T000'],
    ['a line after it', 'pmt_tkn_01JQ0000000000000000000T00\n'],
  ])('is not %s', (_title, text) => {
    expect(parseTokenRoot(text)).toBeUndefined();
    expect(streamOfToken(text)).toBeUndefined();
  });
});
