import type { EventStore, Position, RecordedEvent, Subscription } from '@tillstream/event-store';
import type { Cents, Currency } from '@tillstream/domain/shared';
import { cardIdOf, decoded, GIFT_CARD_CATEGORY } from './gift-card.repository.js';

/** What the shop owes to all holders of cards, by currency. Kept in memory and rebuilt from history at each start. */
export class LiabilityProjection {
  readonly #totals = new Map<Currency, Cents>();
  readonly #currencies = new Map<string, Currency>();
  #position: Position | undefined;
  #subscription: Subscription | undefined;

  /** Resolves when all that was written before the call has been counted. */
  start(store: EventStore): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#subscription = store.subscribeToAll(
        { categories: [GIFT_CARD_CATEGORY] },
        { onEvent: (event) => this.#count(store, event), onCaughtUp: () => resolve(), onFailure: reject },
      );
    });
  }

  async stop(): Promise<void> {
    await this.#subscription?.stop();
  }

  get totals(): Readonly<Record<string, Cents>> {
    return Object.fromEntries(this.#totals);
  }

  #count(store: EventStore, recorded: RecordedEvent): void {
    // A subscription delivers at least once: an event that comes again must not count twice.
    const { position } = recorded;
    if (this.#position !== undefined && store.comparePositions(position, this.#position) <= 0) return;
    this.#position = position;
    const cardId = cardIdOf(recorded.stream);
    const { type, data } = decoded(recorded);
    if (type === 'CardIssued') this.#currencies.set(cardId, data.currency);
    const currency = this.#currencies.get(cardId);
    if (currency === undefined) throw new Error(`${type} on ${cardId}, which was not issued`);
    const change = type === 'CardRedeemed' ? -data.amount : data.amount;
    this.#totals.set(currency, (this.#totals.get(currency) ?? 0) + change);
  }
}
