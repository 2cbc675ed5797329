import {
  LEGACY_SECRET,
  legacyDelivery,
  MANAGED_SECRET,
  managedDelivery,
  OLD_MANAGED_SECRET,
  saleBody,
  SIGNED_AT,
} from '../testing/deliveries.testing.js';
import { WebhookRefusedError, WebhookSetupError } from '../webhook.errors.js';
import type { WebhookHeaders } from './headers.js';
import { newLegacySecret, newManagedSecret, isLegacySecret, isManagedSecret } from './secrets.js';
import { signLegacy, signManaged } from './sign.js';
import { verifyWebhook } from './verify.js';
import type { VerifiedWebhook, WebhookSecrets } from './verify.js';

const body = saleBody();
const BOTH: WebhookSecrets = { managed: MANAGED_SECRET, legacy: LEGACY_SECRET };

function verified(
  headers: WebhookHeaders,
  given: { secrets?: WebhookSecrets; body?: string; at?: number } = {},
) {
  const options = { secrets: given.secrets ?? BOTH, now: (given.at ?? SIGNED_AT) * 1000 };
  return verifyWebhook({ headers, body: given.body ?? body }, options);
}

/** The code of the refusal, or the method that it was verified by. */
function outcome(headers: WebhookHeaders, given: Parameters<typeof verified>[1] = {}): string {
  try {
    return verified(headers, given).method;
  } catch (error) {
    if (error instanceof WebhookRefusedError) return error.code;
    throw error;
  }
}

describe('A managed delivery', () => {
  const headers = managedDelivery(body);
  const only = (...names: string[]) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));

  it('is returned with its event, its bytes and its signed facts', () => {
    const webhook: VerifiedWebhook = verified(headers);
    expect(webhook).toMatchObject({
      method: 'Managed',
      hookId: 'msg_01',
      timestampSeconds: SIGNED_AT,
      hookSequence: 12,
      payload: { event: { id: 'evt_01', type: 'sale.completed' } },
    });
    expect(Buffer.from(webhook.body).toString()).toBe(body);
  });

  it.each([
    ['hook', only('hook-id', 'hook-timestamp', 'hook-signature')],
    ['webhook', only('webhook-id', 'webhook-timestamp', 'webhook-signature')],
  ])('is verified by its headers %s-… alone', (_prefix, some) => {
    expect(outcome(some)).toBe('Managed');
  });

  it('is refused if a header of each set is missing: sets are not mixed', () => {
    expect(outcome(only('hook-id', 'hook-timestamp', 'webhook-id', 'webhook-signature'))).toBe(
      'SignatureMissing',
    );
  });

  it('is verified by names in any case, and by the Headers of fetch', () => {
    const upper = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]);
    expect(outcome(Object.fromEntries(upper) as Record<string, string>)).toBe('Managed');
    expect(outcome(new Headers(headers))).toBe('Managed');
    expect(outcome({ ...headers, 'hook-id': ['msg_01'] })).toBe('Managed');
  });

  it('is not verified by a header that came twice', () => {
    const twice = { ...only('hook-id', 'hook-timestamp'), 'hook-signature': ['v1,x', 'v1,y'] };
    expect(outcome(twice)).toBe('SignatureMissing');
    expect(outcome({ ...headers, 'Hook-Id': 'msg_02', 'Webhook-Id': 'msg_02' })).toBe('SignatureMissing');
  });

  it('is accepted up to 300 s before and after it was signed, and not a second more', () => {
    const at = (seconds: number) => outcome(headers, { at: SIGNED_AT + seconds });
    expect([at(-300), at(300)]).toEqual(['Managed', 'Managed']);
    expect([at(-301), at(301)]).toEqual(['TimestampTooNew', 'TimestampTooOld']);
  });

  it('has another tolerance if the receiver says so', () => {
    const at = (now: number) => () =>
      verifyWebhook({ headers, body }, { secrets: BOTH, toleranceSeconds: 10, now: now * 1000 });
    expect(at(SIGNED_AT + 10)).not.toThrow();
    expect(at(SIGNED_AT + 11)).toThrow('signed 11 s ago');
    expect(at(SIGNED_AT - 11)).toThrow('signed 11 s in the future');
  });

  it.each([
    ['hook-timestamp', '1772366400.0', 'HeaderInvalid'],
    ['hook-timestamp', '01772366400', 'HeaderInvalid'],
    ['hook-timestamp', '1e9', 'HeaderInvalid'],
    ['hook-timestamp', '-1', 'HeaderInvalid'],
    ['hook-timestamp', '', 'HeaderInvalid'],
    ['hook-timestamp', String(SIGNED_AT + 1), 'SignatureWrong'],
    ['hook-id', 'msg_02', 'SignatureWrong'],
    ['hook-id', 'msg_01.1', 'HeaderInvalid'],
    ['hook-id', '', 'HeaderInvalid'],
    ['hook-signature', '', 'HeaderInvalid'],
    ['hook-signature', 'v1', 'HeaderInvalid'],
    ['hook-signature', 'v2,abc', 'HeaderInvalid'],
    ['hook-signature', 'v1,', 'SignatureWrong'],
    ['hook-signature', 'v1,é', 'SignatureWrong'],
    ['hook-signature', Array(17).fill('v1,abc').join(' '), 'HeaderInvalid'],
  ])('with %s %j is refused: %s', (name, value, code) => {
    expect(outcome({ ...headers, [name]: value })).toBe(code);
  });

  it('is verified by any of several signatures, and ignores versions that it does not know', () => {
    const signature = `v1a,xyz v1,wrong ${headers['hook-signature']} v2,abc`;
    expect(outcome({ ...headers, 'hook-signature': signature })).toBe('Managed');
  });

  it('is verified by the new and by the old secret while both sign', () => {
    const rotated = managedDelivery(body, { secrets: [MANAGED_SECRET, OLD_MANAGED_SECRET] });
    expect(rotated['hook-signature']?.split(' ')).toHaveLength(2);
    expect(outcome(rotated, { secrets: { managed: MANAGED_SECRET } })).toBe('Managed');
    expect(outcome(rotated, { secrets: { managed: OLD_MANAGED_SECRET } })).toBe('Managed');
    expect(outcome(rotated, { secrets: { managed: newManagedSecret() } })).toBe('SignatureWrong');
  });

  it('is verified by any of several secrets of the receiver', () => {
    const secrets = { managed: [newManagedSecret(), MANAGED_SECRET] };
    expect(outcome(headers, { secrets })).toBe('Managed');
    expect(outcome(headers, { secrets: { managed: [newManagedSecret(), newManagedSecret()] } })).toBe(
      'SignatureWrong',
    );
  });

  it('is never verified by the legacy header instead', () => {
    const mixed = { ...headers, ...legacyDelivery(body), 'hook-signature': 'v1,wrong' };
    expect(outcome(mixed)).toBe('SignatureWrong');
  });
});

