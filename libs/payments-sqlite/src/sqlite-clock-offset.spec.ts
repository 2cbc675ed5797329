import { jest } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteEventStore, type SqliteEventStore } from '@tillstream/event-store-sqlite';
import { clockOffsetContract } from '@tillstream/payments/testing';
import { inspectSqliteClockOffset, openSqliteClockOffset } from './sqlite-clock-offset.js';

class Place {
  readonly folder = mkdtempSync(join(tmpdir(), 'tillstream-clock-'));
  private readonly opened: SqliteEventStore[] = [];

  async file(readOnly = false): Promise<SqliteEventStore> {
    const file = await openSqliteEventStore({ file: join(this.folder, 'events.db'), readOnly });
    this.opened.push(file);
    return file;
  }

  async open(realNow: () => number, begin = 0) {
    return openSqliteClockOffset(await this.file(), { initialOffset: () => begin, realNow });
  }

  async closeAll(): Promise<void> {
    for (const file of this.opened.splice(0)) await file.close();
  }

  async remove(): Promise<void> {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

clockOffsetContract('SQLite', async () => new Place());

describe('the offset in an SQLite file', () => {
  let place: Place;
  beforeEach(() => {
    place = new Place();
  });
  afterEach(async () => {
    await place.closeAll();
    await place.remove();
  });

  it('begins once, at the offset that the caller gives', async () => {
    const first = await place.open(Date.now, 60_000);
    expect(first.offsetMs()).toBe(60_000);
    await first.advance(1);
    const initialOffset = (): number => {
      throw new Error('called although the file has an offset');
    };
    const next = await openSqliteClockOffset(await place.file(), { initialOffset });
    expect(next.offsetMs()).toBe(61_000);
  });

  it('begins at the given offset and counts every advance if several processes start for the first time at once', async () => {
    const opening = Array.from({ length: 4 }, () => place.open(Date.now, 60_000));
    await Promise.all(opening.map(async (one) => (await one).advance(10)));
    await new Promise(setImmediate);
    for (const one of opening) expect((await one).offsetMs()).toBe(100_000);
  });

  it('is read once in a turn and ms, and again after this process has moved it', async () => {
    let real = Date.UTC(2030, 0, 1);
    const file = await place.file();
    const offset = await openSqliteClockOffset(file, { initialOffset: () => 0, realNow: () => real });
    const query = jest.spyOn(file, 'query');
    const twenty = (): number[] => Array.from({ length: 20 }, () => offset.offsetMs());
    twenty();
    expect(query).toHaveBeenCalledTimes(1);
    real += 1;
    twenty();
    expect(query).toHaveBeenCalledTimes(2);
    await new Promise(setImmediate);
    twenty();
    expect(query).toHaveBeenCalledTimes(3);
  });

  it('can be read without creating a table', async () => {
    const before = await place.file();
    expect(inspectSqliteClockOffset(before)).toBeUndefined();
    await (await place.open(Date.now)).advance(7);
    expect(inspectSqliteClockOffset(await place.file(true))).toBe(7_000);
  });
});
