import { randomBytes } from 'node:crypto';
import { apiKeyCodec, apiKeyStream, type ApiKeyEvent } from '@tillstream/domain';
import { readWholeStream, transact, type EventStore } from '@tillstream/event-store';
import { iso, type Clock } from '../ports/clock.port.js';
import { fromRecorded, toNewEvents, type Cause } from '../stream-repository/event-metadata.js';
import { sha256 } from '../identifiers.js';

export type Activation = Extract<ApiKeyEvent, { type: 'KeyActivated' }>['data'];

/** A key that was just made: the only place that ever has it. */
export interface GeneratedKey {
  readonly key: string;
  readonly keyHash: string;
  readonly lastFour: string;
}

export function generateKey(prefix: 'sk_test_' | 'sk_live_' | 'ak_'): GeneratedKey {
  const key = prefix + randomBase62(32);
  return { key, keyHash: sha256(key), lastFour: key.slice(-4) };
}

/** The stream of each key, which alone says whether it opens anything. A key that stopped never works again. */
export class KeyStreams {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /** Once; not where it was revoked before it ever worked. */
  activate(keyHash: string, activation: Activation, cause: Cause): Promise<void> {
    return this.append(keyHash, cause, (events) =>
      events.length === 0 ? [{ type: 'KeyActivated', data: activation }] : [],
    );
  }

  /** Also where it never worked: whoever is about to activate it comes too late. */
  revoke(keyHash: string, cause: Cause): Promise<void> {
    const at = iso(this.clock.now());
    return this.append(keyHash, cause, (events) =>
      events.some(({ type }) => type === 'KeyRevoked') ? [] : [{ type: 'KeyRevoked', data: { at } }],
    );
  }

  /** Of a key that works. */
  async activation(keyHash: string): Promise<Activation | undefined> {
    const events = (await readWholeStream(this.store, apiKeyStream(keyHash))).map((one) =>
      fromRecorded(apiKeyCodec, one),
    );
    if (events.some(({ type }) => type === 'KeyRevoked')) return undefined;
    return events.find((event) => event.type === 'KeyActivated')?.data;
  }

  private async append(
    keyHash: string,
    cause: Cause,
    decide: (events: readonly ApiKeyEvent[]) => readonly ApiKeyEvent[],
  ): Promise<void> {
    await transact(this.store, {
      stream: apiKeyStream(keyHash),
      attempts: Number.POSITIVE_INFINITY,
      decide: (history) => {
        const events = decide(history.map((one) => fromRecorded(apiKeyCodec, one)));
        return { events: toNewEvents(apiKeyCodec, events, cause, this.clock), value: undefined };
      },
    });
  }
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Bytes that would favour the first letters are left out. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}
