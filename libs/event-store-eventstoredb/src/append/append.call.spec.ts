import { EventStoreDBClient } from '@eventstore/db-client';
import { newEventId, readWholeStream, transact } from '@tillstream/event-store';
import { numberedEvent, numberedEvents } from '@tillstream/event-store-testing';
import { setTimeout as pause } from 'node:timers/promises';
import { waitUntilConnected, FaultyServers, appendToNewStream, elapsedMs } from '../faulty-server.fixture.js';

describe('An append to EventStoreDB', () => {
  const servers = new FaultyServers();
  afterAll(() => servers.closeAll());

  it('goes to the leader under an exact revision, never under "any"', async () => {
    const { double, store } = await servers.start();
    const append = appendToNewStream();
    await store.append(append);
    await store.append({ ...append, expected: 0, events: numberedEvents(1) });
    await store.append({ ...append, expected: 'any', events: numberedEvents(2) });
    const appends = double.calls.filter(({ call }) => call !== 'read');
    expect(appends.map(({ call, expected, requiresLeader }) => [call, expected, requiresLeader])).toEqual([
      ['batchAppend', 'none', true],
      ['batchAppend', 0, true],
      ['batchAppend', 1, true],
    ]);
  });

  it('writes the JSON texts that were hashed, and every reader gets them back as JSON', async () => {
    const { store } = await servers.start();
    const append = appendToNewStream();
    const event = {
      ...numberedEvent(1),
      data: { z: 1, a: { y: [], 9: 'ü', 10: 'x' } },
      metadata: { m: '1' },
    };
    await store.append({ ...append, events: [event] });
    const [read] = (await store.readStream(append.stream)).events;
    expect(read).toMatchObject({ data: event.data, metadata: event.metadata });
    // Canonical: the driver's own serialisation would keep the given order.
    expect(Object.keys(read?.data ?? {})).toEqual(['a', 'z']);
  });

  it('returns the stream’s last revision, also after a conflict, with any throwOnAppendFailure of the address', async () => {
    const { double } = await servers.start();
    const { store } = servers.open(`${double.url}&throwOnAppendFailure=false`);
    const append = appendToNewStream(3);
    expect(await store.append(append)).toMatchObject({ kind: 'Appended', revision: 2 });
    expect(await store.append({ ...append, expected: 7 })).toEqual({ kind: 'Conflict', actual: 2 });
    expect(await store.append({ ...appendToNewStream(), expected: 0 })).toEqual({
      kind: 'Conflict',
      actual: 'none',
    });
  });

  it('refuses names that belong to the server', async () => {
    const { store } = await servers.start();
    const append = appendToNewStream();
    const system = { ...numberedEvent(1), type: '$metadata' };
    for (const wrong of [
      { ...append, stream: '$settings' },
      { ...append, events: [system] },
    ]) {
      await expect(store.append(wrong)).rejects.toMatchObject({ code: 'Invalid' });
    }
  });

  it.concurrent.each([
    ['drops the connection', { kind: 'DropConnection' }],
    ['is silent', { kind: 'Silence' }],
    ['writes it and drops the connection', { kind: 'LoseAnswer', then: 'drop' }],
    ['writes it and is silent', { kind: 'LoseAnswer', then: 'silence' }],
    ['writes it late', { kind: 'CommitLate', then: 'drop' }],
    ['writes it after the repeat', { kind: 'CommitLate', then: 'silence', order: 'afterRepeat' }],
    ['timed out', { kind: 'Refuse', code: 10, details: 'Operation timed out: Commit timeout' }],
    ['cancelled it', { kind: 'Refuse', code: 1 }],
    ['failed', { kind: 'Refuse', code: 13 }],
    ['ends the call that it shares with others', { kind: 'Refuse', code: 16 }],
    ['answers with an unknown error', { kind: 'Refuse', code: 2, details: 'no known message' }],
  ] as const)(
    'is Unknown within the deadline when the server %s; repeated as it is, it is written once',
    async (_, fault) => {
      const { double, store } = await servers.start({ deadlineMs: 2000 });
      await waitUntilConnected(store);
      const append = appendToNewStream(2);
      double.inject(fault, { call: 'batchAppend', times: Infinity });
      const unknown = store.append(append);
      const took = elapsedMs(unknown);
      await expect(unknown).rejects.toMatchObject({
        code: 'Unknown',
        message: expect.stringMatching(/127\.0\.0\.1/),
      });
      // Without this option a call has five seconds.
      expect(await took).toBeLessThan(4500);
      double.clearFaults();
      const repeated = await store.append(append);
      expect(repeated).toMatchObject({ kind: 'Appended', revision: 1 });
      expect(await store.append(append)).toEqual(repeated);
      expect(await readWholeStream(store, append.stream)).toHaveLength(2);
    },
  );

  it.each([
    ['is not ready', { kind: 'NotReady' }],
    ['denies access', { kind: 'Refuse', code: 7 }],
  ] as const)('is Unavailable, and surely not written, when the server %s', async (_, fault) => {
    const { double, store } = await servers.start();
    const append = appendToNewStream();
    double.inject(fault, { call: 'batchAppend', times: Infinity });
    await expect(store.append(append)).rejects.toMatchObject({ code: 'Unavailable' });
    double.clearFaults();
    expect((await store.readStream(append.stream)).events).toEqual([]);
  });

  it('that was written is never Unavailable because another one on the same call was refused', async () => {
    const { double, store } = await servers.start();
    const [written, refused] = [appendToNewStream(), appendToNewStream()];
    double.inject({ kind: 'LoseAnswer', then: 'silence' }, { call: 'batchAppend', stream: written.stream });
    double.inject({ kind: 'Refuse', code: 16 }, { call: 'batchAppend', stream: refused.stream });
    const answer = store.append(written);
    await until(() => double.calls.some(({ stream }) => stream === written.stream));
    await store.append(refused);
    expect(await answer).toMatchObject({ kind: 'Appended', revision: 0 });
    expect(double.calls.filter(({ stream }) => stream === written.stream)).toHaveLength(2);
  });

  it('is Unavailable at once if no server listens, and works as soon as one does', async () => {
    const { double, store, reports } = await servers.start();
    await store.append(appendToNewStream());
    await double.stop();
    const append = appendToNewStream();
    const refused = store.append(append);
    const took = elapsedMs(refused);
    await expect(refused).rejects.toMatchObject({ code: 'Unavailable' });
    // It does not wait for its deadline of five seconds.
    expect(await took).toBeLessThan(4000);
    await double.start();
    expect(await store.append(append)).toMatchObject({ kind: 'Appended' });
    expect(reports).toEqual([
      expect.stringMatching(/^EventStoreDB \(127\.0\.0\.1:\d+\): .*connecting again$/),
      expect.stringMatching(/connected again$/),
    ]);
  });

  it('is Unavailable after the deadline if no connection can be made: it was never sent', async () => {
    const { double, store } = await servers.start({ deadlineMs: 1000 });
    double.freeze();
    const append = appendToNewStream();
    await expect(store.append(append)).rejects.toMatchObject({ code: 'Unavailable' });
    double.thaw();
    expect((await store.readStream(append.stream)).events).toEqual([]);
  });

  it('is Invalid for a stream that was deleted for good', async () => {
    const { double, store } = await servers.start();
    const append = appendToNewStream();
    await store.append(append);
    const client = EventStoreDBClient.connectionString(double.url);
    await client.tombstoneStream(append.stream);
    await client.dispose();
    await expect(store.append({ ...append, events: numberedEvents(1) })).rejects.toMatchObject({
      code: 'Invalid',
      message: expect.stringMatching(/deleted/),
    });
  });

  it('that the server answers with a conflict although its events are in their place has the first result', async () => {
    const { double, store } = await servers.start();
    const append = appendToNewStream(2);
    const first = await store.append(append);
    double.inject({ kind: 'WrongVersion', current: 1 }, { call: 'batchAppend', times: 2 });
    expect(await store.append(append)).toEqual(first);
    const others = { ...append, events: numberedEvents(2) };
    expect(await store.append(others)).toEqual({ kind: 'Conflict', actual: 1 });
  });

  it('under "any" is found again after the server forgot its ids, and finds a late one', async () => {
    const { double, store } = await servers.start({ deadlineMs: 1000 }, { rememberedIds: 0 });
    const append = { ...appendToNewStream(2), expected: 'any' as const };
    double.inject({ kind: 'CommitLate', then: 'silence' }, { call: 'batchAppend' });
    await expect(store.append(append)).rejects.toMatchObject({ code: 'Unknown' });
    const second = await store.append(append);
    await store.append({ ...append, events: numberedEvents(5) });
    expect(await store.append(append)).toEqual(second);
    expect(await readWholeStream(store, append.stream)).toHaveLength(7);
  });

  it('without an answer is repeated unchanged by transact until the server is back', async () => {
    const { double, store } = await servers.start({ deadlineMs: 1000 });
    const stream = `payment-${newEventId()}`;
    double.inject({ kind: 'LoseAnswer', then: 'silence' }, { call: 'batchAppend' });
    double.inject({ kind: 'NotReady' }, { call: 'batchAppend', times: 2 });
    double.inject({ kind: 'DropConnection' }, { call: 'batchAppend', times: 2 });
    let decisions = 0;
    const result = await transact(store, {
      stream,
      decide: () => ({ events: [numberedEvent(++decisions)], value: decisions }),
    });
    expect(result).toMatchObject({ kind: 'Done', value: 1 });
    expect(double.calls.filter(({ call }) => call === 'batchAppend')).toHaveLength(6);
    expect(await readWholeStream(store, stream)).toHaveLength(1);
  });
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(5);
}
