import type { AllStreamSubscription, ResolvedEvent, StreamSubscription } from '@eventstore/db-client';
import { closeAfterTest } from './double.fixture.js';

export interface RecordedSubscription {
  /** Without system events. */
  readonly streams: string[];
  readonly revisions: bigint[];
  /** Other messages of the server, in order. */
  readonly signs: string[];
  readonly errors: (Error & { readonly code?: number })[];
}

/** Records all events and messages that the client emits for a subscription. */
export function recorded(
  subscription: AllStreamSubscription | StreamSubscription,
  onEvent: () => void = () => undefined,
): RecordedSubscription {
  const seen: RecordedSubscription = { streams: [], revisions: [], signs: [], errors: [] };
  subscription.on('confirmation', () => seen.signs.push('confirmation'));
  subscription.on('caughtUp', () => seen.signs.push('caughtUp'));
  subscription.on('error', (error) => seen.errors.push(error));
  subscription.on('data', ({ event }: ResolvedEvent) => {
    if (event === undefined || event.streamId.startsWith('$')) return;
    seen.streams.push(event.streamId);
    seen.revisions.push(event.revision);
    onEvent();
  });
  closeAfterTest(() => subscription.unsubscribe());
  return seen;
}
