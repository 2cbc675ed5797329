import { existsSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirectoryFixture } from './data-directory.fixture.js';

describe('export', () => {
  let fixture: DataDirectoryFixture;
  let sale: string;

  beforeEach(async () => {
    fixture = new DataDirectoryFixture();
    await fixture.createMerchant();
    sale = await fixture.sale(1500);
  });
  afterEach(() => fixture.remove());

  const exported = async (...args: string[]) => JSON.parse((await fixture.run('export', ...args)).out);
  const reads = () =>
    fixture.service(async ({ personalDataAudit }) => {
      const { reads } = await personalDataAudit.personalDataReads(new Date().toISOString().slice(0, 10));
      return reads;
    });

  it('gives every event in order, with both clocks, actor, trace and hash, and the operations as the merchant sees them', async () => {
    const all = await exported(sale);
    expect(all).toMatchObject({
      transactionId: sale,
      merchantId: fixture.merchant.id,
      store: 'sqlite',
      stream: `payment-${sale.slice(4, -3)}`,
      chain: { status: 'Intact', events: 4 },
      personalData: { opened: false },
      operations: [{ id: sale, type: 'Sale', status: 'Completed', amount: 1500 }],
    });
    expect(
      all.events.map(({ type, revision }: { type: string; revision: number }) => [type, revision]),
    ).toEqual([
      ['SaleRequested', 0],
      ['TryRequested', 1],
      ['Authorized', 2],
      ['Captured', 3],
    ]);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
    expect(all.events[0]).toMatchObject({
      schemaVersion: 1,
      serviceTime: time,
      realTime: time,
      actor: { type: 'ApiKey', name: 'till' },
      traceId: 'a'.repeat(32),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      data: { amount: 1500 },
    });
    expect(all.chain.lastHash).toBe(all.events.at(-1).hash);
  });

  it('replaces a file as a whole, for its owner only', async () => {
    const out = join(fixture.directory, 'export.json');
    for (let time = 0; time < 2; time++) {
      const { code, out: shown, err } = await fixture.run('export', sale, '--out', out);
      expect([code, shown, err]).toEqual([0, '', `Written to ${out}, readable by its owner only.`]);
    }
    expect(JSON.parse(readFileSync(out, 'utf8')).transactionId).toBe(sale);
    expect(statSync(out).mode & 0o777).toBe(0o600);
  });

  it('reports a broken chain with exit code 1, and exports the events', async () => {
    await fixture.tamper("UPDATE events SET type = 'Voided' WHERE stream LIKE 'payment-%' AND revision = 2");
    const { code, out, err } = await fixture.run('export', sale);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^The chain of payment-\w+ is BROKEN at revision 2: /),
    ]);
    expect(JSON.parse(out)).toMatchObject({
      chain: { status: 'Broken', revision: 2 },
      events: { length: 4 },
    });
  });

  it('exports events of a type that this version does not know, and says why there are no operations', async () => {
    await fixture.tamper("UPDATE events SET type = 'Dreamt' WHERE stream LIKE 'payment-%' AND revision = 3");
    expect(JSON.parse((await fixture.run('export', sale)).out)).toMatchObject({
      operations: [],
      operationsMissing: expect.stringContaining('Dreamt') as string,
      events: { length: 4 },
    });
  });

  it('refuses a transaction that is not there, an operation that its payment does not have, and unfit arguments', async () => {
    for (const id of [`trx_${'0'.repeat(23)}P00`, `${sale.slice(0, -1)}9`]) {
      expect(await fixture.run('export', id)).toEqual({
        code: 1,
        out: '',
        err: `There is no transaction ${id}.`,
      });
    }
    mkdirSync(join(fixture.directory, 'folder'));
    symlinkSync(join(fixture.directory, 'folder'), join(fixture.directory, 'link'));
    for (const [args, sentence] of [
      [['--reason', 'x'], '--reason needs --personal'],
      [['--personal'], '--personal needs --reason'],
      [['--personal', '--reason', 'card 4242424242424242'], 'It has something in it'],
      [['--out', join(fixture.directory, 'folder')], 'not the name of an ordinary file'],
      [['--out', join(fixture.directory, 'link')], 'not the name of an ordinary file'],
      [['--out', join(fixture.directory, 'none', 'x')], 'does not exist; make it first'],
    ] as const) {
      const { code, err } = await fixture.run('export', sale, ...args);
      expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
      expect(err).not.toContain('4242');
    }
    expect(await reads()).toEqual([]);
  });

  it('keeps personal data sealed; --personal records who reads and why, and opens them', async () => {
    const { transactionId } = await fixture.storedCard();
    const sealed = await exported(transactionId);
    expect(JSON.stringify(sealed)).toContain('"ciphertext"');
    expect(sealed.operations).toMatchObject([{ id: transactionId, type: 'TokenCreate' }]);
    expect(await reads()).toEqual([]);
    const opened = await exported(transactionId, '--personal', '--reason', 'case 12', '--actor', 'Grace');
    expect(opened.personalData).toEqual({ opened: true, reason: 'case 12', readBy: 'Grace' });
    const places = opened.events.flatMap(({ personal }: { personal: unknown[] }) => personal);
    expect(places).toContainEqual({
      path: expect.stringContaining('personal') as string,
      status: 'Opened',
      value: expect.objectContaining({ cardExpDate: expect.stringMatching(/^\d{4}$/) as string }) as object,
    });
    expect(await reads()).toMatchObject([
      {
        operator: 'Grace',
        why: 'case 12',
        subject: { type: 'Transaction', id: transactionId, merchantId: fixture.merchant.id },
      },
    ]);
    expect(JSON.stringify(opened)).not.toMatch(
      /(?<![\w-])\d{15,16}(?![\w-])(?<!"networkTransactionId":"\d+)/,
    );
  });

  it('shows destroyed personal data as gone', async () => {
    const { transactionId, tokenId } = await fixture.storedCard();
    await fixture.service(({ storedCards }) =>
      storedCards.remove(
        { merchant: fixture.merchant, actor: { type: 'ApiKey', name: 'till' }, traceId: 'b'.repeat(32) },
        tokenId,
      ),
    );
    const { events } = await exported(transactionId, '--personal', '--reason', 'case 13');
    const places = events.flatMap(({ personal }: { personal: { status: string }[] }) => personal);
    expect(new Set(places.map(({ status }: { status: string }) => status))).toEqual(new Set(['Gone']));
  });

  it('opens nothing where the read can not be recorded, or the vault is not there', async () => {
    const { transactionId } = await fixture.storedCard();
    const asked = ['export', transactionId, '--personal', '--reason', 'case 14'];
    await fixture.tamper(
      "CREATE TRIGGER no_records BEFORE INSERT ON events WHEN NEW.stream LIKE 'personaldata-%' BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    const refused = await fixture.run(...asked);
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toMatch(/^Nothing was opened, as the record of this read could not be written: /);
    renameSync(join(fixture.directory, 'vault.db'), join(fixture.directory, 'vault.away'));
    const missing = await fixture.run(...asked);
    expect([missing.code, missing.out, missing.err]).toEqual([
      2,
      '',
      expect.stringMatching(/^\S+vault\.db is missing or empty, and the cards /),
    ]);
    expect(existsSync(join(fixture.directory, 'vault.db'))).toBe(false);
  });
});
