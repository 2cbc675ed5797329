import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isBeingClosed, type Batch, type Merchant, type Settlement } from '@tillstream/domain';
import { MemoryEventStore } from '@tillstream/event-store';
import type { ReadModels } from '../read-models.types.js';
import type { OpenLists } from './lists.under-test.js';
import { seededChoice } from './random-decisions.testing.js';
import { RandomHistories } from './random-histories.testing.js';

/** What the batch closer finds: which batches, settlements and merchants wait for it. */
export function batchQueuesContract(openLists: OpenLists): void {
  describe('the queues of batches and settlements', () => {
    const place = openLists();
    const states = new Map<string, unknown>();
    let models: ReadModels;

    beforeAll(async () => {
      const store = new MemoryEventStore();
      models = await place.open({ store });
      const categories = ['batch', 'batch', 'settlement', 'merchant'] as const;
      const histories = new RandomHistories(store, seededChoice(31), { streams: 30, categories });
      await histories.run(260, ({ category, stream, state, appended: events }) => {
        states.set(stream, state);
        return models.writer.writeThrough(category, { stream, state, events });
      });
    }, 60_000);
    afterAll(async () => {
      await models.stop();
      await place.remove();
    });

    const ofCategory = <State>(category: string): State[] =>
      [...states].flatMap(([stream, state]) => (stream.startsWith(`${category}-`) ? [state as State] : []));
    const sorted = (values: readonly unknown[]): string[] =>
      values.map((value) => JSON.stringify(value)).sort();

    it('have the batches that are being closed, or wait for their settlements', async () => {
      const closing = ofCategory<Batch>('batch').filter(isBeingClosed);
      expect(closing.length).toBeGreaterThan(3);
      expect(sorted(await models.batches.closingBatchIds(100))).toEqual(sorted(closing.map(({ id }) => id)));
    });

    it('have the open batches with an adjustment, and its time', async () => {
      const adjusted = ofCategory<Batch>('batch').flatMap(({ status, merchantId, currency, adjustments }) => {
        const [first] = status === 'Open' ? adjustments : [];
        return first ? [{ merchantId, currency, oldest: Date.parse(first.at) }] : [];
      });
      expect(adjusted.length).toBeGreaterThan(1);
      expect(sorted(await models.batches.adjustedBatches())).toEqual(sorted(adjusted));
    });

    it('have the settlements that are due', async () => {
      const pending = ofCategory<Settlement>('settlement').filter(({ status }) => status === 'Pending');
      const [middle] = pending
        .map(({ fundingDueAt }) => Date.parse(fundingDueAt))
        .sort()
        .slice(2);
      const due = pending.filter(({ fundingDueAt }) => Date.parse(fundingDueAt) < (middle ?? 0));
      expect(due.length).toBeGreaterThan(1);
      expect(sorted(await models.batches.settlementsDueBefore(middle ?? 0, 100))).toEqual(
        sorted(due.map(({ settlementId }) => settlementId)),
      );
    });

    it('give all merchants with their zones, page by page', async () => {
      const merchants = ofCategory<Merchant>('merchant');
      expect(merchants.length).toBeGreaterThan(5);
      const found: unknown[] = [];
      let after: string | undefined;
      for (;;) {
        const page = await models.batches.merchantZones({ limit: 4, ...(after !== undefined && { after }) });
        found.push(...page);
        after = page.at(-1)?.merchantId;
        if (page.length < 4) break;
      }
      expect(sorted(found)).toEqual(
        sorted(merchants.map(({ id: merchantId, timeZone }) => ({ merchantId, timeZone }))),
      );
    });
  });
}
