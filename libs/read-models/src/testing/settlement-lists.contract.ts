import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FeeCharge, SettledTransaction, SettlementSummary } from '@tillstream/contracts';
import type { Settlement, SettlementPage } from '@tillstream/domain';
import { MemoryEventStore } from '@tillstream/event-store';
import {
  itemFeeCharge,
  monthlyFeeCharge,
  settledTransactionShape,
  settlementShape,
  settlementSummary,
} from '@tillstream/presentation';
import type { List, ListItem, ReadModels } from '../read-models.types.js';
import type { OpenLists } from './lists.under-test.js';
import { MERCHANTS, seededChoice } from './random-decisions.testing.js';
import { RandomHistories } from './random-histories.testing.js';

/** The lists of settlements compared with the states that they follow from, now and as they were at earlier times. */
export function settlementListsContract(openLists: OpenLists): void {
  describe('the lists of settlements, settled transactions and fee charges', () => {
    const place = openLists();
    const settlements = new Map<string, Settlement>();
    const pages = new Map<string, SettlementPage>();
    let models: ReadModels;

    beforeAll(async () => {
      const store = new MemoryEventStore();
      models = await place.open({ store });
      // Few events of pages, so that fees of some wait.
      const categories = ['settlement', 'settlement', 'settlement', 'settlementpage'] as const;
      const histories = new RandomHistories(store, seededChoice(77), { streams: 40, categories });
      await histories.run(240, (append) => {
        if (append.category === 'settlement') settlements.set(append.stream, append.state as Settlement);
        else pages.set(append.stream, append.state as SettlementPage);
        const { stream, state, appended: events } = append;
        return models.writer.writeThrough(append.category, { stream, state, events });
      });
    }, 60_000);
    afterAll(async () => {
      await models.stop();
      await place.remove();
    });

    const bodies = <Body>({ items }: List<ListItem>): Body[] =>
      items.map(({ body }) => JSON.parse(body) as Body);
    const sorted = <Item>(items: readonly Item[]): string[] =>
      items.map((item) => JSON.stringify(item)).sort();
    /** Times in the middle of the history, and one after it. */
    const times = (): (string | undefined)[] => {
      const all = [...settlements.values()].flatMap(({ createdAt, fundedAt }) => [
        createdAt,
        fundedAt ?? createdAt,
      ]);
      const ordered = all.sort();
      return [
        undefined,
        ...[0.2, 0.5, 0.8].map((part) => ordered[Math.floor(ordered.length * part)]),
        ordered.at(-1),
      ];
    };

    function expectedSettlements(merchantId: string, asOf = '9999'): SettlementSummary[] {
      return [...settlements.values()].flatMap((one) => {
        if (one.merchantId !== merchantId || !one.created || one.createdAt > asOf) return [];
        const { fundedAt, ...shown } = settlementSummary(one, one.created);
        const isFunded = fundedAt !== undefined && fundedAt <= asOf;
        return [
          { ...shown, status: isFunded ? 'Funded' : 'Pending', ...(isFunded && { fundedAt }) } as const,
        ];
      });
    }

    it('lists the created settlements of a merchant, by currency, status and time, now and as they were', async () => {
      expect([...settlements.values()].filter(({ status }) => status === 'Funded').length).toBeGreaterThan(5);
      for (const merchantId of MERCHANTS) {
        for (const asOf of times()) {
          const at = asOf === undefined ? {} : { asOf };
          const expected = expectedSettlements(merchantId, asOf);
          const list = async (filters: object): Promise<string[]> => {
            const found = await models.queries.settlements.list({
              merchantId,
              limit: 100,
              filters: { ...at, ...filters },
            });
            return sorted(bodies<SettlementSummary>(found));
          };
          expect(await list({})).toEqual(sorted(expected));
          for (const status of ['Pending', 'Funded'] as const) {
            expect(await list({ status: [status] })).toEqual(
              sorted(expected.filter((one) => one.status === status)),
            );
          }
          expect(await list({ currency: ['CAD'] })).toEqual(
            sorted(expected.filter((one) => one.currency === 'CAD')),
          );
          const [settledFrom, settledTo] = [expected.at(0)?.createdAt ?? '', '2026-04-01T00:00:00.000Z'];
          const within = ({ createdAt }: SettlementSummary) =>
            createdAt >= settledFrom && createdAt < settledTo;
          expect(await list({ settledFrom, settledTo })).toEqual(sorted(expected.filter(within)));
        }
      }
    });

    it('finds a settlement with its lines, but not for another merchant', async () => {
      for (const one of settlements.values()) {
        const text = await models.queries.settlements.find(one.merchantId, one.settlementId);
        expect(text && JSON.parse(text)).toEqual(settlementShape(one));
        const other = MERCHANTS.find((merchantId) => merchantId !== one.merchantId) ?? '';
        expect(await models.queries.settlements.find(other, one.settlementId)).toBeUndefined();
      }
    });

    it('lists settled transactions with the time of the funding, now and as they were', async () => {
      for (const merchantId of MERCHANTS) {
        for (const asOf of times()) {
          const at = asOf === undefined ? {} : { asOf };
          const expected = [...pages.values()].flatMap((page) => {
            if (page.merchantId !== merchantId || page.settledAt > (asOf ?? '9999')) return [];
            const owner = [...settlements.values()].find(
              ({ settlementId }) => settlementId === page.settlementId,
            );
            const fundedAt = owner?.created && owner.fundedAt;
            const isFunded = fundedAt !== undefined && fundedAt <= (asOf ?? '9999');
            return page.items.map((item) => {
              const shown = settledTransactionShape(page, item);
              return { ...shown, settlement: { ...shown.settlement, ...(isFunded && { fundedAt }) } };
            });
          });
          const list = async (filters: object): Promise<string[]> => {
            const found: SettledTransaction[] = [];
            let after: ListItem | undefined;
            for (;;) {
              const request = { merchantId, limit: 7, filters: { ...at, ...filters } };
              const page = await models.queries.settledTransactions.list({
                ...request,
                ...(after && { after: after as never }),
              });
              found.push(...bodies<SettledTransaction>(page));
              if (!page.next) return sorted(found);
              after = page.next as never;
            }
          };
          expect(await list({})).toEqual(sorted(expected));
          const some = expected[0];
          if (!some) continue;
          const { transactionId, transactionType, batchId, settlement } = some;
          const matching = (test: (one: SettledTransaction) => boolean) => sorted(expected.filter(test));
          expect(await list({ transactionId: [transactionId] })).toEqual(
            matching((one) => one.transactionId === transactionId),
          );
          expect(await list({ transactionType: [transactionType] })).toEqual(
            matching((one) => one.transactionType === transactionType),
          );
          expect(await list({ batchId: [batchId], settlementId: [settlement.id] })).toEqual(
            matching((one) => one.batchId === batchId),
          );
        }
      }
    });

    it('lists fee charges, of a month’s end too, now and as they were', async () => {
      for (const merchantId of MERCHANTS) {
        for (const asOf of times()) {
          const at = asOf === undefined ? {} : { asOf };
          const expected = expectedFees(merchantId, asOf ?? '9999');
          const list = async (filters: object): Promise<string[]> => {
            const request = { merchantId, limit: 100, filters: { ...at, ...filters } };
            return sorted(bodies<FeeCharge>(await models.queries.feeCharges.list(request)));
          };
          expect(await list({})).toEqual(sorted(expected));
          for (const status of ['Pending', 'Charged'] as const) {
            const ofStatus = expected.filter((one) => one.status === status);
            expect(await list({ status: [status] })).toEqual(sorted(ofStatus));
            const settlementId = ofStatus[0]?.settlementId ?? 'stl_none';
            const ofSettlement = ofStatus.filter((one) => one.settlementId === settlementId);
            expect(await list({ status: [status], settlementId: [settlementId] })).toEqual(
              sorted(ofSettlement),
            );
          }
          expect(await list({ source: ['Monthly'] })).toEqual(
            sorted(expected.filter(({ source }) => source === 'Monthly')),
          );
          const chargedTo = '2026-04-15T00:00:00.000Z';
          expect(await list({ chargedTo })).toEqual(
            sorted(expected.filter(({ chargedAt }) => chargedAt !== undefined && chargedAt < chargedTo)),
          );
        }
      }
    });

    function expectedFees(merchantId: string, asOf: string): FeeCharge[] {
      const itemFees = [...pages.values()].flatMap((page) => {
        if (page.merchantId !== merchantId || page.settledAt > asOf) return [];
        const { charged, ...rest } = page;
        const then = charged && charged.at > asOf ? rest : page;
        return page.items.flatMap((item) =>
          item.fee ? itemFeeCharge(then, { ...item, fee: item.fee }) : [],
        );
      });
      const monthlyFees = [...settlements.values()].flatMap((one) => {
        if (one.merchantId !== merchantId || one.createdAt > asOf) return [];
        return one.adjustments.map((fee) => monthlyFeeCharge(one, { ...fee, feeId: fee.feeId ?? '' }));
      });
      return [...itemFees, ...monthlyFees];
    }

    it('sorts fees that are not charged after all others', async () => {
      const sort = { by: 'chargedAt', descending: false } as const;
      const statuses = new Set<string>();
      for (const merchantId of MERCHANTS) {
        const request = { merchantId, sort, limit: 100 };
        const fees = bodies<FeeCharge>(await models.queries.feeCharges.list(request));
        const charged = fees.map(({ chargedAt = '9999' }) => chargedAt);
        expect(charged).toEqual([...charged].sort());
        for (const { status } of fees) statuses.add(status);
      }
      expect(statuses.size).toBe(2);
    });
  });
}
