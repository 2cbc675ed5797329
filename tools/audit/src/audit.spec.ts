import { jest } from '@jest/globals';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEventStoreDbDouble } from '@tillstream/event-store-testing/eventstoredb';
import { AuditedService, NO_ANSWER, TEMPLATE } from './testing/audited.shop.js';
import { auditOf, copyOf, createShops, remove, type AuditedShops } from './testing/audited.shops.js';
import { changeBooks, eventsOf } from './testing/planted.errors.js';

jest.setTimeout(180_000);

let shops: AuditedShops;

beforeAll(async () => {
  shops = await createShops();
});
afterAll(() => remove(shops.directory));

describe('The audit of a clean shop', () => {
  it('finds no difference in sales, captures, refunds, voids, returns and chargebacks, and lists open outcomes apart', async () => {
    const { code, text, errors } = await auditOf([shops.directory]);
    expect([text, errors]).toEqual([expect.stringContaining('\nNo difference.'), []]);
    expect(code).toBe(0);
    expect(text).toContain(`  ${shops.open} Sale 9200.01 USD since `);
    expect(text).toContain('the processor has Captured 9200.01 USD');
    for (const check of ['lists', 'sums', 'items', 'fees', 'ledger', 'processor'])
      expect(text).toMatch(new RegExp(`\n  ${check} +no difference`));
    expect(text).toMatch(/Compared \d+ events, \d\d payments, \d+ batches, \d+ settlements, \d+ movements/);
  });

  it('was of every kind of item', () => {
    const items = eventsOf(shops.directory, 'PageSettled').flatMap(
      ({ data }) => data['items'] as { type: string; fee?: object }[],
    );
    const types = new Set(items.map(({ type }) => type));
    expect([...types].sort()).toEqual([
      'Capture',
      'Chargeback',
      'Refund',
      'Return',
      'Sale',
      'UnreferencedRefund',
    ]);
    expect(items.filter(({ fee }) => fee !== undefined).length).toBeGreaterThan(5);
    expect(eventsOf(shops.directory, 'SettlementFunded').length).toBeGreaterThan(3);
    for (const type of ['Reversed', 'TryFailed', 'Voided', 'Declined', 'MonthCharged', 'PageFeesCharged'])
      expect([type, eventsOf(shops.directory, type).length > 0]).toEqual([type, true]);
  });

  it('prints its balances and JSON, which say the same', async () => {
    const { code, text } = await auditOf([shops.directory, '--json', '--check', 'ledger']);
    const report = JSON.parse(text) as {
      clean: boolean;
      balances: { merchantId: string; currency: string; balances: Record<string, number> }[];
    };
    expect([code, report.clean]).toEqual([0, true]);
    for (const { balances } of report.balances)
      expect(Object.values(balances).reduce((sum, one) => sum + one, 0)).toBe(0);
    const net = report.balances.find(
      ({ merchantId, currency }) => merchantId === shops.net.merchant.id && currency === 'USD',
    )?.balances;
    const { text: printed } = await auditOf([shops.directory, '--balances', '--check', 'ledger']);
    expect(printed).toContain(`Balances of ${shops.net.merchant.id} in USD`);
    expect(net).toMatchObject({
      ...{ ReturnFees: -500, ChargebackFees: -1_500, MonthlyFees: -995, Adjustments: 1_500 },
      ...{ Returned: 0, ChargedBack: 0, FeesDue: 0 },
    });
    const gross = report.balances.find(({ merchantId }) => merchantId === shops.gross.merchant.id)?.balances;
    expect(gross?.['FeesDue']).toBeGreaterThan(0);
  });

  it('leaves nothing behind', async () => {
    const work = mkdtempSync(join(tmpdir(), 'tillstream-work-'));
    const copy = copyOf(shops.directory);
    const before = readdirSync(copy).sort();
    await auditOf([copy, '--work', work, '--check', 'items', '--check', 'processor']);
    expect(readdirSync(work)).toEqual([]);
    expect(
      readdirSync(copy)
        .sort()
        .filter((name) => !/-(wal|shm)$/.test(name)),
    ).toEqual(before.filter((name) => !/-(wal|shm)$/.test(name)));
    remove(work);
    remove(copy);
  });
});

