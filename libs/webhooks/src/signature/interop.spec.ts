import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { LEGACY_SECRET, managedDelivery, saleBody } from '../testing/deliveries.testing.js';
import { newManagedSecret } from './secrets.js';
import { signLegacy } from './sign.js';
import { verifyWebhook } from './verify.js';

/** The published libraries, as their users call them. They read the clock themselves. */
const LIBRARIES = [
  ['standardwebhooks', StandardWebhook],
  ['svix', SvixWebhook],
] as const;
const nowSeconds = (): number => Math.floor(Date.now() / 1000);
const body = saleBody();

describe.each(LIBRARIES)('The published library %s', (_name, Webhook) => {
  it('verifies what we sign, from all headers of a delivery', () => {
    const secret = newManagedSecret();
    const headers = managedDelivery(body, { secrets: [secret], timestampSeconds: nowSeconds() });
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(new Webhook(secret).verify(Buffer.from(body), headers)).toEqual(JSON.parse(body));
  });

  it('verifies a delivery that two secrets signed with each of them, and with no other', () => {
    const [fresh, old] = [newManagedSecret(), newManagedSecret()];
    const headers = managedDelivery(body, { secrets: [fresh, old], timestampSeconds: nowSeconds() });
    expect(new Webhook(fresh).verify(body, headers)).toEqual(JSON.parse(body));
    expect(new Webhook(old).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(newManagedSecret()).verify(body, headers)).toThrow('No matching signature');
  });

  it('refuses other bytes and an old time, as we do', () => {
    const secret = newManagedSecret();
    const old = managedDelivery(body, { secrets: [secret], timestampSeconds: nowSeconds() - 310 });
    expect(() => new Webhook(secret).verify(body, old)).toThrow('too old');
    const headers = managedDelivery(body, { secrets: [secret], timestampSeconds: nowSeconds() });
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature');
  });

  it('signs what we verify', () => {
    const secret = newManagedSecret();
    const at = new Date();
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
    };
    expect(verifyWebhook({ headers, body }, { secrets: { managed: secret } }).hookId).toBe('msg_1');
  });

  it('verifies any text and any key that we sign with', () => {
    const key = fc.uint8Array({ minLength: 24, maxLength: 64 });
    fc.assert(
      fc.property(fc.json({ stringUnit: 'grapheme' }), key, (text, bytes) => {
        const secret = `whsec_${Buffer.from(bytes).toString('base64')}`;
        const headers = managedDelivery(text, { secrets: [secret], timestampSeconds: nowSeconds() });
        expect(new Webhook(secret).verify(text, headers)).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe('The legacy header', () => {
  it('is the lower-case hex HMAC-SHA256 of the raw body', () => {
    const expected = createHmac('sha256', LEGACY_SECRET).update(Buffer.from(body, 'utf8')).digest('hex');
    expect(signLegacy(body, LEGACY_SECRET)).toBe(expected);
  });

  it('has the value that openssl makes', () => {
    // printf '%s' 'a body' | openssl dgst -sha256 -hmac aaaaaaaaaaaaaaaa
    expect(signLegacy('a body', 'a'.repeat(16))).toBe(
      '5d5c1a2e6d832b32b51c126888edaadd35d07adf0c45aa92640109b8842ad43c',
    );
  });
});
