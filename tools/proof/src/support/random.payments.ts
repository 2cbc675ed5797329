import { setTimeout } from 'node:timers/promises';
import {
  approvedTransaction,
  newRequest,
  type ClientRequest,
  type PaymentRequestKind,
} from './client.request.js';
import type { PaymentClient } from './payment.client.js';
import { pickOne, randomUpTo } from './concurrency.js';

/** Longest pause of a client, ms: spreads a payment over several restarts. */
const PAUSE_MAX_MS = 1_500;

type FollowUps = readonly (Exclude<PaymentRequestKind, 'Sale' | 'Auth'> | 'TokenSale')[];
interface Plan {
  readonly opens: 'Sale' | 'Auth' | 'StoreCard';
  readonly then: FollowUps;
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

/** Makes one payment with follow-ups, each until it has a definite response. Adds every request to `requestArbitrary`. */
export async function payAtRandom(
  client: PaymentClient,
  paymentMethodId: string,
  requests: ClientRequest[],
  answeredWithinMs: number,
): Promise<void> {
  const insist = async (one: ClientRequest): Promise<ReturnType<typeof approvedTransaction>> => {
    requests.push(one);
    await setTimeout(Math.random() * PAUSE_MAX_MS);
    await client.insist(one, answeredWithinMs);
    return approvedTransaction(one);
  };
  const { opens, then } = pickOne(PLANS);
  const amount = Math.random() < 0.15 ? pickOne(TROUBLE) : 100 + randomUpTo(90_000);
  const isCard = opens === 'StoreCard';
  let original = await insist(newRequest(opens, { paymentMethodId, ...(!isCard && { amount }) }));
  for (const kind of then) {
    if (!original) return;
    const inPart = Math.random() < 0.5;
    if (kind === 'TokenSale') {
      const { id = '' } = original.paymentMethod ?? {};
      await insist(newRequest(kind, { paymentMethodId: id, amount: inPart ? amount : randomUpTo(90_000) }));
      continue;
    }
    const part = { amount: randomUpTo(original.amount) };
    const next = await insist(newRequest(kind, { originalTransactionId: original.id, ...(inPart && part) }));
    if (kind === 'Capture') original = next;
  }
}
