import { PostgresLeases } from '@tillstream/postgres-driver';
import { PostgresServer } from '@tillstream/postgres-driver/testing';
import { tableShape } from '@tillstream/read-models';
import { ListsPlace } from '../lists-place.fixture.js';
import { emptyList } from '../projector/rebuild.js';
import { LEASES } from './control.tables.js';
import { buildLease, cleanUpGenerations } from './generation.build.js';
import { schemaOf, type Generation } from './generation.js';
import type { ListControl } from './list.control.js';

const shape = tableShape('tokens');
const make = emptyList(shape);

let server: PostgresServer;
let place: ListsPlace;
let control: ListControl;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());
beforeEach(async () => {
  place = new ListsPlace(() => server);
  control = await place.control();
  await control.ensureLive(shape, make);
});
afterEach(() => place.remove());

async function admin<Row>(statement: string): Promise<Row[]> {
  return server.admin(statement, new URL(control.database.settings.url).pathname.slice(1));
}

async function schemas(): Promise<string[]> {
  const found = await admin<{ name: string }>(
    `select nspname as name from pg_namespace where nspname like 'list\\_%' order by 1`,
  );
  return found.map(({ name }) => name);
}

const liveOne = async (): Promise<Generation> => (await control.live('tokens')) as Generation;

describe('The generations of lists', () => {
  it('have numbers that are never used again', async () => {
    const first = await control.startBuilding(shape, 'a builder', make);
    await control.abandon(first);
    const second = await control.startBuilding(shape, 'a builder', make);
    expect(second.generation).toBeGreaterThan(first.generation);
  });

  it('are made with all of their tables or not at all', async () => {
    const fails = () => {
      throw new Error('no tables');
    };
    await expect(control.startBuilding(shape, 'a builder', fails)).rejects.toThrow('no tables');
    expect(await schemas()).toEqual([schemaOf(await liveOne())]);
    expect(await control.generations()).toHaveLength(1);
  });

  it('become live only if their builder announced them and still has them', async () => {
    const before = await liveOne();
    const built = await control.startBuilding(shape, 'a builder', make);
    expect(await control.swap(built)).toBe(false);
    expect(await control.announce(built)).toBe(true);
    expect(await control.swap({ ...built, builder: 'another builder' })).toBe(false);
    expect(await control.swap(built)).toBe(true);
    expect((await liveOne()).generation).toBe(built.generation);
    expect(
      (await control.generations()).find(({ generation }) => generation === before.generation),
    ).toMatchObject({
      status: 'Retired',
    });
  });

  it('are removed a minute after they retired, with their tables', async () => {
    const before = await liveOne();
    await control.replaceWithEmpty(before, shape, make);
    await cleanUpGenerations(control);
    expect(await schemas()).toContain(schemaOf(before));
    await admin(`update list_generations set changed_at = changed_at - interval '61 s'`);
    await cleanUpGenerations(control);
    expect(await schemas()).toEqual([schemaOf(await liveOne())]);
    expect(await control.generations()).toHaveLength(1);
  });

  it('are removed if their builder has lost its lease, and kept while it has it', async () => {
    const leases = new PostgresLeases(control.database, LEASES);
    await leases.hold(buildLease('tokens'), 60_000);
    const built = await control.startBuilding(shape, leases.holder, make);
    await cleanUpGenerations(control);
    expect(await schemas()).toContain(schemaOf(built));
    await leases.release(buildLease('tokens'));
    await cleanUpGenerations(control);
    expect(await schemas()).toEqual([schemaOf(await liveOne())]);
    expect(await control.announce(built)).toBe(false);
  });
});
