import type { Position } from '@tillstream/event-store';
import type { EndpointChange, NumberingTables } from '../delivery.store.port.js';
import type { DeliveryEndpoint } from '../delivery.types.js';

/** A merchant's counters and endpoints while pages are numbered. */
export interface Numbers {
  sequence: number;
  /** By id, in the order of creation. */
  readonly endpoints: Map<string, { endpoint: DeliveryEndpoint; hookSequence: number }>;
}

const MERCHANTS_MAX = 10_000;

/**
 * The numbers after the last page that this process recorded. They follow from history, so they stay valid until another
 * process records a page: then they are read again.
 */
export class MerchantNumbersCache {
  #at: Position | undefined;
  readonly #merchants = new Map<string, Numbers>();

  constructor(private readonly tables: Pick<NumberingTables, 'numbersOf'>) {}

  /** The numbers at `from` of these merchants, to be changed while a page is numbered. Then comes `moved` or `forget`. */
  async load(
    from: Position | undefined,
    merchantIds: Iterable<string>,
  ): Promise<ReadonlyMap<string, Numbers>> {
    if (from !== this.#at || this.#merchants.size > MERCHANTS_MAX) this.forget();
    this.#at = from;
    const unknown = [...new Set(merchantIds)].filter((id) => !this.#merchants.has(id));
    const loaded = unknown.length === 0 ? [] : await this.tables.numbersOf(unknown);
    for (const { merchantId, sequence, endpoints } of loaded) {
      const byId = new Map(endpoints.map((one) => [one.endpoint.id, { ...one }]));
      this.#merchants.set(merchantId, { sequence, endpoints: byId });
    }
    return this.#merchants;
  }

  moved(to: Position): void {
    this.#at = to;
  }

  forget(): void {
    this.#merchants.clear();
    this.#at = undefined;
  }
}

/** Sets or removes an endpoint; its `hook-sequence` goes on. */
export function applyEndpointChange({ endpoints }: Numbers, change: EndpointChange): void {
  if (change.kind === 'Remove') {
    endpoints.delete(change.endpointId);
    return;
  }
  const { endpoint } = change;
  endpoints.set(endpoint.id, { endpoint, hookSequence: endpoints.get(endpoint.id)?.hookSequence ?? 0 });
}
