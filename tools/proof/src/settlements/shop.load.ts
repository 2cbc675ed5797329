import { setTimeout } from 'node:timers/promises';
import { approvedTransaction, type RequestBody, type RequestKind } from '../support/client.request.js';
import { inParallel, pickOne, randomUpTo } from '../support/concurrency.js';
import type { Lane, Shop } from './shops.js';

const RESPONSE_TIMEOUT_MS = 120_000;
const PAUSE_MAX_MS = 300;

type Plan = 'Sale' | 'Auth' | 'TokenSale';

/** Payments at all terminals of all shops, with random captures, voids and refunds. @param say called now and then */
export async function payAtShops(
  shops: readonly Shop[],
  payments: number,
  say: (line: string) => void,
): Promise<void> {
  // The terminals of the shops in turn.
  const lanes = shops.flatMap((shop) => shop.lanes.map((lane, index) => ({ lane, index })));
  lanes.sort((a, b) => a.index - b.index);
  let begun = 0;
  await inParallel(lanes, lanes.length, async ({ lane }) => {
    const till = new Till(lane);
    while (begun < payments) {
      begun += 1;
      if (begun % 2_000 === 0) say(`${begun} of ${payments} payments`);
      await till.pay(pickOne<Plan>(['Sale', 'Sale', 'Sale', 'Auth', 'TokenSale']));
    }
  });
}

class Till {
  private tokenId: string | undefined;

  constructor(private readonly lane: Lane) {}

  async pay(plan: Plan): Promise<void> {
    const amount = 100 + randomUpTo(90_000);
    if (plan === 'TokenSale') return this.sellWithToken(amount);
    const { terminalId: paymentMethodId } = this.lane;
    const opened = await this.insist(plan, { amount, paymentMethodId });
    if (opened === undefined) return;
    if (plan === 'Sale') return this.takeBack(opened, amount);
    // Two captures in part, so that one authorization has two items.
    for (const part of [randomUpTo(amount >> 1), randomUpTo(amount >> 1)]) {
      const captured = await this.insist('Capture', { originalTransactionId: opened, amount: part });
      if (captured !== undefined) await this.takeBack(captured, part);
    }
  }

  private async sellWithToken(amount: number): Promise<void> {
    this.tokenId ??= await this.storedCard();
    const sale = this.tokenId && (await this.insist('TokenSale', { amount, paymentMethodId: this.tokenId }));
    if (sale) await this.takeBack(sale, amount);
  }

  private async storedCard(): Promise<string | undefined> {
    const request = this.lane.client.newRequest('StoreCard', { paymentMethodId: this.lane.terminalId });
    await this.lane.client.insist(request, RESPONSE_TIMEOUT_MS);
    return approvedTransaction(request)?.paymentMethod.id;
  }

  /** Voids and refunds, in part or whole, before or after a batch took the operation. */
  private async takeBack(originalTransactionId: string, amount: number): Promise<void> {
    for (let left = pickOne([0, 0, 0, 1, 1, 2]); left > 0; left--) {
      await setTimeout(randomUpTo(PAUSE_MAX_MS));
      const part = pickOne([undefined, randomUpTo(amount), randomUpTo(Math.ceil(amount / 4))]);
      await this.insist(pickOne(['Void', 'Refund', 'Refund']), { originalTransactionId, amount: part });
    }
  }

  /** Returns the id of the operation if it was approved. */
  private async insist(
    kind: RequestKind,
    body: Omit<RequestBody, 'referenceId'>,
  ): Promise<string | undefined> {
    const request = this.lane.client.newRequest(kind, body);
    await this.lane.client.insist(request, RESPONSE_TIMEOUT_MS);
    return approvedTransaction(request)?.id;
  }
}
