import type { Adjustment } from '@tillstream/domain';
import {
  changeBooks,
  changeEvent,
  changeRows,
  deleteEvent,
  eventsOf,
  type StoredRow,
} from './testing/planted.errors.js';
import { directory, found, plantInCopies, shops } from './testing/planted.setup.js';

plantInCopies();

describe('The audit finds and names in lists, months and the processor’s books', () => {
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
