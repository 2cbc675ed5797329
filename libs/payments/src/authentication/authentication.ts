import { merchantStream, type Merchant } from '@tillstream/domain';
import { LRUCache } from 'lru-cache';
import { readActivation, type Activation } from '../operators/key-streams.js';
import { createMerchantStreams, type MerchantStreams } from '../stream-repository/repositories.js';
import { sha256 } from '../identifiers.js';
import type { Ports } from '../parts.js';

/** A revoked key and a disabled merchant stop within 2 s on every instance. */
const CACHE_MS = 2_000;
const CACHED_MAX = 10_000;
/** Of all cached merchants together: they bound the memory. */
const CACHED_METHODS_MAX = 200_000;

interface AuthenticatedMerchant {
  readonly kind: 'Merchant';
  readonly merchant: Merchant;
  readonly keyId: string;
  readonly keyName: string;
  readonly readOnly: boolean;
}

interface AuthenticatedOperator extends Pick<AuthenticatedMerchant, 'keyId' | 'keyName'> {
  readonly kind: 'Operator';
}

/** `until`: monotonic, ms. */
interface Cached<Value> {
  readonly until: number;
  readonly value: Value;
}

/** Reads the streams of keys and merchants. Caches only keys and merchants that exist, so a new key works at once. */
export class Authentication {
  private readonly keys = new LRUCache<string, Cached<Activation>>({ max: CACHED_MAX });
  private readonly merchants = new LRUCache<string, Cached<Merchant>>({
    max: CACHED_MAX,
    maxSize: CACHED_METHODS_MAX,
    sizeCalculation: ({ value }) => 1 + value.paymentMethods.length,
  });

  /** Counts the changes of merchants by this process. */
  private changes = 0;

  constructor(
    private readonly ports: Pick<Ports, 'store' | 'clock'>,
    private readonly streams: MerchantStreams = createMerchantStreams(ports),
  ) {}

  /** Undefined: the key is unknown or revoked. */
  async authenticate(key: string): Promise<AuthenticatedMerchant | AuthenticatedOperator | undefined> {
    const found = await this.findKey(sha256(key));
    if (!found) return undefined;
    const { keyId, name: keyName, readOnly, merchantId } = found;
    if (merchantId === undefined) return { kind: 'Operator', keyId, keyName };
    const merchant = await this.findMerchant(merchantId);
    return merchant && { kind: 'Merchant', merchant, keyId, keyName, readOnly };
  }

  /** May be up to 2 s old. */
  async findMerchant(merchantId: string): Promise<Merchant | undefined> {
    const cached = this.merchants.get(merchantId);
    if (cached && this.ports.clock.monotonicNow() < cached.until) return cached.value;
    return this.readMerchant(merchantId);
  }

  /** This process changed the merchant: older cached states are not used any more. */
  forgetMerchant(merchantId: string): void {
    this.merchants.delete(merchantId);
    this.changes += 1;
  }

  /** Reads the store; never from the cache. */
  async readMerchant(merchantId: string): Promise<Merchant | undefined> {
    const until = this.ports.clock.monotonicNow() + CACHE_MS;
    const changesBefore = this.changes;
    const { state: merchant } = await this.streams.load(merchantStream(merchantId));
    if (merchant.status === 'None') return undefined;
    // If this process changed a merchant during the read, the state may be the one before the change.
    if (this.changes === changesBefore) this.merchants.set(merchantId, { until, value: merchant });
    return merchant;
  }

  private async findKey(keyHash: string): Promise<Activation | undefined> {
    const cached = this.keys.get(keyHash);
    if (cached && this.ports.clock.monotonicNow() < cached.until) return cached.value;
    const until = this.ports.clock.monotonicNow() + CACHE_MS;
    const activation = await readActivation(this.ports.store, keyHash);
    if (activation) this.keys.set(keyHash, { until, value: activation });
    else this.keys.delete(keyHash);
    return activation;
  }
}
