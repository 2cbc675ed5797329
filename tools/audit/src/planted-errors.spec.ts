import { jest } from '@jest/globals';
import type { Adjustment, SettledItem, SettlementPricing } from '@tillstream/domain';
import { TEMPLATE } from './testing/audited.shop.js';
import { auditOf, copyOf, keepShops, remove, type KeptShops } from './testing/kept.shops.js';
import {
  changeBooks,
  changeEvent,
  changeRows,
  deleteEvent,
  eventsOf,
  repeatEvent,
  type StoredRow,
} from './testing/planted.errors.js';

jest.setTimeout(180_000);

let shops: KeptShops;
let directory: string;

beforeAll(async () => {
  shops = await keepShops();
});
afterAll(() => remove(shops.directory));
beforeEach(() => {
  directory = copyOf(shops.directory);
});
afterEach(() => remove(directory));

/** Runs some of the checks, which have to find a difference. Returns what is printed. */
async function found(...checks: readonly string[]): Promise<string> {
  const { code, text, errors } = await auditOf([directory, ...checks.flatMap((check) => ['--check', check])]);
  expect([code, errors]).toEqual([1, []]);
  expect(text).toContain('DIFFERENCE');
  return text;
}

const items = ({ data }: StoredRow): SettledItem[] => data['items'] as SettledItem[];
const isOf = (id: string) => (item: { readonly operationId: string }) => item.operationId === id;

/** Changes the items of the page that has the first settlement of an operation. */
function changePage(
  operationId: string,
  type: string,
  change: (all: SettledItem[], index: number) => void,
): string {
  let settlementId = '';
  changeEvent(directory, 'PageSettled', (row) => {
    const index = items(row).findIndex((item) => isOf(operationId)(item) && item.type === type);
    if (index < 0) return false;
    settlementId = String(row.data['settlementId']);
    change(items(row), index);
  });
  return settlementId;
}

describe('The audit finds and names', () => {
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

  it('a settlement that is shown as funded and was not paid', async () => {
    const { stream } = deleteEvent(directory, 'SettlementFunded', () => true);
    const settlement = `stl_${stream.slice('settlement-'.length)}`;
    expect(await found('ledger')).toMatch(
      new RegExp(`ledger: answer about ${settlement}: expected [^\\n]+, not paid, found [^\\n]+, paid at 20`),
    );
  });

  it('a movement of money that the processor does not have', async () => {
    changeBooks(directory, `DELETE FROM movement WHERE key = '${shops.sold}.1'`);
    expect(await found('processor')).toContain(
      `processor: movement ${shops.sold}.1: expected Captured 100.50 USD at sandbox, found nothing`,
    );
  });

  it('a movement of money that has another amount at the processor', async () => {
    changeBooks(directory, `UPDATE movement SET amount = amount - 1 WHERE key = '${shops.refunded}.1'`);
    expect(await found('processor')).toContain(
      `processor: movement ${shops.refunded}.1: expected Refunded 25.00 USD at sandbox, found Refunded 24.99 USD at sandbox`,
    );
  });

  it('a movement of money that the history does not have', async () => {
    changeBooks(
      directory,
      `INSERT INTO movement (key, kind, root, original, merchant, currency, amount, at)
       SELECT '${shops.sold}.2', 'Captured', root, NULL, merchant, currency, 77, at FROM movement WHERE key = '${shops.sold}.1'`,
    );
    expect(await found('processor')).toContain(
      `processor: movement ${shops.sold}.2: expected nothing by the history, found Captured 0.77 USD at sandbox`,
    );
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

  it('a monthly fee that the template does not have', async () => {
    changeEvent(directory, 'MonthEnded', ({ data }) => {
      const [first, ...others] = data['adjustments'] as Adjustment[];
      if (first?.kind !== 'MonthlyFee' || data['merchantId'] !== shops.net.merchant.id) return false;
      data['adjustments'] = [{ ...first, amount: first.amount - 1 }, ...others];
    });
    expect(await found('fees')).toMatch(
      new RegExp(
        `fees: monthly fee for \\d{4}-\\d\\d of ${shops.net.merchant.id} USD: expected 9.95 USD, found 9.96 USD`,
      ),
    );
  });

  it('a page whose fees no month charged', async () => {
    const { data } = deleteEvent(directory, 'PageFeesCharged', () => true);
    expect(await found('fees')).toMatch(
      new RegExp(
        `fees: fees of pages that name ${String(data['settlementId'])} for \\d{4}-\\d\\d of ${shops.gross.merchant.id} USD: expected \\d`,
      ),
    );
  });

  it('an adjustment that its settlement does not have', async () => {
    const stream = changeEvent(directory, 'SettlementStarted', ({ data }) => {
      if ((data['adjustments'] as Adjustment[]).length === 0) return false;
      data['adjustments'] = [];
    });
    const settlement = `stl_${stream.slice('settlement-'.length)}`;
    expect(await found('sums')).toMatch(
      new RegExp(
        `sums: adjustments of bat_\\w{26} in ${settlement}: expected \\w+ .*adj_\\w{26}.*, found none`,
      ),
    );
  });

  it('an adjustment with another amount than its batch took', async () => {
    changeEvent(directory, 'BatchAdjusted', ({ data }) => {
      if (data['kind'] !== 'Manual') return false;
      data['amount'] = Number(data['amount']) + 7;
    });
    const text = await found('sums', 'ledger');
    expect(text).toMatch(/sums: adjustments of bat_\w{26} in stl_\w{26}: expected Manual adj_/);
    expect(text).toMatch(/ledger: payable of stl_\w{26}: expected /);
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

  it('a row of a list that differs from the events', async () => {
    changeRows(directory, 'transactions', `UPDATE rows SET amount = amount + 1 WHERE id = '${shops.sold}'`);
    expect(await found('lists')).toMatch(
      new RegExp(
        `lists: first row that differs in transactions: ${shops.sold}: expected amount 10050, found amount 10051`,
      ),
    );
  });

  it('a row of a settlement that says another amount', async () => {
    const { stream } = eventsOf(directory, 'SettlementCreated')[0] as StoredRow;
    const settlement = `stl_${stream.slice('settlement-'.length)}`;
    changeRows(
      directory,
      'settlements',
      `UPDATE rows SET body = replace(body, '"amount":', '"amount":9') WHERE id = '${settlement}'`,
    );
    expect(await found('lists', 'ledger')).toContain(`ledger: answer about ${settlement}: expected`);
  });
});
