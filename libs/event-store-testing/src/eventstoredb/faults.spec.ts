import { NO_STREAM, streamNameFilter } from '@eventstore/db-client';
import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  aClient,
  aDoubleWithClient,
  readAll,
  BOTH_PATHS,
  rejectionOf,
  waitForCalls,
  numberedJsonEvents,
  until,
  settledWithin,
} from './double.fixture.js';
import { recorded } from './recorded-subscription.fixture.js';

describe.each(BOTH_PATHS)('an append (%s)', (_, path) => {
  const none = { expectedRevision: NO_STREAM, ...path } as const;
  const call = 'credentials' in path ? 'append' : 'batchAppend';

  it('whose connection is dropped was not written, and the next one works by itself', async () => {
    const { double, client } = await aDoubleWithClient();
    double.inject({ kind: 'DropConnection' }, { stream: 's' });
    const error = await rejectionOf(client.appendToStream('s', numberedJsonEvents(1), none));
    expect(error).toMatchObject({ type: 'unavailable', code: 14 });
    expect(await client.appendToStream('s', numberedJsonEvents(1), none)).toMatchObject({
      nextExpectedRevision: 0n,
    });
  });

  it('to a server that is not ready is refused as such', async () => {
    const { double, client } = await aDoubleWithClient();
    double.inject({ kind: 'NotReady' });
    const error = await rejectionOf(client.appendToStream('s', numberedJsonEvents(1), none));
    expect(error['message']).toContain('Server Is Not Ready');
    expect(error['type']).toBe(call === 'append' ? 'unavailable' : 'unknown');
  });

  it.each([
    ['AccessDenied', 7, 'unknown', 'access-denied'],
    ['a timeout', 10, 'timeout', 'deadline-exceeded'],
    ['Unavailable', 14, 'unavailable', 'unavailable'],
    ['an unknown error', 13, 'unknown', 'unknown'],
  ])('is refused with %s', async (_, code, unary, batch) => {
    const { double, client } = await aDoubleWithClient();
    double.inject({ kind: 'Refuse', code });
    const error = await rejectionOf(client.appendToStream('s', numberedJsonEvents(1), none));
    expect(error['type']).toBe(call === 'append' ? unary : batch);
    expect(await rejectionOf(readAll(client.readStream('s')))).toMatchObject({ type: 'stream-not-found' });
  });

  it('is answered late', async () => {
    const { double, client } = await aDoubleWithClient();
    double.inject({ kind: 'Delay', ms: 100 });
    const started = performance.now();
    await client.appendToStream('s', numberedJsonEvents(1), none);
    expect(performance.now() - started).toBeGreaterThan(95);
  });

  it('is never answered and not written, and concurrent ones are', async () => {
    const { double, client } = await aDoubleWithClient();
    double.inject({ kind: 'Silence' }, { stream: 's' });
    const silent = client.appendToStream('s', numberedJsonEvents(1), none).catch(() => 'failed');
    await waitForCalls(double, call);
    await client.appendToStream('other', numberedJsonEvents(1), none);
    double.clearFaults();
    expect(await settledWithin(50, silent)).toBe('pending');
    expect(await rejectionOf(readAll(client.readStream('s')))).toMatchObject({ type: 'stream-not-found' });
    double.dropConnections();
    expect(await silent).toBe('failed');
  });

  it('is answered with the address of the leader', async () => {
    const { double, client } = await aDoubleWithClient();
    const leader = await aDoubleWithClient();
    double.inject({ kind: 'NotLeader', leader: { address: '127.0.0.1', port: leader.double.port } });
    const error = await rejectionOf(client.appendToStream('s', numberedJsonEvents(1), none));
    expect(error).toMatchObject({ type: 'not-leader', code: 5, leader: { port: leader.double.port } });
    await until(() => leader.double.calls.length === 0);
    await client.appendToStream('s', numberedJsonEvents(1), none);
    expect(leader.double.calls.map(({ call }) => call)).toContain(call);
  });

  it.each(['drop', 'silence'] as const)(
    'is written and its answer is lost by %s; the repeat is answered with the original position',
    async (then) => {
      const { double, client } = await aDoubleWithClient();
      const events = numberedJsonEvents(2);
      double.inject({ kind: 'LoseAnswer', then });
      const lost = client.appendToStream('s', events, none).catch(() => 'failed');
      if (then === 'drop') expect(await lost).toBe('failed');
      await waitForCalls(double, call);
      expect(await settledWithin(50, lost)).toBe(then === 'drop' ? 'failed' : 'pending');
      const written = await readAll(client.readStream('s'));
      expect(await client.appendToStream('s', events, none)).toMatchObject({
        nextExpectedRevision: 1n,
        position: written[1]?.position,
      });
      double.dropConnections();
      await lost;
    },
  );

  it.each([
    ['beforeRepeat', 'drop'],
    ['beforeRepeat', 'silence'],
    ['afterRepeat', 'drop'],
    ['afterRepeat', 'silence'],
  ] as const)('is committed late, %s, then %s, and is there once', async (order, then) => {
    const { double, client } = await aDoubleWithClient();
    const events = numberedJsonEvents(2);
    double.inject({ kind: 'CommitLate', order, then });
    const lost = client.appendToStream('s', events, none).catch(() => 'failed');
    if (then === 'drop') expect(await lost).toBe('failed');
    await waitForCalls(double, call);
    expect(await settledWithin(50, lost)).toBe(then === 'drop' ? 'failed' : 'pending');
    expect(await rejectionOf(readAll(client.readStream('s')))).toMatchObject({ type: 'stream-not-found' });
    expect(await client.appendToStream('s', events, none)).toMatchObject({ nextExpectedRevision: 1n });
    expect(await readAll(client.readStream('s'))).toHaveLength(2);
    double.dropConnections();
    await lost;
  });

  it('that is committed late, after a time, overtakes a new decision and makes it conflict', async () => {
    const { double, client } = await aDoubleWithClient();
    double.inject({ kind: 'CommitLate', then: 'drop', ms: 50 });
    await rejectionOf(client.appendToStream('s', numberedJsonEvents(2), none));
    await sleep(80);
    const error = await rejectionOf(client.appendToStream('s', numberedJsonEvents(1), none));
    expect(error).toMatchObject({ type: 'wrong-expected-version', actualVersion: 1n });
  });
});

