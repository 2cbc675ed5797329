import {
  apiKeyCodec,
  apiKeyStream,
  foldMerchant,
  merchantCodec,
  merchantStream,
  type Merchant,
} from '@tillstream/domain';
import { readWholeStream, type EventStore } from '@tillstream/event-store';
import type { Clock } from '../ports/clock.port.js';
import { fromRecorded } from '../stream-repository/event-metadata.js';
import { sha256 } from '../identifiers.js';
import type { AuthenticatedMerchant, AuthenticatedOperator, Authentication } from '../payments.types.js';

/** What is read is believed for so long: a revoked key and a disabled merchant stop within 2 s on every instance. */
const CACHE_MS = 2_000;
const MAX_CACHED = 10_000;

type CachedKey = {
  readonly keyId: string;
  readonly keyName: string;
  readonly readOnly: boolean;
  readonly merchantId?: string;
};

/** Reads the streams of keys and merchants strongly; nothing that is missing is remembered, so a new key works at once. */
export class StreamAuthentication implements Authentication {
  private readonly keys = new Map<string, { readonly until: number; readonly findKey: CachedKey }>();
  private readonly merchants = new Map<string, { readonly until: number; readonly merchant: Merchant }>();

  /** Of merchants, by this process. */
  private changes = 0;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Pick<Clock, 'monotonicNow'>,
  ) {}

  async authenticate(key: string): Promise<AuthenticatedMerchant | AuthenticatedOperator | undefined> {
    const found = await this.findKey(sha256(key));
    if (!found) return undefined;
    const { keyId, keyName, readOnly, merchantId } = found;
    if (merchantId === undefined) return { kind: 'Operator', keyId, keyName };
    const merchant = await this.findMerchant(merchantId);
    return merchant && { kind: 'Merchant', merchant, keyId, keyName, readOnly };
  }

  async findMerchant(merchantId: string): Promise<Merchant | undefined> {
    const cached = this.merchants.get(merchantId);
    if (cached && this.clock.monotonicNow() < cached.until) return cached.merchant;
    return this.readMerchant(merchantId);
  }

  forgetMerchant(merchantId: string): void {
    this.merchants.delete(merchantId);
    this.changes += 1;
  }

  async readMerchant(merchantId: string): Promise<Merchant | undefined> {
    const until = this.clock.monotonicNow() + CACHE_MS;
    const before = this.changes;
    const recorded = await readWholeStream(this.store, merchantStream(merchantId));
    const merchant = foldMerchant(recorded.map((one) => fromRecorded(merchantCodec, one)));
    if (merchant.status === 'None') return undefined;
    // What was read while somebody changed a merchant may be from before.
    if (this.changes === before) remember(this.merchants, merchantId, { until, merchant });
    return merchant;
  }

  private async findKey(keyHash: string): Promise<CachedKey | undefined> {
    const cached = this.keys.get(keyHash);
    if (cached && this.clock.monotonicNow() < cached.until) return cached.findKey;
    const until = this.clock.monotonicNow() + CACHE_MS;
    const events = (await readWholeStream(this.store, apiKeyStream(keyHash))).map((one) =>
      fromRecorded(apiKeyCodec, one),
    );
    const activated = events.find((event) => event.type === 'KeyActivated');
    if (!activated || events.some((event) => event.type === 'KeyRevoked')) {
      this.keys.delete(keyHash);
      return undefined;
    }
    const { keyId, name: keyName, readOnly, merchantId } = activated.data;
    const findKey = { keyId, keyName, readOnly, ...(merchantId !== undefined && { merchantId }) };
    remember(this.keys, keyHash, { until, findKey });
    return findKey;
  }
}

/** The oldest goes first. */
function remember<Value>(cache: Map<string, Value>, name: string, value: Value): void {
  cache.delete(name);
  cache.set(name, value);
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value ?? '');
}
