import { setTimeout } from 'node:timers/promises';
import { approvedTransaction, type FollowUpKind, type RequestKind } from './client.request.js';
import { pickOne, randomUpTo } from './concurrency.js';
import type { PaymentClient } from './payment.trial.js';

/** Longest pause of a client, ms: spreads a payment over several restarts. */
const PAUSE_MAX_MS = 1_500;

interface Plan {
  readonly opens: 'Sale' | 'Auth' | 'StoreCard';
  readonly then: readonly (FollowUpKind | 'TokenSale')[];
}
const PLANS: readonly [Plan, ...Plan[]] = [
  { opens: 'Sale', then: [] },
  { opens: 'Sale', then: ['Refund'] },
  { opens: 'Sale', then: ['Void'] },
  { opens: 'Auth', then: ['Capture'] },
  { opens: 'Auth', then: ['Capture', 'Void'] },
  { opens: 'Auth', then: ['Void'] },
  { opens: 'StoreCard', then: ['TokenSale', 'TokenSale'] },
];

/** Amounts for which the sandbox loses a response or request, refuses the connection, executes late or declines. */
const TROUBLE = [920_001, 920_002, 920_003, 920_004, 920_006, 900_051] as const;

export async function payAtRandom(
  client: PaymentClient,
  paymentMethodId: string,
  timeoutMs: number,
): Promise<void> {
  const insist = async (kind: RequestKind, body: Parameters<typeof client.newRequest>[1]) => {
    const request = client.newRequest(kind, body);
    await setTimeout(Math.random() * PAUSE_MAX_MS);
    await client.insist(request, timeoutMs);
    return approvedTransaction(request);
  };
  const { opens, then } = pickOne(PLANS);
  const amount = Math.random() < 0.15 ? pickOne(TROUBLE) : 100 + randomUpTo(90_000);
  let original = await insist(opens, {
    paymentMethodId,
    amount: opens === 'StoreCard' ? undefined : amount,
  });
  for (const kind of then) {
    if (!original) return;
    const inPart = Math.random() < 0.5;
    if (kind === 'TokenSale') {
      const { id } = original.paymentMethod;
      await insist(kind, { paymentMethodId: id, amount: inPart ? amount : randomUpTo(90_000) });
      continue;
    }
    const part = inPart ? randomUpTo(original.amount ?? amount) : undefined;
    const next = await insist(kind, { originalTransactionId: original.id, amount: part });
    if (kind === 'Capture') original = next;
  }
}