describe('a read', () => {
  it.each([0, 1, 3])('is dropped after %p events', async (afterEvents) => {
    const { double, client } = await aDoubleWithClient();
    await client.appendToStream('s', numberedJsonEvents(3));
    double.inject({ kind: 'DropConnection', afterEvents }, { call: 'read' });
    const seen: unknown[] = [];
    const read = async () => {
      for await (const { event } of client.readStream('s')) seen.push(event);
    };
    expect(await rejectionOf(read())).toMatchObject({ type: 'unavailable', code: 14 });
    expect(seen).toHaveLength(afterEvents);
  });

  it('is refused, or never answered', async () => {
    const { double, client } = await aDoubleWithClient();
    await client.appendToStream('s', numberedJsonEvents(1));
    double.inject({ kind: 'NotReady' }, { call: 'read' });
    double.inject({ kind: 'Silence' }, { call: 'read' });
    expect(await rejectionOf(readAll(client.readStream('s')))).toMatchObject({ type: 'unavailable' });
    const silent = readAll(client.readAll()).catch(() => 'failed');
    await waitForCalls(double, 'read', 2);
    expect(await settledWithin(50, silent)).toBe('pending');
    double.dropConnections();
    expect(await silent).toBe('failed');
  });
});

describe('a subscription', () => {
  it('is dropped after some events, and does not continue by itself', async () => {
    const { double, client } = await aDoubleWithClient();
    await client.appendToStream('s', numberedJsonEvents(5));
    double.inject({ kind: 'DropConnection', afterEvents: 3 }, { call: 'subscribe' });
    const filter = streamNameFilter({ prefixes: ['s'] });
    const seen = recorded(client.subscribeToAll({ filter }));
    await until(() => seen.errors.length > 0);
    expect(seen.revisions).toEqual([0n, 1n, 2n]);
    expect(seen.errors[0]).toMatchObject({ type: 'unavailable' });
  });

  it.each([0, 2])('is dropped live after %p events', async (afterEvents) => {
    const { double, client } = await aDoubleWithClient();
    double.inject({ kind: 'DropConnection', afterEvents }, { call: 'subscribe' });
    const seen = recorded(client.subscribeToAll({ filter: streamNameFilter({ prefixes: ['s'] }) }));
    await until(() => seen.signs.includes('confirmation'));
    for (let count = 0; count < afterEvents; count++) await client.appendToStream('s', numberedJsonEvents(1));
    await until(() => seen.errors.length > 0);
    expect(seen.revisions).toHaveLength(afterEvents);
  });
});

