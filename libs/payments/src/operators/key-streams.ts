import { randomBytes } from 'node:crypto';
import { apiKeyCodec, apiKeyStream, type ApiKeyEvent } from '@tillstream/domain';
import { readWholeStream, transact, type EventStore } from '@tillstream/event-store';
import { iso, type Clock } from '../ports/clock.port.js';
import { fromRecorded, toNewEvents, type Cause } from '../stream-repository/event-metadata.js';
import { sha256 } from '../identifiers.js';

export type Activation = Extract<ApiKeyEvent, { type: 'KeyActivated' }>['data'];

/** A new key. The store keeps only its hash. */
export interface GeneratedKey {
  readonly key: string;
  readonly keyHash: string;
  readonly lastFour: string;
}

export function generateKey(prefix: 'sk_test_' | 'sk_live_' | 'ak_'): GeneratedKey {
  const key = prefix + randomBase62(32);
  return { key, keyHash: sha256(key), lastFour: key.slice(-4) };
}

/** Writes the stream of each key. Only this stream decides whether a key works. A revoked key never works again. */
export class KeyStreams {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /** Has no effect if the key was activated or revoked before. */
  activate(keyHash: string, activation: Activation, cause: Cause): Promise<void> {
    return this.append(keyHash, cause, (events) =>
      events.length === 0 ? [{ type: 'KeyActivated', data: activation }] : [],
    );
  }

  /** Also revokes a key that was never activated: a later activation has no effect. */
  revoke(keyHash: string, cause: Cause): Promise<void> {
    const at = iso(this.clock.now());
    return this.append(keyHash, cause, (events) =>
      events.some(({ type }) => type === 'KeyRevoked') ? [] : [{ type: 'KeyRevoked', data: { at } }],
    );
  }

  private async append(
    keyHash: string,
    cause: Cause,
    decide: (events: readonly ApiKeyEvent[]) => readonly ApiKeyEvent[],
  ): Promise<void> {
    await transact(this.store, {
      stream: apiKeyStream(keyHash),
      decisionsMax: Number.POSITIVE_INFINITY,
      decide: (history) => {
        const events = decide(history.map((event) => fromRecorded(apiKeyCodec, event)));
        return { events: toNewEvents(apiKeyCodec, events, cause, this.clock), value: undefined };
      },
    });
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
