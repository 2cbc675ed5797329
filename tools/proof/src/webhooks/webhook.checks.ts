import type { WebhookReceiver } from './webhook.receiver.js';

const EXAMPLES_MAX = 3;

/** Every operation reached every receiver; all numbers are without gap; all receivers got the same bytes. */
export function checkReceivers(
  receivers: readonly WebhookReceiver[],
  operationIds: ReadonlySet<string>,
): string[] {
  return [
    ...receivers.flatMap((receiver) => [
      ...receiver.complaints,
      ...missingOperations(receiver, operationIds),
      ...gaps(receiver),
    ]),
    ...differences(receivers),
  ];
}

function missingOperations({ name, received }: WebhookReceiver, operationIds: ReadonlySet<string>): string[] {
  const got = new Set([...received.values()].map(({ operationId }) => operationId));
  const missing = [...operationIds].filter((id) => !got.has(id));
  if (missing.length === 0) return [];
  return [
    `${name}: ${missing.length} operations never came, such as ${missing.slice(0, EXAMPLES_MAX).join(', ')}`,
  ];
}

/** `hook-sequence` from 1; `event.sequence` from the first that came; each event once. */
function gaps({ name, received }: WebhookReceiver): string[] {
  const complaints: string[] = [];
  for (let next = 1; next <= received.size; next++)
    if (!received.has(next)) complaints.push(`${name}: hook-sequence ${next} is missing`);
  const webhooks = [...received.values()].sort((a, b) => a.hookSequence - b.hookSequence);
  const first = webhooks[0]?.merchantSequence ?? 1;
  for (const [index, { merchantSequence }] of webhooks.entries())
    if (merchantSequence !== first + index)
      complaints.push(`${name}: event.sequence ${merchantSequence} came in the place of ${first + index}`);
  const events = new Set(webhooks.map(({ eventId }) => eventId));
  if (events.size !== webhooks.length) complaints.push(`${name}: an event has two numbers`);
  return complaints.slice(0, EXAMPLES_MAX);
}

function differences(receivers: readonly WebhookReceiver[]): string[] {
  const hashes = new Map<string, string>();
  const complaints: string[] = [];
  for (const { name, received } of receivers)
    for (const { eventId, bodyHash } of received.values()) {
      const known = hashes.get(eventId) ?? bodyHash;
      hashes.set(eventId, known);
      if (known !== bodyHash) complaints.push(`${name}: ${eventId} has other bytes than at another endpoint`);
    }
  return complaints.slice(0, EXAMPLES_MAX);
}
