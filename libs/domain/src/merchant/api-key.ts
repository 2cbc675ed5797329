import { eventCodec, type Event } from '../shared/aggregate.js';

/** `keyHash`: SHA-256 of the key, hex. */
export const apiKeyStream = (keyHash: string): string => `apikey-${keyHash}`;

/**
 * Storage: these shapes never change (docs/adr/0014). The merchant or operator of a key. Authentication finds the stream
 * with the key alone.
 */
export type ApiKeyEvent =
  | Event<
      'KeyActivated',
      {
        readonly at: string;
        readonly keyId: string;
        readonly name: string;
        readonly readOnly: boolean;
        /** Absent on an operator's key. */
        readonly merchantId?: string;
      }
    >
  | Event<'KeyRevoked', { readonly at: string }>;

/** Frozen examples of each version are in `fixtures-apikey/`. */
export const apiKeyCodec = eventCodec<ApiKeyEvent>({ types: { KeyActivated: [], KeyRevoked: [] } });
