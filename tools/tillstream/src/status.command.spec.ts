import { startEventStoreDbDouble } from '@tillstream/event-store-testing/eventstoredb';
import { DataDirectoryFixture } from './data-directory.fixture.js';

describe('status and merchants', () => {
  let fixture: DataDirectoryFixture;

  beforeEach(async () => {
    fixture = new DataDirectoryFixture({
      PORT: '2',
      PROCESSOR_DEADLINE_MS: '300',
      TERMINAL_DEADLINE_MS: '400',
      INQUIRY_MARGIN_MS: '100',
    });
    await fixture.createMerchant();
  });
  afterEach(() => fixture.remove());

  const status = async () => {
    const { code, out } = await fixture.run('status', '--json');
    return { code, ...JSON.parse(out) };
  };

  it('reads the stores of a stopped service, reports that the service is stopped, and ends with 1', async () => {
    await fixture.sale(1500);
    const { code, out } = await fixture.run('status');
    expect(code).toBe(1);
    expect(out).toMatch(
      /^service +not reachable at http:\/\/127\.0\.0\.1:2; only the data directory was read$/m,
    );
    expect(out).toMatch(/^events +sqlite, last event at position \d+$/m);
    expect(out).toMatch(/^lists +transactions: Live, \d+ events behind$/m);
    expect(out).toMatch(/^batches +1 open, 0 closing$/m);
    expect(out).toMatch(/^disk +[\d,]+ MB free$/m);
    expect(out).toMatch(
      /^PROBLEM: the service can not be reached at http:\/\/127\.0\.0\.1:2: no connection/m,
    );
  });

  it('walks to the head, however far the lists are behind', async () => {
    await fixture.sale(1500);
    const { events, lists, mode, problems, unknownOutcomes } = await status();
    expect(mode).toBe('sandbox');
    const all = await fixture.run('export', await fixture.sale(100));
    expect(Number((await status()).events.head)).toBe(
      Number(events.head) + JSON.parse(all.out).events.length,
    );
    expect(lists.map(({ name }: { name: string }) => name)).toContain('transactions');
    expect(unknownOutcomes).toEqual({ open: 0, notLookedAt: Number(events.head) });
    expect(problems).toHaveLength(1);
  });

  it('counts operations with an unknown outcome, and shows the age of the oldest', async () => {
    await fixture.service(async ({ payments, resolver }) => {
      const context = {
        merchant: fixture.merchant,
        actor: { type: 'ApiKey', name: 'till' } as const,
        traceId: 'c'.repeat(32),
      };
      // Amounts that the sandbox answers too late.
      const result = await payments.physicalSale(context, { amount: 920001 });
      expect(result.kind).toBe('Interrupted');
      await resolver.runDue(0);
    });
    expect((await status()).unknownOutcomes).toMatchObject({
      open: 1,
      oldestAgeSeconds: expect.any(Number) as number,
    });
  });

  it('refuses to read or write another store than the one that the service uses', async () => {
    const server = await startEventStoreDbDouble();
    const remote = new DataDirectoryFixture({
      EVENT_STORE: 'eventstoredb',
      EVENTSTOREDB_URL: server.url,
      PORT: '2',
    });
    try {
      await remote.createMerchant();
      const { out } = await remote.run('keys', 'issue', '--name', 'Ada');
      expect(out).toMatch(/^ak_/);
      expect((await remote.run('keys', 'list')).out).toContain('  Ada  ');
      const id = await remote.sale(500);
      expect(JSON.parse((await remote.run('export', id)).out)).toMatchObject({ chain: { status: 'Intact' } });
      expect(JSON.parse((await remote.run('status', '--json')).out).events).toMatchObject({
        store: 'eventstoredb',
      });
      const forgotten = new DataDirectoryFixture({ DATA_DIR: remote.directory });
      const { code, err } = await forgotten.run('keys', 'issue', '--name', 'Lost');
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(/with its events in esdb:\/\/.*, and the settings here say sqlite/),
      ]);
      await forgotten.remove();
    } finally {
      await remote.remove();
      await server.close();
    }
  });

  it('lists merchants, and shows one with payment methods and keys but no secret', async () => {
    const { id } = fixture.merchant;
    const made = await fixture.run('keys', 'issue', '--merchant', id, '--name', 'Till');
    const listed = await fixture.run('merchants', 'list');
    expect([listed.code, listed.out]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^${id}  Active .* Maple Street Books$`)),
    ]);
    expect(JSON.parse((await fixture.run('merchants', 'list', '--limit', '1', '--json')).out)).toMatchObject({
      data: [{ id }],
      hasMore: false,
    });
    const { out } = await fixture.run('merchants', 'show', id);
    expect(JSON.parse(out)).toMatchObject({
      id,
      name: 'Maple Street Books',
      paymentMethods: [{ type: 'Physical', disabled: false }],
      apiKeys: [{ name: 'Till', lastFour: made.out.slice(-4) }],
    });
    expect(out).not.toContain(made.out);
    expect(await fixture.run('merchants', 'show', `mer_${'0'.repeat(26)}`)).toMatchObject({ code: 1 });
  });
});
