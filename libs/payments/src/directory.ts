import {
  apiKeyCodec,
  apiKeyStream,
  foldMerchant,
  merchantCodec,
  merchantStream,
  type Merchant,
} from '@tillstream/domain';
import { readWholeStream, type EventStore } from '@tillstream/event-store';
import type { Clock } from './clock.port.js';
import { fromRecorded } from './event-metadata.js';
import { sha256 } from './identities.js';
import type { Authenticated, AuthenticatedOperator, Directory } from './use-cases.types.js';

/** What is read is believed for so long: a revoked key and a disabled merchant stop within 2 s on every instance. */
const BELIEVED_MS = 2_000;
const MAX_CACHED = 10_000;

type Key = {
  readonly keyId: string;
  readonly keyName: string;
  readonly readOnly: boolean;
  readonly merchantId?: string;
};

/** Reads the streams of keys and merchants strongly; nothing that is missing is remembered, so a new key works at once. */
export class StreamDirectory implements Directory {
  private readonly keys = new Map<string, { readonly until: number; readonly key: Key }>();
  private readonly merchants = new Map<string, { readonly until: number; readonly merchant: Merchant }>();

  /** Of merchants, by this process. */
  private changes = 0;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Pick<Clock, 'monotonicNow'>,
  ) {}

  async authenticate(key: string): Promise<Authenticated | AuthenticatedOperator | undefined> {
    const found = await this.key(sha256(key));
    if (!found) return undefined;
    const { keyId, keyName, readOnly, merchantId } = found;
    if (merchantId === undefined) return { kind: 'Operator', keyId, keyName };
    const merchant = await this.merchant(merchantId);
    return merchant && { kind: 'Merchant', merchant, keyId, keyName, readOnly };
  }

  async merchant(merchantId: string): Promise<Merchant | undefined> {
    const cached = this.merchants.get(merchantId);
    if (cached && this.clock.monotonicNow() < cached.until) return cached.merchant;
    return this.freshMerchant(merchantId);
  }

  changed(merchantId: string): void {
    this.merchants.delete(merchantId);
    this.changes += 1;
  }

  async freshMerchant(merchantId: string): Promise<Merchant | undefined> {
    const until = this.clock.monotonicNow() + BELIEVED_MS;
    const before = this.changes;
    const recorded = await readWholeStream(this.store, merchantStream(merchantId));
    const merchant = foldMerchant(recorded.map((one) => fromRecorded(merchantCodec, one)));
    if (merchant.status === 'None') return undefined;
    // What was read while somebody changed a merchant may be from before.
    if (this.changes === before) remember(this.merchants, merchantId, { until, merchant });
    return merchant;
  }

  private async key(keyHash: string): Promise<Key | undefined> {
    const cached = this.keys.get(keyHash);
    if (cached && this.clock.monotonicNow() < cached.until) return cached.key;
    const until = this.clock.monotonicNow() + BELIEVED_MS;
    const events = (await readWholeStream(this.store, apiKeyStream(keyHash))).map((one) =>
      fromRecorded(apiKeyCodec, one),
    );
    const activated = events.find((event) => event.type === 'KeyActivated');
    if (!activated || events.some((event) => event.type === 'KeyRevoked')) {
      this.keys.delete(keyHash);
      return undefined;
    }
    const { keyId, name: keyName, readOnly, merchantId } = activated.data;
    const key = { keyId, keyName, readOnly, ...(merchantId !== undefined && { merchantId }) };
    remember(this.keys, keyHash, { until, key });
    return key;
  }
}

/** The oldest goes first. */
function remember<Value>(cache: Map<string, Value>, name: string, value: Value): void {
  cache.delete(name);
  cache.set(name, value);
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value ?? '');
}
