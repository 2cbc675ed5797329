import fc from 'fast-check';
import { saleBody, SIGNED_AT } from '../testing/deliveries.testing.js';
import { WebhookRefusedError } from '../webhook.errors.js';
import { newManagedSecret } from './secrets.js';
import { signLegacy, signManaged } from './sign.js';
import { verifyWebhook } from './verify.js';

const key = fc.uint8Array({ minLength: 24, maxLength: 64 });
const managedSecret = key.map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`);
const legacySecret = fc.string({ minLength: 16, maxLength: 128, unit: 'binary' });
const id = fc.stringMatching(/^msg_[0-9A-Z]{1,26}$/);
const anyBytes = fc.uint8Array({ maxLength: 2_000 });
/** The body of an event with any text in it. */
const eventBody = fc.string({ unit: 'binary' }).map((text) => Buffer.from(saleBody('evt_01', { text })));
const now = SIGNED_AT * 1000;

const refusal = (verify: () => unknown): string => {
  try {
    verify();
    return 'Verified';
  } catch (error) {
    if (error instanceof WebhookRefusedError) return error.code;
    throw error;
  }
};

const withBitFlipped = (bytes: Uint8Array, at: number): Buffer => {
  const flipped = Buffer.from(bytes);
  const bit = at % (bytes.length * 8);
  flipped[bit >> 3]! ^= 1 << (bit & 7);
  return flipped;
};

describe('Any body bytes', () => {
  it('have the signature of their text, whether signed as bytes or as text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        managedSecret,
        legacySecret,
        id,
        (text, managed, legacy, id) => {
          const bytes = Buffer.from(text, 'utf8');
          const message = { id, timestampSeconds: SIGNED_AT, secrets: [managed] };
          expect(signManaged({ ...message, body: bytes })).toBe(signManaged({ ...message, body: text }));
          expect(signLegacy(bytes, legacy)).toBe(signLegacy(text, legacy));
        },
      ),
    );
  });

  it('that are no event pass the signature and fail as a payload only', () => {
    fc.assert(
      fc.property(anyBytes, managedSecret, legacySecret, id, (body, managed, legacy, id) => {
        const signature = signManaged({ id, timestampSeconds: SIGNED_AT, body, secrets: [managed] });
        const headers = { 'hook-id': id, 'hook-timestamp': String(SIGNED_AT), 'hook-signature': signature };
        const check = (given: Record<string, string>) =>
          refusal(() => verifyWebhook({ headers: given, body }, { secrets: { managed, legacy }, now }));
        expect(check(headers)).toBe('PayloadInvalid');
        expect(check({ 'x-legacy-wh-chksm': signLegacy(body, legacy) })).toBe('PayloadInvalid');
      }),
    );
  });
});

describe('A delivery with one flipped bit', () => {
  const flipped = (part: 'body' | 'hook-id' | 'hook-timestamp' | 'hook-signature') =>
    fc.property(eventBody, managedSecret, id, fc.nat(), (body, managed, id, at) => {
      const signature = signManaged({ id, timestampSeconds: SIGNED_AT, body, secrets: [managed] });
      const headers = { 'hook-id': id, 'hook-timestamp': String(SIGNED_AT), 'hook-signature': signature };
      const given =
        part === 'body'
          ? { headers, body: withBitFlipped(body, at) }
          : {
              // Node gives header values as latin1.
              headers: {
                ...headers,
                [part]: withBitFlipped(Buffer.from(headers[part]), at).toString('latin1'),
              },
              body,
            };
      // A tolerance without end: the signature alone has to refuse it.
      const options = { secrets: { managed }, toleranceSeconds: Infinity, now };
      expect(refusal(() => verifyWebhook(given, options))).toMatch(/SignatureWrong|HeaderInvalid/);
    });

  it.each(['body', 'hook-id', 'hook-timestamp', 'hook-signature'] as const)(
    'in its %s is refused',
    (part) => {
      fc.assert(flipped(part), { numRuns: 300 });
    },
  );

  it('in its legacy checksum or body is refused', () => {
    fc.assert(
      fc.property(eventBody, legacySecret, fc.nat(), (body, legacy, at) => {
        const checksum = signLegacy(body, legacy);
        const wrong = withBitFlipped(Buffer.from(checksum), at).toString('latin1');
        const check = (given: Uint8Array, header: string) =>
          refusal(() =>
            verifyWebhook({ headers: { 'x-legacy-wh-chksm': header }, body: given }, { secrets: { legacy } }),
          );
        expect(check(body, checksum)).toBe('Verified');
        expect(check(body, wrong)).toBe('SignatureWrong');
        expect(check(withBitFlipped(body, at), checksum)).toBe('SignatureWrong');
      }),
      { numRuns: 300 },
    );
  });

  it('in every bit of one delivery is refused', () => {
    const [body, managed, id] = [Buffer.from(saleBody()), newManagedSecret(), 'msg_01'];
    const signature = signManaged({ id, timestampSeconds: SIGNED_AT, body, secrets: [managed] });
    const headers = { 'hook-id': id, 'hook-timestamp': String(SIGNED_AT), 'hook-signature': signature };
    const verify = (given: Uint8Array) => () =>
      verifyWebhook({ headers, body: given }, { secrets: { managed }, now });
    expect(refusal(verify(body))).toBe('Verified');
    const outcomes = Array.from({ length: body.length * 8 }, (_, bit) =>
      refusal(verify(withBitFlipped(body, bit))),
    );
    expect(new Set(outcomes)).toEqual(new Set(['SignatureWrong']));
  });
});

describe('While secrets are rotated', () => {
  it('a delivery is verified if and only if sender and receiver share a secret', () => {
    const secrets = fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 3 });
    const all = Array.from({ length: 4 }, newManagedSecret);
    fc.assert(
      fc.property(secrets, secrets, eventBody, (senders, receivers, body) => {
        const of = (numbers: readonly number[]) => numbers.map((number) => all[number]!);
        const message = { id: 'msg_1', timestampSeconds: SIGNED_AT, body, secrets: of(senders) };
        const headers = {
          'hook-id': 'msg_1',
          'hook-timestamp': String(SIGNED_AT),
          'hook-signature': signManaged(message),
        };
        const shared = senders.some((number) => receivers.includes(number));
        expect(
          refusal(() => verifyWebhook({ headers, body }, { secrets: { managed: of(receivers) }, now })),
        ).toBe(shared ? 'Verified' : 'SignatureWrong');
      }),
      { numRuns: 300 },
    );
  });
});