describe('A legacy delivery', () => {
  const headers = legacyDelivery(body);

  it('is returned with its event and without signed facts', () => {
    expect(verified(headers)).toMatchObject({ method: 'Legacy', payload: { event: { id: 'evt_01' } } });
    expect(Object.keys(verified(headers)).sort()).toEqual(['body', 'method', 'payload']);
  });

  it('is accepted at any time, because no time is signed', () => {
    expect(outcome(headers, { at: SIGNED_AT + 10 ** 8 })).toBe('Legacy');
  });

  it.each([
    ['other bytes', headers, `${body} `],
    ['another secret', legacyDelivery(body, newLegacySecret()), body],
    ['upper-case hex', { 'x-legacy-wh-chksm': signLegacy(body, LEGACY_SECRET).toUpperCase() }, body],
    ['a prefix', { 'x-legacy-wh-chksm': signLegacy(body, LEGACY_SECRET).slice(0, 32) }, body],
    ['nothing', { 'x-legacy-wh-chksm': '' }, body],
  ])('with %s is refused', (_what, some, bytes) => {
    expect(outcome(some, { body: bytes })).toBe('SignatureWrong');
  });

  it('is refused by a receiver that has a managed secret only', () => {
    expect(outcome(headers, { secrets: { managed: MANAGED_SECRET } })).toBe('SignatureMissing');
  });

  it('is verified by any of several secrets', () => {
    expect(outcome(headers, { secrets: { legacy: [newLegacySecret(), LEGACY_SECRET] } })).toBe('Legacy');
  });
});

