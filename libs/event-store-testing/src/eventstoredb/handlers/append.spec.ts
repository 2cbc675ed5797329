import { binaryEvent, jsonEvent, NO_STREAM, STREAM_EXISTS } from '@eventstore/db-client';
import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  aDouble,
  aDoubleWithClient,
  readAll,
  BOTH_PATHS,
  closeAfterTest,
  rejectionOf,
  numberedJsonEvents,
} from '../double.fixture.js';
import { aRawStreams, batchRequest } from '../raw-client.fixture.js';

describe.each(BOTH_PATHS)('an append (%s)', (_, path) => {
  it('answers with revision and position of the last event; commit and prepare are equal', async () => {
    const { client } = await aDoubleWithClient();
    const appended = await client.appendToStream('s', numberedJsonEvents(3), {
      expectedRevision: NO_STREAM,
      ...path,
    });
    const last = (await readAll(client.readStream('s'))).at(-1);
    expect(appended).toEqual({ success: true, nextExpectedRevision: 2n, position: last?.position });
    expect(appended.position?.commit).toBe(appended.position?.prepare);
  });

  it.each([
    ['none on a stream that exists', NO_STREAM, 'no_stream', 0n, 1],
    ['a revision that is not reached', 5n, 5n, 0n, 1],
    ['a revision of a missing stream', 0n, 0n, 'no_stream', 0],
    ['a missing stream that must exist', STREAM_EXISTS, 'stream_exists', 'no_stream', 0],
  ] as const)('refuses %s, and writes nothing', async (_, expectedRevision, expected, actual, before) => {
    const { client, double } = await aDoubleWithClient();
    if (before > 0) await client.appendToStream('s', numberedJsonEvents(before));
    const count = double.eventCount;
    const error = await rejectionOf(
      client.appendToStream('s', numberedJsonEvents(1), { expectedRevision, ...path }),
    );
    expect(error).toMatchObject({
      type: 'wrong-expected-version',
      message: '',
      streamName: 's',
      expectedVersion: expected,
      actualVersion: actual,
    });
    expect(double.eventCount).toBe(count);
  });

  it("writes under 'any', 'stream exists' and the exact revision", async () => {
    const { client } = await aDoubleWithClient();
    await client.appendToStream('s', numberedJsonEvents(1), { ...path });
    await client.appendToStream('s', numberedJsonEvents(1), { expectedRevision: STREAM_EXISTS, ...path });
    const third = await client.appendToStream('s', numberedJsonEvents(1), { expectedRevision: 1n, ...path });
    expect(third.nextExpectedRevision).toBe(2n);
  });

  it('of 0 events to a missing stream succeeds and writes nothing', async () => {
    const { client, double } = await aDoubleWithClient();
    const count = double.eventCount;
    const appended = await client.appendToStream('s', [], { expectedRevision: NO_STREAM, ...path });
    expect(appended).toMatchObject({ success: true, nextExpectedRevision: 0n });
    expect(double.eventCount).toBe(count);
  });

  it('accepts 1,048,576 bytes of data, without metadata, and no byte more', async () => {
    const { client } = await aDoubleWithClient();
    const ofBytes = (bytes: number) =>
      binaryEvent({ type: 'Big', data: new Uint8Array(bytes), metadata: new Uint8Array(10_000) });
    const half = ofBytes(524_288);
    expect(await client.appendToStream('s', [half, ofBytes(524_288)], path)).toMatchObject({ success: true });
    expect(await rejectionOf(client.appendToStream('s', [half, ofBytes(524_289)], path))).toMatchObject({
      type: 'maximum-append-size-exceeded',
      maxAppendSize: 1_048_576,
    });
    expect(await readAll(client.readStream('s'))).toHaveLength(2);
  });

  it('accepts 5,000 small events at once', async () => {
    const { client } = await aDoubleWithClient();
    const appended = await client.appendToStream('s', numberedJsonEvents(5_000), path);
    expect(appended.nextExpectedRevision).toBe(4_999n);
  });

  it('to no stream is refused as unknown', async () => {
    const { client } = await aDoubleWithClient();
    const error = await rejectionOf(client.appendToStream('', numberedJsonEvents(1), path));
    expect(error).toMatchObject({ type: 'unknown' });
    if ('credentials' in path) expect(error['code']).toBe(2);
    else expect(error['message']).toBe('Could not recognize BadRequest');
  });

  it('writes one id in two streams, and twice in one append', async () => {
    const { client } = await aDoubleWithClient();
    const event = jsonEvent({ id: randomUUID(), type: 'Same', data: {} });
    await client.appendToStream('a', [event, event], { expectedRevision: NO_STREAM, ...path });
    await client.appendToStream('b', event, { expectedRevision: NO_STREAM, ...path });
    expect(await readAll(client.readStream('a'))).toHaveLength(2);
    expect(await readAll(client.readStream('b'))).toHaveLength(1);
  });
});

describe('an append with an empty event type', () => {
  it('is refused as unknown (unary)', async () => {
    const { client } = await aDoubleWithClient();
    const path = { credentials: { username: 'nobody', password: 'secret' } };
    const error = await rejectionOf(client.appendToStream('s', numberedJsonEvents(1, ''), path));
    expect(error).toMatchObject({ type: 'unknown', code: 2 });
  });

  it('is answered twice in a batch: at once and at its deadline, which ends a client without a handler', async () => {
    const { url } = await aDouble();
    const streams = aRawStreams(url);
    closeAfterTest(async () => streams.close());
    const call = streams.batchAppend();
    const answers: string[] = [];
    const second = new Promise<void>((resolve) =>
      call.on('data', (answer) => {
        answers.push(answer.getError()?.getMessage() ?? 'success');
        if (answers.length === 2) resolve();
      }),
    );
    call.on('error', () => undefined);
    call.write(batchRequest('s', '', 300));
    await second;
    expect(answers).toEqual(['BadRequest', 'Timeout']);
    call.cancel();
  });
});

describe('an append in a batch', () => {
  it('that arrives after its deadline is answered with a timeout and not written', async () => {
    const double = await aDouble();
    const count = double.eventCount;
    const streams = aRawStreams(double.url);
    closeAfterTest(async () => streams.close());
    const call = streams.batchAppend();
    call.on('error', () => undefined);
    const answer = new Promise<string | undefined>((resolve) =>
      call.on('data', (message) => resolve(message.getError()?.getMessage())),
    );
    call.write(batchRequest('s', 'Late', -1));
    expect(await answer).toBe('Timeout');
    expect(double.eventCount).toBe(count);
    call.cancel();
  });
});

describe('an append that does not throw on failure', () => {
  it('returns the actual revision (unary) or no usable revision (batch)', async () => {
    const double = await aDouble();
    const { EventStoreDBClient } = await import('@eventstore/db-client');
    const client = EventStoreDBClient.connectionString(`${double.url}&throwOnAppendFailure=false`);
    closeAfterTest(() => client.dispose());
    await client.appendToStream('s', numberedJsonEvents(3));
    const results = [];
    for (const [, path] of BOTH_PATHS)
      results.push(
        await client.appendToStream('s', numberedJsonEvents(1), { expectedRevision: NO_STREAM, ...path }),
      );
    expect(results).toMatchObject([
      { success: false, nextExpectedRevision: 1n },
      { success: false, nextExpectedRevision: 2n },
    ]);
  });
});
