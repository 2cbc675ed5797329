import type { DisabledReason } from '@tillstream/domain';
import { errorMessage } from '@tillstream/runtime';
import type { DeliveryEndpoint } from '../delivery.types.js';

export interface EndpointDisablerOptions {
  /**
   * Disables an endpoint in the history, unless it was changed or enabled since. A repetition is harmless. Whether this call
   * did it.
   */
  disable(endpoint: DeliveryEndpoint, reason: DisabledReason): Promise<boolean>;
  readonly log: {
    /** Called once, however many processes saw the reason. */
    disabled(endpoint: DeliveryEndpoint, reason: DisabledReason): void;
    /** The endpoint stays enabled; its next failed attempt tries again. */
    notDisabled(endpoint: DeliveryEndpoint, reason: string): void;
  };
}

const FAILING_FOR_MS = 5 * 24 * 3_600_000;
/**
 * Until then the store has usually seen the event. If not, the next attempt disables the endpoint again. Short, because an
 * endpoint that is enabled meanwhile waits for it too.
 */
const REMEMBERED_MS = 1_000;

/** Disables endpoints, and remembers for a while which ones: the store learns it only when the event is numbered. */
export class EndpointDisabler {
  /** Ids with the time, `performance.now()`, until which they are remembered. */
  readonly #remembered = new Map<string, number>();

  constructor(private readonly options: EndpointDisablerOptions) {}

  /** Endpoints that were disabled a short time ago. */
  recent(): readonly string[] {
    const now = performance.now();
    for (const [id, until] of this.#remembered) if (until <= now) this.#remembered.delete(id);
    return [...this.#remembered.keys()];
  }

  /**
   * Disables a managed endpoint that has failed for five days.
   * @param since start of the first failure after the last success, ms of the service's clock
   */
  async checkFailing(endpoint: DeliveryEndpoint, since: number, now: number): Promise<void> {
    if (endpoint.method === 'Managed' && now - since >= FAILING_FOR_MS)
      await this.disable(endpoint, 'Failing');
  }

  /** Whether the endpoint is disabled now. Never rejects. */
  async disable(endpoint: DeliveryEndpoint, reason: DisabledReason): Promise<boolean> {
    const { log } = this.options;
    if (this.recent().includes(endpoint.id)) return true;
    this.#remembered.set(endpoint.id, performance.now() + REMEMBERED_MS);
    try {
      if (await this.options.disable(endpoint, reason)) log.disabled(endpoint, reason);
      return true;
    } catch (error) {
      this.#remembered.delete(endpoint.id);
      log.notDisabled(endpoint, errorMessage(error));
      return false;
    }
  }
}
