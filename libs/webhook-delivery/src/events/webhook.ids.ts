import { hash } from 'node:crypto';
import { ulid } from '@tillstream/domain';
import type { WebhookEvent } from './webhook.events.js';

/*
 * Ids that follow from history, so that tables that were lost get the same ones. They begin with the event's time, as
 * all ids do, so that indexes of them grow at their end.
 */

/** `evt_…`. A stored event makes at most one webhook event of a type for its subject. */
export function webhookEventId(
  storedEventId: string,
  { type, subjectId, timestamp }: Pick<WebhookEvent, 'type' | 'subjectId' | 'timestamp'>,
): string {
  return `evt_${idOf(timestamp, `${storedEventId} ${subjectId} ${type}`)}`;
}

/** `hook-id`: of an event for an endpoint. */
export function webhookMessageId(eventId: string, endpointId: string, timestamp: string): string {
  return `msg_${idOf(timestamp, `message ${eventId} ${endpointId}`)}`;
}

/** The `dlv_` id of an event for an endpoint. */
export function webhookDeliveryId(eventId: string, endpointId: string, timestamp: string): string {
  return `dlv_${idOf(timestamp, `delivery ${eventId} ${endpointId}`)}`;
}

function idOf(timestamp: string, name: string): string {
  return ulid(Date.parse(timestamp), hash('sha256', name, 'buffer'));
}
