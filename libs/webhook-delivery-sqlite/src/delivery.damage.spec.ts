import {
  existsSync,
  mkdtempSync,
  openSync,
  closeSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MemoryEventStore } from '@tillstream/event-store';
import type { DeliveryStore } from '@tillstream/webhook-delivery';
import { claimAll, NOW, numberAll, numberingOf, salesHistory } from '@tillstream/webhook-delivery/testing';
import { openDatabase } from '@tillstream/sqlite-driver';
import { openSqliteDeliveryStore } from './sqlite-delivery-store.js';

const SALES = 300;
const PAGE_BYTES = 4_096;

describe('a damaged or lost file of deliveries', () => {
  let folder: string;
  let store: MemoryEventStore;
  let endpointIds: readonly string[];
  let damages: string[];
  const opened: DeliveryStore[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-deliveries-'));
    damages = [];
    ({ store, endpointIds } = await salesHistory(SALES));
  });
  afterEach(async () => {
    for (const tables of opened.splice(0)) await tables.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const directory = (): string => join(folder, 'webhooks');
  const file = (): string => join(directory(), 'deliveries.sqlite');
  const open = (source = 'test'): DeliveryStore => {
    const onDamage = (movedTo: string, reason: string) => void damages.push(`${movedTo}: ${reason}`);
    const tables = openSqliteDeliveryStore({ directory: directory(), source, onDamage });
    opened.push(tables);
    return tables;
  };
  const number = async (tables: DeliveryStore): Promise<void> => {
    const consumer = numberingOf(store, tables);
    await numberAll(store, () => consumer);
  };

  it.each<[string, () => void]>([
    ['a file of garbage', () => writeFileSync(file(), Buffer.alloc(statSync(file()).size, 'garbage '))],
    ['a file that lost its second half', () => truncateSync(file(), Math.floor(statSync(file()).size / 2))],
    ['a file whose pages were overwritten', () => overwriteAll(file())],
    ['a file without its tables', () => dropTables(file())],
  ])('%s is set aside, and made again with the same ids, numbers and bytes', async (_name, damage) => {
    const before = open();
    await number(before);
    const expected = await claimAll(before, endpointIds, NOW * 2);
    await before.close();
    damage();
    const after = open();
    // A page is looked at when it is read.
    await after.numbersOf(['mer_A']);
    await claimAll(after, endpointIds, NOW * 2);
    await number(after);
    expect(await claimAll(after, endpointIds, NOW * 2)).toEqual(expected);
    expect(damages).toHaveLength(1);
    expect(existsSync(`${directory()}.damaged`)).toBe(true);
  });

  it.each<[string, () => void]>([
    ['an empty file', () => truncateSync(file(), 0)],
    ['a file that was deleted', () => rmSync(directory(), { recursive: true })],
  ])('%s is made again without a word', async (_name, lose) => {
    const before = open();
    await number(before);
    const expected = await claimAll(before, endpointIds, NOW * 2);
    await before.close();
    lose();
    const after = open();
    await number(after);
    expect(await claimAll(after, endpointIds, NOW * 2)).toEqual(expected);
    expect(damages).toEqual([]);
  });

  it('a process that had the file open goes on with the new one', async () => {
    const first = open();
    await number(first);
    const [claimed] = await claimAll(first, endpointIds.slice(0, 1), NOW * 2);
    const second = open();
    rmSync(directory(), { recursive: true });
    expect(await first.checkpoint()).toBeUndefined();
    await number(first);
    expect(await second.checkpoint()).toEqual(await first.checkpoint());
    const [again] = await claimAll(second, endpointIds.slice(0, 1), NOW * 2);
    expect(again).toEqual(claimed);
  });

  it('tables of another event store are made again', async () => {
    await number(open());
    const other = open('another store');
    expect(await other.checkpoint()).toBeUndefined();
    await number(other);
    expect(await open('another store').checkpoint()).toEqual(await other.checkpoint());
  });

  it('tables of the version before are changed, and what was delivered is not sent again', async () => {
    const before = open();
    await number(before);
    const [batch] = await claimAll(before, endpointIds.slice(0, 1), NOW * 2);
    const [first] = batch?.deliveries ?? [];
    const checkpoint = await before.checkpoint();
    await before.close();
    toFirstVersion(file());
    const after = open();
    expect(await after.checkpoint()).toEqual(checkpoint);
    expect(await after.find(endpointIds[0] ?? '', first?.deliveryId ?? '')).toMatchObject({
      status: 'Pending',
    });
    expect(await after.measure(NOW, 10)).toMatchObject({ endpoints: { Failing: 0 } });
    expect(damages).toEqual([]);
  });

  it('a reset forgets everything, in every process', async () => {
    const first = open();
    const second = open();
    await number(first);
    await numberingOf(store, second).reset();
    expect(await first.checkpoint()).toBeUndefined();
    expect(await claimAll(first, endpointIds)).toEqual([]);
  });
});

/** All pages but the first. */
function overwriteAll(file: string): void {
  const bytes = statSync(file).size - PAGE_BYTES;
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(bytes, 0xa5), 0, bytes, PAGE_BYTES);
  closeSync(descriptor);
}

function toFirstVersion(file: string): void {
  const db = openDatabase(file);
  db.exec('ALTER TABLE endpoints DROP COLUMN exhausted; ALTER TABLE claims DROP COLUMN replayed_at');
  db.exec(
    'CREATE INDEX claims_of_endpoint ON claims (endpoint); CREATE INDEX claims_until ON claims (until)',
  );
  db.pragma('user_version = 1');
  db.close();
}

function dropTables(file: string): void {
  const db = openDatabase(file);
  db.exec('DROP TABLE deliveries');
  db.close();
}