describe('Signed bytes that are no event', () => {
  it.each([
    ['no JSON', '{'],
    ['no UTF-8', Buffer.from([0xff, 0xfe])],
    ['null', 'null'],
    ['no event', '{}'],
    ['an id of another kind', saleBody('trx_01')],
    ['an id that is no text', saleBody('evt_01', { id: 1 })],
    ['no type', saleBody('evt_01', { type: '' })],
  ])('(%s) are refused', (_what, bytes) => {
    const request = { headers: legacyDelivery(bytes), body: bytes };
    expect(() => verifyWebhook(request, { secrets: BOTH })).toThrow(
      expect.objectContaining({ name: 'WebhookRefusedError', code: 'PayloadInvalid' }),
    );
  });

  it('of a type or with a field of a later version are an event', () => {
    const later = saleBody('evt_01', { type: 'dispute.opened', more: 1 });
    expect(outcome(legacyDelivery(later), { body: later })).toBe('Legacy');
  });
});

describe('A refused request', () => {
  it('is reported without a secret and without a part of the body', () => {
    const texts = [managedDelivery(`${body} `), managedDelivery(body, { timestampSeconds: 1 })].map(
      (headers) => {
        try {
          return String(verified(headers));
        } catch (error) {
          return String(error);
        }
      },
    );
    for (const text of texts) {
      expect(text).toContain('WebhookRefusedError');
      expect(text).not.toMatch(/whsec_|shared secret|Zoë|v1,/);
    }
  });
});

describe('A secret', () => {
  const whsec = (bytes: number) => `whsec_${Buffer.alloc(bytes, 0xfb).toString('base64')}`;

  it.each([
    [whsec(23), false],
    [whsec(24), true],
    [whsec(64), true],
    [whsec(65), false],
    [whsec(24).slice('whsec_'.length), false],
    [`${whsec(24)} `, false],
    [whsec(25).replace(/=+$/, ''), false],
    [whsec(24).replaceAll('+', '-').replaceAll('/', '_'), false],
    ['whsec_', false],
  ])('%s is a managed one: %s', (secret, expected) => {
    expect(isManagedSecret(secret)).toBe(expected);
  });

  it.each([
    ['x'.repeat(15), false],
    ['x'.repeat(16), true],
    ['🔑'.repeat(128), true],
    ['x'.repeat(129), false],
    [`\uD800${'x'.repeat(20)}`, false],
  ])('%j is a legacy one: %s', (secret, expected) => {
    expect(isLegacySecret(secret)).toBe(expected);
  });

  it('that is new is random, and one of its method', () => {
    expect(newManagedSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(isManagedSecret(newManagedSecret()) && isLegacySecret(newLegacySecret())).toBe(true);
    expect(new Set([1, 2, 3].flatMap(() => [newManagedSecret(), newLegacySecret()])).size).toBe(6);
  });

  it.each([
    ['malformed, managed', () => verified({}, { secrets: { managed: 'whsec_secret' } })],
    ['malformed, legacy', () => verified({}, { secrets: { legacy: 'secret' } })],
    ['missing', () => verified({}, { secrets: {} })],
    ['missing in a list', () => verified({}, { secrets: { managed: [] } })],
    ['malformed, to sign', () => signLegacy(body, 'secret')],
    ['missing, to sign', () => signManaged({ id: 'm', timestampSeconds: 1, body, secrets: [] })],
  ])('that is %s is an error of the set-up, which does not show it', (_what, use) => {
    expect(use).toThrow(WebhookSetupError);
    expect(use).not.toThrow(/whsec_secret/);
  });
});

describe('A message that is signed', () => {
  it.each([
    ['an id with a dot', { id: 'msg.1' }],
    ['an empty id', { id: '' }],
    ['a fraction of a second', { timestampSeconds: 1.5 }],
    ['a negative time', { timestampSeconds: -1 }],
    ['no time', { timestampSeconds: NaN }],
    ['a time in milliseconds', { timestampSeconds: 1_772_366_400_000 }],
  ])('can not have %s', (_what, wrong) => {
    const message = { id: 'msg_1', timestampSeconds: 1, body, secrets: [MANAGED_SECRET], ...wrong };
    expect(() => signManaged(message)).toThrow(WebhookSetupError);
  });
});
