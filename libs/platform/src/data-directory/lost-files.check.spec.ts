import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newEventId } from '@tillstream/event-store';
import {
  startEventStoreDbDouble,
  type EventStoreDbDouble,
} from '@tillstream/event-store-testing/eventstoredb';
import { openAdapters, type Adapters } from '../adapters.js';
import { readConfig, type Config } from '../configuration/config.js';
import { noLog } from '../logging/log.js';
import { replaceLostFile } from './lost-file.replacement.js';

const someEvent = (category: string) => ({
  stream: `${category}-${newEventId()}`,
  expected: 'none' as const,
  events: [{ id: newEventId(), type: 'Noted', data: {}, metadata: {} }],
});

/** A refusal in one sentence. */
const refused = (sentence: RegExp): unknown =>
  expect.objectContaining({ name: 'ConfigError', message: expect.stringMatching(sentence) });

describe('A start on a used data directory', () => {
  let dataDir = '';
  let server: EventStoreDbDouble;
  let adapters: Adapters | undefined;

  beforeAll(async () => {
    server = await startEventStoreDbDouble();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'tillstream-lost-'));
  });
  afterEach(async () => {
    await closeAll();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const config = (settings: Record<string, string> = {}): Config =>
    readConfig({ DATA_DIR: dataDir, ...settings });
  const onServer = (): Config =>
    config({ EVENT_STORE: 'eventstoredb', EVENTSTOREDB_URL: server.url, EVENTSTOREDB_WAIT_MS: '1000' });
  const start = async (settings: Config = config()): Promise<Adapters> =>
    (adapters = await openAdapters(settings, noLog));
  const closeAll = async (): Promise<void> => {
    await adapters?.close();
    adapters = undefined;
  };
  const lose = (...names: string[]): void => {
    for (const name of names) {
      for (const rest of ['', '-wal', '-shm'])
        rmSync(join(dataDir, name + rest), { force: true, recursive: true });
    }
  };

  /** Starts a service, stores events and a card, and closes it. */
  const use = async (settings: Config, ...categories: string[]): Promise<void> => {
    const { store, vault } = await start(settings);
    for (const category of categories) await store.append(someEvent(category));
    if (categories.includes('token')) await vault.storeCard('pmt_tkn_1', '4761739001010119');
    await closeAll();
  };

  it('is refused if events.db is missing or empty, and another file shows that it was used', async () => {
    await use(config(), 'merchant', 'token');
    lose('events.db', 'sandbox.db', 'read-models');
    const sentence =
      /^\S+events\.db is missing or empty, and \S+vault\.db shows that this data directory was used: restore \S+events\.db from a backup, or set DATA_DIR to a new directory [^\n]+\.$/;
    await expect(start()).rejects.toEqual(refused(sentence));
    writeFileSync(join(dataDir, 'events.db'), '');
    await expect(start()).rejects.toEqual(refused(sentence));
    lose('vault.db', 'events.db');
    await expect(start()).resolves.toBeDefined();
  });

  it('is refused if events.db has no event', async () => {
    await use(config(), 'merchant', 'token');
    lose('events.db');
    const other = mkdtempSync(join(tmpdir(), 'tillstream-other-'));
    await (await openAdapters(readConfig({ DATA_DIR: other }), noLog)).close();
    copyFileSync(join(other, 'events.db'), join(dataDir, 'events.db'));
    rmSync(other, { recursive: true });
    await expect(start()).rejects.toEqual(
      refused(
        /^\S+events\.db holds no event, and \S+vault\.db shows that this data directory was used with events: [^\n]+\.$/,
      ),
    );
  });

  it('succeeds after a first start that was killed before it stored anything', async () => {
    await use(config());
    lose('events.db');
    await expect(start()).resolves.toBeDefined();
  });

  it('is refused if the vault is lost and cards were stored, but not without stored cards', async () => {
    await use(config(), 'merchant');
    lose('vault.db');
    await use(config(), 'token');
    lose('vault.db', 'vault.keys');
    const sentence =
      /^\S+vault\.db is missing or empty, and the cards [^\n]+: restore it from a backup, or, where it is lost for good, run npm run --silent tillstream -- begin-anew vault\.db\.$/;
    await expect(start()).rejects.toEqual(refused(sentence));
    writeFileSync(join(dataDir, 'vault.db'), '');
    await expect(start()).rejects.toEqual(refused(sentence));
    expect(await replaceLostFile(config(), 'vault.db')).toBe(join(dataDir, 'vault.db'));
    expect(await (await start()).vault.openCard('pmt_tkn_1')).toBeUndefined();
  });

  it('is refused if the vault is lost and webhook endpoints have secrets in events', async () => {
    await use(config(), 'webhookendpoints');
    lose('vault.db', 'vault.keys');
    await expect(start()).rejects.toEqual(refused(/^\S+vault\.db is missing or empty, and [^\n]+$/));
  });

  it("is refused if the sandbox's ledger is lost and payments were made, but not without payments", async () => {
    await use(config(), 'merchant');
    lose('sandbox.db');
    await use(config(), 'payment');
    lose('sandbox.db');
    await expect(start()).rejects.toEqual(
      refused(
        /^\S+sandbox\.db is missing or empty, and the acquirer's ledger [^\n]+ begin-anew sandbox\.db\.$/,
      ),
    );
    await replaceLostFile(config(), 'sandbox.db');
    await expect(start()).resolves.toBeDefined();
  });

  it('needs no ledger if the sandbox is a service of its own', async () => {
    await use(config(), 'payment');
    lose('sandbox.db');
    const network = {
      SANDBOX: 'network',
      SANDBOX_URL: 'http://127.0.0.1:1',
      SANDBOX_SECRET: 'a-secret-of-the-tests',
    };
    await expect(start(config(network))).resolves.toBeDefined();
    expect(existsSync(join(dataDir, 'sandbox.db'))).toBe(false);
  });

  it("is refused if a further sandbox's ledger is lost and payments were sent to it, but not if it is new", async () => {
    const more = () => config({ MORE_SANDBOXES: 'harbor=embedded' });
    await use(config(), 'payment');
    await use(more());
    lose('sandbox-harbor.db');
    const { store } = await start(more());
    const stream = `payment-${newEventId()}`;
    const sent = { id: newEventId(), type: 'TryRequested', data: { processor: 'harbor' }, metadata: {} };
    await store.append({ stream, expected: 'none', events: [sent] });
    await closeAll();
    lose('sandbox-harbor.db');
    await expect(start(more())).rejects.toEqual(
      refused(/^\S+sandbox-harbor\.db is missing or empty, and [^\n]+ begin-anew sandbox-harbor\.db\.$/),
    );
    await expect(use(config())).resolves.toBeUndefined();
    await replaceLostFile(more(), 'sandbox-harbor.db');
    await expect(start(more())).resolves.toBeDefined();
  });

  it('needs all processes to be stopped before begin-anew', async () => {
    await use(config(), 'payment');
    await start();
    lose('vault.db');
    await expect(replaceLostFile(config(), 'vault.db')).rejects.toEqual(
      refused(/^\S+events\.db is open in another process: stop every process of the service first\.$/),
    );
    expect(existsSync(join(dataDir, 'vault.db'))).toBe(false);
    await closeAll();
    await expect(replaceLostFile(config(), 'vault.db')).resolves.toBe(join(dataDir, 'vault.db'));
  });

  it('is refused if the key of stored responses is lost and there are stored responses', async () => {
    const { idempotency } = await start();
    const record = {
      merchantId: 'm',
      key: 'k',
      fingerprint: 'f',
      commandId: 'c',
      stream: 'payment-1',
      reservedAt: 1,
    };
    await idempotency.reserveAlone(record);
    await closeAll();
    lose('answers.key');
    await (await start()).idempotency.storeResponse('m', 'k', 'c', new Uint8Array([1]));
    await closeAll();
    lose('answers.key');
    await expect(start()).rejects.toEqual(
      refused(/^\S+answers\.key is missing or empty, and [^\n]+ begin-anew answers\.key\.$/),
    );
    await replaceLostFile(config(), 'answers.key');
    await expect(start()).resolves.toBeDefined();
  });

  it('is refused with the name of a damaged file', async () => {
    await use(config(), 'payment', 'token');
    for (const name of ['events.db', 'vault.db', 'sandbox.db']) {
      const kept = mkdtempSync(join(tmpdir(), 'tillstream-kept-'));
      copyFileSync(join(dataDir, name), join(kept, name));
      lose(name);
      writeFileSync(join(dataDir, name), 'garbage '.repeat(2_000));
      await expect(start()).rejects.toEqual(
        refused(new RegExp(`^\\S+${name} is damaged \\([^\\n]+\\): stop every process [^\\n]+\\.$`)),
      );
      lose(name);
      copyFileSync(join(kept, name), join(dataDir, name));
      rmSync(kept, { recursive: true });
    }
    await expect(start()).resolves.toBeDefined();
  });

  it('is refused with an empty EventStoreDB, and with one that has payments if the idempotency keys are lost', async () => {
    await use(onServer(), 'merchant', 'payment');
    lose('events.db');
    const lost = /^\S+events\.db is missing or empty, and \S+ shows [^\n]+ begin-anew events\.db\.$/;
    mkdirSync(join(dataDir, 'read-models'), { recursive: true });
    writeFileSync(join(dataDir, 'sandbox.json'), '{}');
    await expect(start(onServer())).rejects.toEqual(refused(lost));
    lose('sandbox.json');
    await expect(start(onServer())).rejects.toEqual(
      refused(
        /^\S+events\.db is missing or new, and esdb:\S+ has payments whose idempotency keys were in it: [^\n]+ begin-anew events\.db\.$/,
      ),
    );
    lose('events.db');
    await replaceLostFile(onServer(), 'events.db');
    await use(onServer());

    writeFileSync(join(dataDir, 'sandbox.json'), '{}');
    await server.close();
    server = await startEventStoreDbDouble({ port: server.port });
    await expect(start(onServer())).rejects.toEqual(
      refused(
        /^esdb:\S+ holds no event, and \S+sandbox\.json shows that this data directory was used with events: [^\n]+\.$/,
      ),
    );
  });

  it('begin-anew replaces only lost files, and never the events of the embedded store', async () => {
    await use(config(), 'payment');
    await expect(replaceLostFile(config(), 'vault.db')).rejects.toEqual(
      refused(/^\S+vault\.db is there: [^\n]+\.$/),
    );
    await expect(replaceLostFile(config(), 'read-models')).rejects.toEqual(
      refused(/can not be replaced; allowed are/),
    );
    lose('events.db');
    await expect(replaceLostFile(config(), 'events.db')).rejects.toEqual(
      refused(/^\S+events\.db holds the events themselves: [^\n]+\.$/),
    );
  });
});
