import { NO_STREAM } from '@eventstore/db-client';
import { describe, expect, it } from '@jest/globals';
import { aDoubleWithClient, all, BOTH_PATHS, errorOf, several } from './double.fixture.js';

describe.each(BOTH_PATHS)('a deleted stream (%s)', (_, path) => {
  it('is not found, and goes on after its last revision with the next append', async () => {
    const { client } = await aDoubleWithClient();
    await client.appendToStream('s', several(3));
    await client.deleteStream('s');
    expect(await errorOf(all(client.readStream('s')))).toMatchObject({ type: 'stream-not-found' });
    const appended = await client.appendToStream('s', several(1), { expectedRevision: NO_STREAM, ...path });
    expect(appended.nextExpectedRevision).toBe(3n);
    expect((await all(client.readStream('s'))).map(({ revision }) => revision)).toEqual([3n]);
  });

  it('that was deleted for good says so to everybody, also to those who do not throw on failure', async () => {
    const { client } = await aDoubleWithClient();
    await client.appendToStream('s', several(1));
    await client.tombstoneStream('s');
    expect(await errorOf(all(client.readStream('s')))).toMatchObject({ type: 'stream-deleted' });
    expect(await errorOf(client.appendToStream('s', several(1), path))).toMatchObject({
      type: 'stream-deleted',
      streamName: 's',
    });
  });
});

describe('a delete', () => {
  it('of a missing stream is a conflict', async () => {
    const { client } = await aDoubleWithClient();
    expect(await errorOf(client.deleteStream('s'))).toMatchObject({
      type: 'wrong-expected-version',
      code: 9,
      expectedVersion: -2n,
      actualVersion: -1n,
    });
  });
});
