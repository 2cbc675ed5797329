import type { MasterKeySource } from '@tillstream/vault';
import { openBytes, sealBytes } from '../sealing/bound.sealing.js';
import { derivedKeys } from '../stores/derived.keys.js';

/** Encrypts what the deliveries keep: bodies, which have personal data in them, and answers of endpoints. */
export interface DeliverySealer {
  sealBody(eventId: string, body: Uint8Array): Uint8Array;
  /** @throws Error if it was not sealed for this event, or its master key was removed */
  openBody(eventId: string, sealed: Uint8Array): Uint8Array;
  sealAnswer(deliveryId: string, answer: Uint8Array): Uint8Array;
  /** Undefined if it can't be opened. */
  openAnswer(deliveryId: string, sealed: Uint8Array): Uint8Array | undefined;
}

const USE = 'tillstream webhooks: bodies';

/** Seals under the current master key, and opens what was sealed under any of them. */
export function deliverySealer(masterKeys: MasterKeySource): DeliverySealer {
  const keys = derivedKeys(masterKeys, USE);
  const seal = (bytes: Uint8Array, name: string): Uint8Array => {
    const [key] = keys();
    if (key === undefined) throw new Error('there is no master key');
    return sealBytes(key, bytes, name);
  };
  const open = (sealed: Uint8Array, name: string): Uint8Array | undefined => {
    for (const key of keys()) {
      const opened = openBytes(key, sealed, name);
      if (opened !== undefined) return opened;
    }
    return undefined;
  };
  return {
    sealBody: (eventId, body) => seal(body, `body ${eventId}`),
    openBody(eventId, sealed) {
      const opened = open(sealed, `body ${eventId}`);
      if (opened === undefined) throw new Error('its body can not be opened with the present master keys');
      return opened;
    },
    sealAnswer: (deliveryId, answer) => seal(answer, `answer ${deliveryId}`),
    openAnswer: (deliveryId, sealed) => open(sealed, `answer ${deliveryId}`),
  };
}
