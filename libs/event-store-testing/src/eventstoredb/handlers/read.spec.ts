import { jsonEvent, START } from '@eventstore/db-client';
import { describe, expect, it } from '@jest/globals';
import { aDoubleWithClient, readAll, rejectionOf, numberedJsonEvents } from '../double.fixture.js';

describe('a read of a stream', () => {
  it('returns each event as it was written, with the time of the server and its real position', async () => {
    const { client } = await aDoubleWithClient();
    const event = jsonEvent({
      type: 'Ünïcode 支払い',
      data: { text: 'é "quoted"' },
      metadata: { actor: 'key_1' },
    });
    const started = Date.now();
    const { position } = await client.appendToStream('straße-1', [event, ...numberedJsonEvents(1)]);
    const [first, second] = await readAll(client.readStream('straße-1'));
    const { id, type, data, metadata } = event;
    expect(first).toMatchObject({
      id,
      type,
      data,
      metadata,
      streamId: 'straße-1',
      revision: 0n,
      isJson: true,
    });
    expect(first?.created.getTime()).toBeGreaterThanOrEqual(started);
    expect(second).toMatchObject({ metadata: undefined, position, revision: 1n });
  });

  it('of a missing stream throws not found, and one from beyond the end is empty', async () => {
    const { client } = await aDoubleWithClient();
    await client.appendToStream('s', numberedJsonEvents(1));
    expect(await rejectionOf(readAll(client.readStream('missing')))).toMatchObject({
      type: 'stream-not-found',
      streamName: 'missing',
    });
    expect(await readAll(client.readStream('s', { fromRevision: 7n }))).toEqual([]);
  });

  it.each([
    ['forwards', {}, [0n, 1n, 2n, 3n]],
    ['forwards', { fromRevision: 2n }, [2n, 3n]],
    ['forwards', { fromRevision: 1n, maxCount: 2 }, [1n, 2n]],
    ['backwards', { fromRevision: 'end' }, [3n, 2n, 1n, 0n]],
    ['backwards', { fromRevision: 1n }, [1n, 0n]],
    ['backwards', { fromRevision: 9n, maxCount: 1 }, [3n]],
  ] as const)('%s with %p returns its revisions, from the given one', async (direction, from, revisions) => {
    const { client } = await aDoubleWithClient();
    await client.appendToStream('s', numberedJsonEvents(4));
    const events = await readAll(client.readStream('s', { direction, ...from }));
    expect(events.map(({ revision }) => revision)).toEqual(revisions);
  });

  it('of at most 0 events is refused with code 2', async () => {
    const { client } = await aDoubleWithClient();
    await client.appendToStream('s', numberedJsonEvents(1));
    for (const read of [client.readStream('s', { maxCount: 0 }), client.readAll({ maxCount: 0 })])
      expect(await rejectionOf(readAll(read))).toMatchObject({ type: 'unknown', code: 2 });
  });

  it('sends all of many large events to a reader that is slower than the network', async () => {
    const { client } = await aDoubleWithClient();
    const large = () => jsonEvent({ type: 'Large', data: { text: 'x'.repeat(100_000) } });
    for (let round = 0; round < 30; round++)
      await client.appendToStream('s', Array.from({ length: 10 }, large));
    const revisions: bigint[] = [];
    for await (const { event } of client.readStream('s')) {
      revisions.push(event?.revision ?? -1n);
      if (revisions.length % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(revisions).toEqual(Array.from({ length: 300 }, (_, revision) => BigInt(revision)));
  });
});

describe('a read of all', () => {
  it('has events of the system between those of clients', async () => {
    const { client } = await aDoubleWithClient({ eventsPerSystemEvent: 3 });
    for (let count = 0; count < 3; count++) await client.appendToStream('s', numberedJsonEvents(2));
    const types = (await readAll(client.readAll())).map(({ type }) => type);
    expect(types).toContain('$metadata');
    expect(types.indexOf('$statsCollected')).toBeGreaterThan(types.indexOf('Counted'));
    expect(types.indexOf('$statsCollected')).toBeLessThan(types.lastIndexOf('Counted'));
  });

  it('is inclusive forwards and exclusive backwards', async () => {
    const { client } = await aDoubleWithClient();
    await client.appendToStream('s', numberedJsonEvents(3));
    const positions = (await readAll(client.readAll())).map(({ position }) => position);
    const middle = positions[3];
    const fromPosition = middle ?? START;
    const after = await readAll(client.readAll({ fromPosition }));
    const before = await readAll(client.readAll({ fromPosition, direction: 'backwards' }));
    expect(after.map(({ position }) => position)).toEqual(positions.slice(3));
    expect(before.map(({ position }) => position)).toEqual(positions.slice(0, 3).reverse());
  });

  it('from a position without a record is refused with code 2', async () => {
    const { client } = await aDoubleWithClient();
    const { position } = await client.appendToStream('s', numberedJsonEvents(2));
    const between = { commit: (position?.commit ?? 0n) - 1n, prepare: (position?.prepare ?? 0n) - 1n };
    expect(await rejectionOf(readAll(client.readAll({ fromPosition: between })))).toMatchObject({ code: 2 });
    const zero = { commit: 0n, prepare: 0n };
    expect(await readAll(client.readAll({ fromPosition: zero }))).toEqual(await readAll(client.readAll()));
  });
});
