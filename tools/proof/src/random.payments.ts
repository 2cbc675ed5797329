import { setTimeout } from 'node:timers/promises';
import { approvedIn, ask, type Asked, type AskedKind } from './asked.js';
import type { Client } from './client.js';
import { pick, upTo } from './lanes.js';

/** Between a client's steps, so that payments are spread over many lives of the processes. */
const THINKS_MS = 1_500;

type FollowUps = readonly (Exclude<AskedKind, 'Sale' | 'Auth'> | 'TokenSale')[];
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

/** Lost answers, lost requests, refused connections, a processor that breaks its word, declines. */
const TROUBLE = [920_001, 920_002, 920_003, 920_004, 920_006, 900_051] as const;

/** One payment with what follows it, each step asked until there is a definite answer. What was asked goes to `asked`. */
export async function payAtRandom(
  client: Client,
  paymentMethodId: string,
  asked: Asked[],
  answeredWithinMs: number,
): Promise<void> {
  const insist = async (one: Asked): Promise<ReturnType<typeof approvedIn>> => {
    asked.push(one);
    await setTimeout(Math.random() * THINKS_MS);
    await client.insist(one, answeredWithinMs);
    return approvedIn(one);
  };
  const { opens, then } = pick(PLANS);
  const amount = Math.random() < 0.15 ? pick(TROUBLE) : 100 + upTo(90_000);
  const isCard = opens === 'StoreCard';
  let original = await insist(ask(opens, { paymentMethodId, ...(!isCard && { amount }) }));
  for (const kind of then) {
    if (!original) return;
    const inPart = Math.random() < 0.5;
    if (kind === 'TokenSale') {
      const { id = '' } = original.paymentMethod ?? {};
      await insist(ask(kind, { paymentMethodId: id, amount: inPart ? amount : upTo(90_000) }));
      continue;
    }
    const part = { amount: upTo(original.amount) };
    const next = await insist(ask(kind, { originalTransactionId: original.id, ...(inPart && part) }));
    if (kind === 'Capture') original = next;
  }
}
