import { setImmediate } from 'node:timers/promises';
import { clockOffsetContract } from '@tillstream/payments/testing';
import type { PostgresSettings } from '@tillstream/postgres-driver';
import { ConnectionProxy, PostgresServer, type MigratedDatabase } from '@tillstream/postgres-driver/testing';
import { newPaymentsDatabase } from './payments-database.fixture.js';
import { openPostgresClockOffset, type PostgresClockOffset } from './postgres-clock-offset.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());

class Place {
  readonly #opened: PostgresClockOffset[] = [];

  constructor(readonly place: MigratedDatabase) {}

  async open(
    realNow: () => number = Date.now,
    begin = 0,
    changes: Partial<PostgresSettings> = {},
  ): Promise<PostgresClockOffset> {
    const database = this.place.open(changes);
    const offset = await openPostgresClockOffset(database, { initialOffset: () => begin, realNow });
    this.#opened.push(offset);
    return offset;
  }

  async closeAll(): Promise<void> {
    for (const offset of this.#opened.splice(0)) await offset.close();
    await this.place.close();
  }

  remove(): Promise<void> {
    return this.closeAll();
  }
}

const newPlace = async (): Promise<Place> => new Place(await newPaymentsDatabase(server));

clockOffsetContract('PostgreSQL', newPlace);

describe('The offset in PostgreSQL', () => {
  let place: Place;
  beforeEach(async () => {
    place = await newPlace();
  });
  afterEach(() => place.closeAll());

  it('begins at the given offset and counts every advance if several processes start for the first time at once', async () => {
    const opening = Array.from({ length: 4 }, () => place.open(Date.now, 60_000));
    await Promise.all(opening.map(async (one) => (await one).advance(10)));
    await setImmediate();
    for (const one of opening) expect((await one).offsetMs()).toBe(100_000);
  });

  it('is known to a process whose connection was lost, as soon as it has another one', async () => {
    const proxy = await ConnectionProxy.start(server.port);
    const far = await place.open(Date.now, 0, { url: server.url(place.place.name, proxy.port) });
    const near = await place.open();
    proxy.loseConnections();
    await near.advance(10);
    await setImmediate();
    expect([near.offsetMs(), far.offsetMs()]).toEqual([10_000, 10_000]);
    await place.closeAll();
    await proxy.stop();
  });

  it('can be moved although a process died', async () => {
    const near = await place.open();
    await server.admin(
      `insert into service_clock_readers values ('dead', 0, clock_timestamp() + interval '1 second')`,
      place.place.name,
    );
    await near.advance(10);
    expect(near.offsetMs()).toBe(10_000);
  });
});
