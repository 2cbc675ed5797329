import type { IncomingEvent, StoredEvent, WebhookInbox } from './inbox.js';

interface Entry {
  body: Uint8Array | undefined;
  claimedUntil: number;
  handledAt: number | undefined;
}

const EVENTS_MAX = 10_000;

/**
 * For tests and trials: it loses all events at the end of the process. Of more than `eventsMax` events (10,000) it forgets the
 * oldest handled one; if none is handled, it rejects a new one.
 */
export class MemoryInbox implements WebhookInbox {
  /** In order of arrival. */
  private readonly entries = new Map<string, Entry>();
  private readonly eventsMax: number;

  constructor({ eventsMax = EVENTS_MAX }: { readonly eventsMax?: number } = {}) {
    this.eventsMax = eventsMax;
  }

  save({ eventId, body }: IncomingEvent): Promise<'Saved' | 'Duplicate'> {
    if (this.entries.has(eventId)) return Promise.resolve('Duplicate');
    if (this.entries.size >= this.eventsMax && !this.dropOldestHandled()) {
      return Promise.reject(new Error(`${this.eventsMax} events are stored, and none of them is handled.`));
    }
    this.entries.set(eventId, { body: Uint8Array.from(body), claimedUntil: 0, handledAt: undefined });
    return Promise.resolve('Saved');
  }

  claim({ now, until }: { now: number; until: number }): Promise<StoredEvent | undefined> {
    for (const [eventId, entry] of this.entries) {
      if (entry.body === undefined || entry.handledAt !== undefined || entry.claimedUntil > now) continue;
      entry.claimedUntil = until;
      return Promise.resolve({ eventId, body: entry.body });
    }
    return Promise.resolve(undefined);
  }

  done(eventId: string, now: number): Promise<void> {
    const entry = this.entries.get(eventId);
    if (entry) entry.handledAt ??= now;
    return Promise.resolve();
  }

  forgetBodies(handledBefore: number): Promise<number> {
    let forgotten = 0;
    for (const entry of this.entries.values()) {
      if (entry.body === undefined || entry.handledAt === undefined || entry.handledAt >= handledBefore)
        continue;
      entry.body = undefined;
      forgotten += 1;
    }
    return Promise.resolve(forgotten);
  }

  private dropOldestHandled(): boolean {
    for (const [eventId, { handledAt }] of this.entries) {
      if (handledAt !== undefined) return this.entries.delete(eventId);
    }
    return false;
  }
}
