import { randomBytes } from 'node:crypto';
import { apiKeyCodec, apiKeyStream, type ApiKeyEvent } from '@tillstream/domain';
import { readWholeStream, type EventStore } from '@tillstream/event-store';
import { iso } from '../ports/clock.port.js';
import { decideAndAppend, fromRecorded, type Cause } from '../stream-repository/event-metadata.js';
import { sha256 } from '../identifiers.js';
import type { Ports } from '../parts.js';

export type Activation = Extract<ApiKeyEvent, { type: 'KeyActivated' }>['data'];

/** A new key. The store keeps only its hash. */
export function generateKey(prefix: 'sk_test_' | 'sk_live_' | 'ak_') {
  const key = prefix + randomBase62(32);
  return { key, keyHash: sha256(key), lastFour: key.slice(-4) };
}

/** Writes the stream of each key. Only this stream decides whether a key works. A revoked key never works again. */
export class KeyStreams {
  constructor(private readonly ports: Pick<Ports, 'store' | 'clock'>) {}

  /** Has no effect if the key was activated or revoked before. */
  activate(keyHash: string, activation: Activation, cause: Cause): Promise<void> {
    return this.append(keyHash, cause, (events) =>
      events.length === 0 ? [{ type: 'KeyActivated', data: activation }] : [],
    );
  }

  /** Also revokes a key that was never activated: a later activation has no effect. */
  revoke(keyHash: string, cause: Cause): Promise<void> {
    const at = iso(this.ports.clock.now());
    return this.append(keyHash, cause, (events) =>
      events.some(({ type }) => type === 'KeyRevoked') ? [] : [{ type: 'KeyRevoked', data: { at } }],
    );
  }

  private append(
    keyHash: string,
    cause: Cause,
    decide: (events: readonly ApiKeyEvent[]) => readonly ApiKeyEvent[],
  ): Promise<void> {
    const change = { stream: apiKeyStream(keyHash), codec: apiKeyCodec, cause };
    return decideAndAppend(this.ports, change, (history) => ({ events: decide(history), value: undefined }));
  }
}

/** Undefined: the key is unknown or revoked. */
export async function readActivation(store: EventStore, keyHash: string): Promise<Activation | undefined> {
  const recorded = await readWholeStream(store, apiKeyStream(keyHash));
  const events = recorded.map((event) => fromRecorded(apiKeyCodec, event));
  if (events.some(({ type }) => type === 'KeyRevoked')) return undefined;
  return events.find((event) => event.type === 'KeyActivated')?.data;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Skips bytes from 248 (4 × 62) on, which would make the first characters more likely. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}
