import type { EventCodec, PaymentEvent, TokenEvent } from '@tillstream/domain';
import type { EventStore } from '@tillstream/event-store';
import type { Actor } from '../requests/request.types.js';
import { eventMetadata, fromRecorded } from '../stream-repository/event-metadata.js';

export interface HistoryPage {
  readonly from: number;
  readonly limit: number;
}

export interface HistoryEntry {
  /** The revision, from 0. */
  readonly sequence: number;
  readonly event: PaymentEvent | TokenEvent;
  readonly timestamp: string;
  readonly actor: Actor;
  readonly reason?: string;
  readonly traceId?: string;
}

/** Events of a payment or token, oldest first: at most `limit` from revision `from`, inclusive. */
export async function readHistory(
  store: EventStore,
  stream: string,
  page: HistoryPage,
  codec: EventCodec<PaymentEvent> | EventCodec<TokenEvent>,
) {
  const { events, end } = await store.readStream(stream, page);
  const entries = events.map((recorded): HistoryEntry => {
    const { actor, serviceTime: timestamp, reason, traceId } = eventMetadata(recorded);
    const event = fromRecorded<PaymentEvent | TokenEvent>(codec, recorded);
    return {
      ...{ sequence: recorded.revision, event, timestamp, actor },
      ...(reason !== undefined && { reason }),
      ...(traceId !== undefined && { traceId }),
    };
  });
  return { entries, end };
}
