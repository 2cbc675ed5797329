import { hkdfSync } from 'node:crypto';
import { openBytes, sealBytes } from '../sealing/bound.sealing.js';

/** Encrypts what the deliveries keep: bodies, which have personal data in them, and answers of endpoints. */
export interface DeliverySealer {
  sealBody(eventId: string, body: Uint8Array): Uint8Array;
  /** @throws Error if it was not sealed for this event, or the key is another one */
  openBody(eventId: string, sealed: Uint8Array): Uint8Array;
  sealAnswer(deliveryId: string, answer: Uint8Array): Uint8Array;
  /** Undefined if it can't be opened. */
  openAnswer(deliveryId: string, sealed: Uint8Array): Uint8Array | undefined;
}

const USE = 'tillstream webhooks: bodies';
const KEY_BYTES = 32;

/**
 * Seals under a key that is derived from the key of stored responses. It is not derived from the vault's master keys: a
 * rotation removes those, and the bodies that still wait could no longer be sent.
 */
export function deliverySealer(responseKey: Uint8Array): DeliverySealer {
  const key = new Uint8Array(hkdfSync('sha256', responseKey, '', USE, KEY_BYTES));
  const seal = (bytes: Uint8Array, name: string): Uint8Array => sealBytes(key, bytes, name);
  const open = (sealed: Uint8Array, name: string): Uint8Array | undefined => openBytes(key, sealed, name);
  return {
    sealBody: (eventId, body) => seal(body, `body ${eventId}`),
    openBody(eventId, sealed) {
      const opened = open(sealed, `body ${eventId}`);
      if (opened === undefined)
        throw new Error('its body can not be opened with the present key of stored responses');
      return opened;
    },
    sealAnswer: (deliveryId, answer) => seal(answer, `answer ${deliveryId}`),
    openAnswer: (deliveryId, sealed) => open(sealed, `answer ${deliveryId}`),
  };
}
