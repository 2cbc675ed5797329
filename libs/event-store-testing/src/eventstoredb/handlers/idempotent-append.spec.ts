import { NO_STREAM } from '@eventstore/db-client';
import { describe, expect, it } from '@jest/globals';
import {
  aClient,
  aDoubleWithClient,
  readAll,
  BOTH_PATHS,
  rejectionOf,
  numberedJsonEvents,
} from '../double.fixture.js';

describe.each(BOTH_PATHS)('the same event ids again (%s)', (_, path) => {
  it.each([
    ['no stream', 'no_stream', 0],
    ['an exact revision', 1n, 2],
  ] as const)(
    'under %s are answered with the original revision and position, also after other appends and a restart',
    async (_, expectedRevision, before) => {
      const { double, client } = await aDoubleWithClient();
      if (before > 0) await client.appendToStream('s', numberedJsonEvents(before));
      const events = numberedJsonEvents(2);
      const first = await client.appendToStream('s', events, { expectedRevision, ...path });
      await client.appendToStream('s', numberedJsonEvents(3));
      const count = double.eventCount;
      expect(await client.appendToStream('s', events, { expectedRevision, ...path })).toEqual(first);
      await double.stop();
      await double.start();
      const again = aClient(double.url);
      expect(await again.appendToStream('s', events, { expectedRevision, ...path })).toEqual(first);
      expect(double.eventCount).toBe(count);
    },
  );

  it("under 'any' are recognised while they are in memory, and appended again later or after a restart", async () => {
    const { double, client } = await aDoubleWithClient({ rememberedIds: 5 });
    const events = numberedJsonEvents(2);
    const first = await client.appendToStream('s', events, path);
    expect(await client.appendToStream('s', events, path)).toEqual(first);
    await client.appendToStream('other', numberedJsonEvents(5), path);
    expect(await client.appendToStream('s', events, path)).toMatchObject({ nextExpectedRevision: 3n });
    await double.stop();
    await double.start();
    expect(await aClient(double.url).appendToStream('s', events, path)).toMatchObject({
      nextExpectedRevision: 5n,
    });
  });

  it('under another revision, which is the current one, are appended again', async () => {
    const { client } = await aDoubleWithClient();
    const events = numberedJsonEvents(2);
    await client.appendToStream('s', events, { expectedRevision: NO_STREAM, ...path });
    await client.appendToStream('s', events, { expectedRevision: 1n, ...path });
    const ids = (await readAll(client.readStream('s'))).map(({ id }) => id);
    expect(ids).toEqual([...events, ...events].map(({ id }) => id));
  });

  it('with another type and data are answered as the old event', async () => {
    const { client } = await aDoubleWithClient();
    const [event] = numberedJsonEvents(1);
    const changed = numberedJsonEvents(1, 'Other').map((other) => ({ ...other, id: event?.id ?? '' }));
    const first = await client.appendToStream('s', event ?? [], { expectedRevision: NO_STREAM, ...path });
    const again = await client.appendToStream('s', changed, { expectedRevision: NO_STREAM, ...path });
    expect(again).toEqual(first);
    expect((await readAll(client.readStream('s'))).map(({ type }) => type)).toEqual(['Counted']);
  });

  it.each([
    ['no stream', NO_STREAM],
    ["'any'", 'any'],
  ] as const)('but only the first one, under %s, are a conflict', async (_, expectedRevision) => {
    const { client } = await aDoubleWithClient();
    const events = numberedJsonEvents(2);
    await client.appendToStream('s', events, { expectedRevision, ...path });
    const [first, second] = events;
    for (const repeat of [
      [first, ...numberedJsonEvents(1)],
      [first, second, ...numberedJsonEvents(1)],
    ])
      expect(
        await rejectionOf(
          client.appendToStream(
            's',
            repeat.flatMap((event) => event ?? []),
            { expectedRevision, ...path },
          ),
        ),
      ).toMatchObject({
        type: 'wrong-expected-version',
        expectedVersion: expectedRevision,
        actualVersion: 1n,
      });
  });

  it("with the first one used in another stream are appended under 'any'", async () => {
    const { client } = await aDoubleWithClient();
    const events = numberedJsonEvents(2);
    await client.appendToStream('a', events, path);
    await client.appendToStream('b', events, path);
    expect(await readAll(client.readStream('b'))).toHaveLength(2);
  });
});
