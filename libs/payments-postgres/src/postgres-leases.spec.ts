import { jest } from '@jest/globals';
import { leasesContract } from '@tillstream/event-consumers/testing';
import { PostgresServer } from '@tillstream/postgres-driver/testing';
import { newPaymentsDatabase } from './payments-database.fixture.js';
import { openPostgresLeases } from './postgres-leases.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());

leasesContract(
  'PostgreSQL',
  async () => {
    const place = await newPaymentsDatabase(server);
    const database = place.open();
    return { holder: () => openPostgresLeases(database), close: () => place.close() };
  },
  10,
);

describe('A lease in PostgreSQL', () => {
  it('goes to one of many holders that want it at the same time', async () => {
    const place = await newPaymentsDatabase(server);
    const database = place.open();
    const holders = Array.from({ length: 20 }, () => openPostgresLeases(database));
    const held = await Promise.all(holders.map((one) => one.hold('work', 60_000)));
    expect(held.filter(Boolean)).toHaveLength(1);
    await place.close();
  });

  it('does not depend on the clock of a machine', async () => {
    const place = await newPaymentsDatabase(server);
    const [a, b] = [openPostgresLeases(place.open()), openPostgresLeases(place.open())];
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2099, 0, 1));
    expect(await a.hold('work', 60_000)).toBe(true);
    now.mockReturnValue(Date.UTC(2199, 0, 1));
    expect(await b.hold('work', 60_000)).toBe(false);
    now.mockRestore();
    await place.close();
  });
});
