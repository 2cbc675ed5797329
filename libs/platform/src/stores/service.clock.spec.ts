import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStandaloneSandbox } from '@tillstream/sandbox';
import { openAdapters, type Adapters } from '../adapters.js';
import { readConfig } from '../configuration/config.js';
import { noLog } from '../logging/log.js';
import { openSettlementAdapters } from '../adapters.js';

const DAY_MS = 86_400_000;

describe('The service’s clock', () => {
  let dataDir = '';
  const opened: { close(): Promise<void> }[] = [];
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'tillstream-clock-'));
  });
  afterEach(async () => {
    await closeAll();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const config = (settings: Record<string, string> = {}) => readConfig({ DATA_DIR: dataDir, ...settings });
  const closeAll = async (): Promise<void> => {
    for (const file of opened.splice(0).reverse()) await file.close();
  };
  const start = async (settings: Record<string, string> = {}): Promise<Adapters> => {
    const adapters = await openAdapters(config(settings), noLog);
    opened.push(adapters);
    return adapters;
  };
  const settlement = async () => {
    const adapters = await openSettlementAdapters(config(), noLog);
    opened.push(adapters);
    return adapters;
  };
  const ahead = ({ clock }: Pick<Adapters, 'clock'>): number => clock.now() - clock.realNow();
  /** Stores the clock in the sandbox's ledger, as older versions did. */
  const movedBefore = (offsetMs: number): void => {
    const sandbox = openStandaloneSandbox({ file: join(dataDir, 'sandbox.db'), processorDeadlineMs: 1_000 });
    sandbox.clock.adoptOffset(offsetMs);
    sandbox.close();
  };
  const near = (ms: number): unknown => expect.closeTo(ms, -2);

  it('is taken from the sandbox’s ledger of an older version by the first process that starts', async () => {
    movedBefore(DAY_MS);
    expect(ahead(await settlement())).toEqual(near(DAY_MS));
    const api = await start();
    expect(ahead(api)).toEqual(near(DAY_MS));
    await api.sandbox?.clock.advance(60);
    await closeAll();
    expect(ahead(await start())).toEqual(near(DAY_MS + 60_000));
  });

  it('is the same in another process when a move has resolved', async () => {
    const [api, projector] = [await start(), await settlement()];
    await api.sandbox?.clock.advance(3_600);
    await new Promise(setImmediate);
    expect(ahead(projector)).toEqual(near(3_600_000));
  });

  it('does not change if the sandbox’s ledger is lost or replaced', async () => {
    await (await start()).sandbox?.clock.advance(3_600);
    await closeAll();
    for (const rest of ['', '-wal', '-shm']) rmSync(join(dataDir, `sandbox.db${rest}`), { force: true });
    expect(ahead(await start())).toEqual(near(3_600_000));
  });
});