describe('The audit', () => {
  it('runs while the service sells, closes batches and pays', async () => {
    const service = await AuditedService.open();
    const shop = await service.openShop('Net', TEMPLATE);
    const stop = { asked: false };
    const selling = (async () => {
      for (let round = 0; !stop.asked; round++) {
        const sale = await service.sale(shop, 1_000 + round);
        if (round % 3 === 0) await service.followUp('refund', shop, sale, 100);
        if (round % 5 === 4) await service.closeBatches(shop);
        if (round % 10 === 9) await service.pass(48);
      }
    })();
    try {
      for (let round = 0; round < 3; round++) {
        const { code, text, errors } = await auditOf([service.directory]);
        expect([code, errors, text]).toEqual([0, [], expect.stringContaining('No difference.')]);
      }
    } finally {
      stop.asked = true;
      await selling;
      await service.close();
      remove(service.directory);
    }
  });

  it('reads events from EventStoreDB', async () => {
    const server = await startEventStoreDbDouble();
    const settings = { EVENT_STORE: 'eventstoredb', EVENTSTOREDB_URL: server.url };
    const service = await AuditedService.open(settings);
    const shop = await service.openShop('Net', TEMPLATE);
    const sale = await service.sale(shop, 1_999);
    await service.closeBatches(shop);
    await service.followUp('refund', shop, sale, 100);
    expect(await auditOf([service.directory], settings)).toMatchObject({
      ...{ code: 0, errors: [] },
      text: expect.stringMatching(
        /^Compared \d+ events, 1 payments, 2 batches, 1 settlements, 2 movements[^]*No difference/,
      ),
    });
    await service.close();
    changeBooks(service.directory, `DELETE FROM movement WHERE kind = 'Refunded'`);
    expect(await auditOf([service.directory], settings)).toMatchObject({
      code: 1,
      text: expect.stringMatching(/processor: movement trx_\w{26}\.1: expected Refunded 1\.00 USD/),
    });
    await server.close();
    remove(service.directory);
  });

  it('lists an outcome as open until it is known', async () => {
    const service = await AuditedService.open();
    const shop = await service.openShop('Net');
    const open = await service.sale(shop, NO_ANSWER);
    const { code, text } = await auditOf([service.directory, '--check', 'processor']);
    expect([code, text]).toEqual([0, expect.stringContaining(`${open} Sale 9200.01 USD`)]);
    await service.close();
    remove(service.directory);
  });

  it.each([
    [['--check', 'nonsense'], 'Allowed are lists, sums, items, fees, ledger, processor.'],
    [['--check'], "option '--check <name>' argument missing"],
    [['one', 'two'], 'too many arguments. Expected 1 argument but got 2.'],
    [['--work', '/no/such/directory'], 'It is no directory.'],
    [['--fast'], "unknown option '--fast'"],
  ])('refuses %j and shows how it is used', async (args, complaint) => {
    const { code, errors } = await auditOf(args);
    expect([code, errors[0]]).toEqual([2, expect.stringContaining(complaint)]);
    expect(errors[0]).toContain('Usage: npm run audit -- [options] [directory]');
  });

  it('that is interrupted ends with 2, and removes its temporary file', async () => {
    const work = mkdtempSync(join(tmpdir(), 'tillstream-work-'));
    const interruption = new AbortController();
    const running = auditOf([shops.directory, '--work', work, '--check', 'items'], {}, interruption.signal);
    interruption.abort();
    expect(await running).toMatchObject({
      code: 2,
      lines: [],
      errors: [expect.stringMatching(/^Interrupted/)],
    });
    expect(readdirSync(work)).toEqual([]);
    remove(work);
  });

  it('ends with 2 where there is no store', async () => {
    const { code, errors } = await auditOf([join(shops.directory, 'nowhere')]);
    expect([code, errors]).toEqual([2, [expect.stringMatching(/^Not audited: there is no data directory/)]]);
    const empty = mkdtempSync(join(tmpdir(), 'tillstream-empty-'));
    expect(await auditOf([empty])).toMatchObject({
      code: 2,
      errors: [expect.stringMatching(/^Not audited: /)],
    });
    expect(readdirSync(empty)).toEqual([]);
    remove(empty);
  });

  it('ends with 2 if the server with the events is away', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'tillstream-away-'));
    const away = { EVENT_STORE: 'eventstoredb', EVENTSTOREDB_URL: 'esdb://127.0.0.1:1?tls=false' };
    const { code, errors } = await auditOf([empty, '--check', 'items'], away);
    expect([code, errors]).toEqual([2, [expect.stringMatching(/^Not audited: /)]]);
    remove(empty);
  });

  it('explains itself', async () => {
    expect(await auditOf(['--help'])).toMatchObject({
      code: 0,
      errors: [],
      text: expect.stringMatching(/--check <name>[^]*processor {2}what the sandbox's own books say/),
    });
  });
});
