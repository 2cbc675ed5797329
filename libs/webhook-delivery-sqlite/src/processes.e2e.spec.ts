import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { DeliveryStore } from '@tillstream/webhook-delivery';
import { claimAll, NOW, numberAll, numberingOf, salesHistory } from '@tillstream/webhook-delivery/testing';
import { openSqliteDeliveryStore } from './sqlite-delivery-store.js';

const program = fileURLToPath(new URL('../fixtures/numbering-process.mjs', import.meta.url));
const SALES = 900;

describe('several processes on the deliveries', () => {
  let folder: string;
  const children: ChildProcess[] = [];
  const opened: DeliveryStore[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-deliveries-'));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const store of opened.splice(0)) await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (name: string): DeliveryStore => {
    const directory = join(folder, name);
    const store = openSqliteDeliveryStore({ directory, source: 'test', onDamage: () => undefined });
    opened.push(store);
    return store;
  };

  /** Prints the results of its pages. */
  const start = () => {
    const child = spawn(process.execPath, [program, join(folder, 'killed'), String(SALES)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const results: string[] = [];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => results.push(...text.trim().split('\n')));
    return { child, results, ended: once(child, 'exit') };
  };

  const everything = async (tables: DeliveryStore, endpointIds: readonly string[]) => ({
    claimed: await claimAll(tables, endpointIds, NOW * 2),
    numbers: await tables.numbersOf(['mer_A']),
    checkpoint: await tables.checkpoint(),
  });

  it('kill -9 while it numbers leaves whole pages, and the tables end as those of one pass', async () => {
    const { store, endpointIds } = await salesHistory(SALES);
    const once = open('once');
    const consumer = numberingOf(store, once);
    await numberAll(store, () => consumer);
    let pages = 0;
    for (let kill = 0; kill < 5; kill++) {
      const { child, results, ended } = start();
      while (results.length < 20 + kill * 13 && child.exitCode === null) await pause(2);
      child.kill('SIGKILL');
      await ended;
      pages += results.length;
    }
    expect(pages).toBeGreaterThan(100);
    const last = start();
    await last.ended;
    expect(last.results.length).toBeGreaterThan(0);
    expect(await everything(open('killed'), endpointIds)).toEqual(await everything(once, endpointIds));
  }, 120_000);

  it('two processes that number at once fence each other, and the tables end as those of one pass', async () => {
    const { store, endpointIds } = await salesHistory(SALES);
    const once = open('once');
    const consumer = numberingOf(store, once);
    await numberAll(store, () => consumer);
    const both = [start(), start()];
    await Promise.all(both.map(({ ended }) => ended));
    const results = both.flatMap((one) => one.results);
    expect(results.filter((result) => result === 'Moved')).toHaveLength(Math.ceil((2 + 4 * SALES) / 7));
    expect(await everything(open('killed'), endpointIds)).toEqual(await everything(once, endpointIds));
  }, 120_000);
});
