import type { SettledItem, SettlementPricing } from '@tillstream/domain';
import { TEMPLATE } from './testing/audited.shop.js';
import { changeEvent, deleteEvent, eventsOf, repeatEvent, type StoredRow } from './testing/planted.errors.js';
import { changePage, directory, found, plantInCopies, shops } from './testing/planted.setup.js';

plantInCopies();

describe('The audit finds and names in settlements', () => {
  it('a settled item that is missing', async () => {
    const settlement = changePage(shops.sold, 'Sale', (all, index) => all.splice(index, 1));
    const text = await found('items', 'sums');
    expect(text).toContain(
      `items: settled item Sale ${shops.sold}: expected 100.50 USD in ${settlement}, found nothing`,
    );
    expect(text).toContain(`sums: sales in the sums of ${settlement}: expected`);
  });

  it('an item that is settled twice', async () => {
    const settlement = changePage(shops.sold, 'Sale', (all, index) => all.push(all[index] as SettledItem));
    expect(await found('items')).toContain(
      `items: settled item Sale ${shops.sold}: expected once, found 2 times, in ${settlement}`,
    );
  });

  it('an item that is settled with another amount', async () => {
    changePage(shops.captured, 'Capture', (all, index) => {
      all[index] = { ...(all[index] as SettledItem), amount: 4_751 };
    });
    expect(await found('items')).toContain(
      `items: amount of the settled item Capture ${shops.captured}: expected 47.50 USD, found 47.51 USD`,
    );
  });

  it('a fee that is off by one cent', async () => {
    const settlement = changePage(shops.sold, 'Sale', (all, index) => {
      const item = all[index] as SettledItem & { fee: NonNullable<SettledItem['fee']> };
      const [first, ...others] = item.fee.lines;
      if (!first) throw new Error('the sale has a fee');
      const lines = [{ ...first, amount: first.amount + 1 }, ...others];
      all[index] = { ...item, fee: { ...item.fee, amount: item.fee.amount + 1, lines } };
    });
    const text = await found('fees', 'sums');
    expect(text).toContain(`fees: fee in ${settlement} of Sale ${shops.sold}: expected 2.34 USD`);
    expect(text).toContain('found 2.35 USD (Interchange 180 bps + 0.10 = 1.92');
    expect(text).toContain(`sums: interchange in the sums up to page 1 of ${settlement}`);
  });

  it('a settlement with another template than the one in effect at its cut-off', async () => {
    let settlement = '';
    changeEvent(directory, 'SettlementStarted', ({ data }) => {
      if (data['merchantId'] !== shops.net.merchant.id) return false;
      settlement = String(data['settlementId']);
      const pricing = data['pricing'] as SettlementPricing;
      data['pricing'] = { ...pricing, templateId: shops.laterTemplate, version: 2, chargebackFee: 2_500 };
    });
    expect(await found('fees')).toMatch(
      new RegExp(
        `fees: template at \\S+ of ${settlement}: expected prt_\\w{26} "Retail", found ${shops.laterTemplate}`,
      ),
    );
  });

  it('terms of a template that were changed', async () => {
    const stream = changeEvent(directory, 'SettlementStarted', ({ data }) => {
      data['pricing'] = {
        ...(data['pricing'] as SettlementPricing),
        returnFee: (TEMPLATE.returnFee ?? 0) + 1,
      };
    });
    expect(await found('fees')).toContain(
      `of stl_${stream.slice('settlement-'.length)}: expected the terms of prt_`,
    );
  });

  it('a total that differs from its lines', async () => {
    const stream = changeEvent(directory, 'SettlementCreated', ({ data }) => {
      data['amount'] = Number(data['amount']) + 1;
    });
    const settlement = `stl_${stream.slice('settlement-'.length)}`;
    const text = await found('sums', 'ledger');
    expect(text).toContain(`sums: amount of ${settlement}: expected its lines, `);
    expect(text).toContain(`ledger: payable of ${settlement}: expected `);
  });

  it('a line that differs from its items', async () => {
    const stream = changeEvent(directory, 'SettlementCreated', ({ data }) => {
      const [first, ...others] = data['lines'] as { amount: number }[];
      data['lines'] = [{ ...first, amount: (first?.amount ?? 0) - 5 }, ...others];
    });
    const settlement = `stl_${stream.slice('settlement-'.length)}`;
    expect(await found('sums')).toContain(`sums: lines of ${settlement}: expected`);
  });

  it('a batch that closed with other totals than its items', async () => {
    const stream = changeEvent(directory, 'BatchClosed', ({ data }) => {
      data['amount'] = Number(data['amount']) + 100;
    });
    expect(await found('sums')).toContain(`sums: total of bat_${stream.slice('batch-'.length)}: expected`);
  });

  it('a refund that no batch has', async () => {
    changePage(shops.refunded, 'Refund', (all, index) => all.splice(index, 1));
    deleteEvent(directory, 'Batched', ({ data }) => data['operationId'] === shops.refunded);
    expect(await found('items')).toMatch(
      new RegExp(
        `items: item Refund ${shops.refunded}: expected -25.00 USD of \\S+ in bat_\\w{26} or before, found in no batch`,
      ),
    );
  });

  it('a return that two batches took', async () => {
    repeatEvent(directory, 'Batched', ({ data }) => data['returnId'] !== undefined);
    expect(await found('items')).toMatch(
      new RegExp(
        `items: item of a batch Return ${shops.returned} ret_\\w+.\\d+: expected one batch, found 2 batches`,
      ),
    );
  });

  it('a chargeback that was taken with another amount', async () => {
    changeEvent(directory, 'ChargebackReceived', ({ data }) => {
      data['amount'] = 3_999;
    });
    expect(await found('items')).toMatch(
      new RegExp(
        `items: amount taken by a batch Chargeback ${shops.charged} cbk_\\w+: expected -39.99 USD, found -40.00 USD`,
      ),
    );
  });

  it('a capture that was changed after the fact', async () => {
    changeEvent(directory, 'Captured', ({ data }) => {
      if (data['operationId'] !== shops.captured) return false;
      data['amount'] = 6_000;
    });
    const text = await found('items', 'processor', 'ledger');
    expect(text).toContain(
      `items: amount taken by a batch Capture ${shops.captured}: expected 57.50 USD, found 47.50 USD`,
    );
    expect(text).toContain(`processor: movement ${shops.captured}.1: expected Captured 60.00 USD`);
    expect(text).toMatch(/ledger: payable of stl_\w{26}: expected /);
  });

  it('an item whose payment does not exist', async () => {
    changePage(shops.sold, 'Sale', (all, index) => {
      const stranger = `trx_00${shops.sold.slice(6)}` as SettledItem['operationId'];
      all[index] = { ...(all[index] as SettledItem), operationId: stranger };
    });
    const text = await found('items');
    expect(text).toMatch(/items: settled item Sale trx_00\w{24}: expected a payment in the history/);
    expect(text).toContain(`items: settled item Sale ${shops.sold}: expected 100.50 USD`);
  });

  it('a settlement that is missing', async () => {
    const { data } = eventsOf(directory, 'BatchSettled')[0] as StoredRow;
    const [{ settlementId }] = data['settlements'] as [{ settlementId: string }];
    for (const type of ['SettlementFunded', 'SettlementCreated', 'SettlementStarted'])
      deleteEvent(
        directory,
        type,
        ({ stream }) => stream === `settlement-${settlementId.slice('stl_'.length)}`,
      );
    expect(await found('sums')).toMatch(
      new RegExp(`sums: settlement of bat_\\w{26}: expected ${settlementId}, found none`),
    );
  });
});
