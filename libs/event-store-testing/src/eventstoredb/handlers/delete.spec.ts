import { NO_STREAM } from '@eventstore/db-client';
import { describe, expect, it } from '@jest/globals';
import {
  aDoubleWithClient,
  readAll,
  BOTH_PATHS,
  rejectionOf,
  numberedJsonEvents,
} from '../double.fixture.js';

describe.each(BOTH_PATHS)('a deleted stream (%s)', (_, path) => {
  it('is not found, and continues after its last revision with the next append', async () => {
    const { client } = await aDoubleWithClient();
    await client.appendToStream('s', numberedJsonEvents(3));
    await client.deleteStream('s');
    expect(await rejectionOf(readAll(client.readStream('s')))).toMatchObject({ type: 'stream-not-found' });
    const appended = await client.appendToStream('s', numberedJsonEvents(1), {
      expectedRevision: NO_STREAM,
      ...path,
    });
    expect(appended.nextExpectedRevision).toBe(3n);
    expect((await readAll(client.readStream('s'))).map(({ revision }) => revision)).toEqual([3n]);
  });

  it('that was deleted for good reports it to each client, also to those that do not throw on failure', async () => {
    const { client } = await aDoubleWithClient();
    await client.appendToStream('s', numberedJsonEvents(1));
    await client.tombstoneStream('s');
    expect(await rejectionOf(readAll(client.readStream('s')))).toMatchObject({ type: 'stream-deleted' });
    expect(await rejectionOf(client.appendToStream('s', numberedJsonEvents(1), path))).toMatchObject({
      type: 'stream-deleted',
      streamName: 's',
    });
  });
});

describe('a delete', () => {
  it('of a missing stream is a conflict', async () => {
    const { client } = await aDoubleWithClient();
    expect(await rejectionOf(client.deleteStream('s'))).toMatchObject({
      type: 'wrong-expected-version',
      code: 9,
      expectedVersion: -2n,
      actualVersion: -1n,
    });
  });
});
