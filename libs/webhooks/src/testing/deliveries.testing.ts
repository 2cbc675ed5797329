import { signLegacy, signManaged } from '../signature/sign.js';
import type { BodyBytes } from '../signature/sign.js';

/** 2026-03-01T12:00:00Z in unix seconds. */
export const SIGNED_AT = 1_772_366_400;
export const MANAGED_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const OLD_MANAGED_SECRET = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
export const LEGACY_SECRET = 'a shared secret of a shop';

/** The body of a completed sale. */
export function saleBody(eventId = 'evt_01', event: object = {}): string {
  const facts = { id: eventId, type: 'sale.completed', timestamp: '2026-03-01T12:00:00.000Z' };
  return JSON.stringify({
    event: { ...facts, merchantId: 'mer_01', sequence: 1, ...event },
    originalResponse: { id: 'trx_01', type: 'Sale', status: 'Completed', resultText: 'Zahlung für Zoë' },
  });
}

/** The headers that the service sends with a managed delivery. */
export function managedDelivery(
  body: BodyBytes,
  { secrets = [MANAGED_SECRET], timestampSeconds = SIGNED_AT, id = 'msg_01' } = {},
): Record<string, string> {
  const signature = signManaged({ id, timestampSeconds, body, secrets });
  return {
    'content-type': 'application/json',
    'hook-id': id,
    'hook-timestamp': String(timestampSeconds),
    'hook-signature': signature,
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signature,
    'hook-sequence': '12',
  };
}

export function legacyDelivery(body: BodyBytes, secret = LEGACY_SECRET): Record<string, string> {
  return { 'content-type': 'application/json', 'x-legacy-wh-chksm': signLegacy(body, secret) };
}
