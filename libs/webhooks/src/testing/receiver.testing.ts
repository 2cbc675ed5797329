import { setTimeout } from 'node:timers/promises';
import { MemoryInbox } from '../inbox/memory.inbox.js';
import { WebhookReceiver } from '../receiver/webhook.receiver.js';
import type { WebhookProblem, WebhookReceiverOptions } from '../receiver/webhook.receiver.js';
import type { WebhookPayload } from '../index.js';
import { LEGACY_SECRET, MANAGED_SECRET, SIGNED_AT } from './deliveries.testing.js';

/** A receiver at the time when the deliveries of these tests were signed, with all that it handled and reported. */
export function receiverUnderTest(options: Partial<WebhookReceiverOptions> = {}) {
  const handled: string[] = [];
  const problems: WebhookProblem[] = [];
  const receiver = new WebhookReceiver({
    secrets: { managed: MANAGED_SECRET, legacy: LEGACY_SECRET },
    inbox: new MemoryInbox(),
    handle: ({ event }: WebhookPayload) => void handled.push(event.id),
    onProblem: (problem) => void problems.push(problem),
    now: () => SIGNED_AT * 1000,
    pollMs: 10,
    ...options,
  });
  return { receiver, handled, problems, kinds: () => problems.map(({ kind }) => kind) };
}

/** Waits until this is true; rejects after five seconds. */
export async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 5_000; !holds();) {
    if (Date.now() > end) throw new Error(`Not within 5 s: ${holds}`);
    await setTimeout(5);
  }
}