describe('faults', () => {
  it('wait for matching calls, and apply in the order of injection', async () => {
    const { double, client } = await aDoubleWithClient();
    double.inject({ kind: 'Refuse', code: 10 }, { stream: /^a-/, times: 2 });
    double.inject({ kind: 'NotReady' }, { stream: 'a-1' });
    double.inject({ kind: 'Refuse', code: 13 }, { when: ({ eventIds }) => eventIds?.length === 2 });
    expect(await client.appendToStream('b-1', numberedJsonEvents(1))).toMatchObject({ success: true });
    const types = [];
    for (let count = 0; count < 3; count++)
      types.push((await rejectionOf(client.appendToStream('a-1', numberedJsonEvents(1))))['type']);
    expect(types).toEqual(['deadline-exceeded', 'deadline-exceeded', 'unknown']);
    expect(await client.appendToStream('a-1', numberedJsonEvents(1))).toMatchObject({ success: true });
    expect(await rejectionOf(client.appendToStream('a-1', numberedJsonEvents(2)))).toMatchObject({
      type: 'unknown',
    });
  });

  it('do not exist after `heal`', async () => {
    const { double, client } = await aDoubleWithClient();
    double.inject({ kind: 'NotReady' }, { times: Infinity });
    await rejectionOf(client.appendToStream('s', numberedJsonEvents(1)));
    await rejectionOf(client.appendToStream('s', numberedJsonEvents(1)));
    double.clearFaults();
    expect(await client.appendToStream('s', numberedJsonEvents(1))).toMatchObject({ success: true });
  });
});

describe('a delete', () => {
  it('is executed and its answer is lost, or it is refused', async () => {
    const { double, client } = await aDoubleWithClient();
    await client.appendToStream('s', numberedJsonEvents(1));
    double.inject({ kind: 'Refuse', code: 10 }, { call: 'delete' });
    double.inject({ kind: 'LoseAnswer', then: 'drop' }, { call: 'delete' });
    expect(await rejectionOf(client.deleteStream('s'))).toMatchObject({ type: 'timeout' });
    expect(await readAll(client.readStream('s'))).toHaveLength(1);
    expect(await rejectionOf(client.deleteStream('s'))).toMatchObject({ type: 'unavailable' });
    expect(await rejectionOf(readAll(client.readStream('s')))).toMatchObject({ type: 'stream-not-found' });
  });
});

describe('gossip and features', () => {
  it('have only faults that name them', async () => {
    const { double } = await aDoubleWithClient();
    const discovering = () =>
      aClient(`esdb+discover://127.0.0.1:${double.port}?tls=false&discoveryInterval=5`);
    double.inject({ kind: 'Silence' });
    double.inject({ kind: 'NotReady' }, { call: 'gossip', times: 3 });
    double.inject({ kind: 'NotReady' }, { call: ['features'] });
    const append = () => discovering().appendToStream('s', numberedJsonEvents(1));
    expect((await rejectionOf(append()))['message']).toContain('Server Is Not Ready');
    expect(await settledWithin(100, append())).toBe('pending');
    expect(await append()).toMatchObject({ success: true });
    expect(double.calls.filter(({ call }) => call === 'gossip')).toHaveLength(6);
  });
});

describe('calls', () => {
  it('list the requests in order', async () => {
    const { double, client } = await aDoubleWithClient();
    const [event] = numberedJsonEvents(1);
    await client.appendToStream('s', event ?? [], { expectedRevision: NO_STREAM, requiresLeader: true });
    await readAll(client.readStream('s'));
    await readAll(client.readAll({ requiresLeader: true }));
    expect(double.calls).toMatchObject([
      { call: 'features', requiresLeader: false },
      { call: 'batchAppend', stream: 's', expected: 'none', eventIds: [event?.id], requiresLeader: true },
      { call: 'read', stream: 's', requiresLeader: false },
      { call: 'read', stream: '$all', requiresLeader: true },
    ]);
  });
});
