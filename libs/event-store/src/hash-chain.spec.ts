import { createHash } from 'node:crypto';
import { newEventId } from './event-id.js';
import type { RecordedEvent } from './event.js';
import { CHAIN_START, chainEvents, ChainVerifier, eventHash, type BrokenLink } from './hash-chain.js';
import { positionFromNumber } from './numbered-position.js';

describe('the hash chain of a stream', () => {
  it('is SHA-256 over the previous hash and the canonical JSON of the event without its own hash', () => {
    const event = {
      stream: 'test-1',
      revision: 0,
      id: 'i',
      type: 'T',
      data: { b: 1, a: '€' },
      metadata: { hash: 'old', actor: 'me' },
    };
    const text = `${CHAIN_START}{"data":{"a":"€","b":1},"id":"i","metadata":{"actor":"me"},"revision":0,"stream":"test-1","type":"T"}`;
    expect(eventHash(CHAIN_START, event)).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it('is intact after chaining, with interleaved streams', () => {
    const [a, b] = [chain('a-1', 3), chain('b-1', 3)];
    const verifier = new ChainVerifier();
    const interleaved = a.flatMap((event, index) => [event, b[index] as RecordedEvent]);
    expect(interleaved.map((event) => verifier.check(event))).toEqual(interleaved.map(() => undefined));
    expect(verifier.counts).toEqual({ events: 6, streams: 2 });
  });

  it('continues across two appends', () => {
    const first = chain('a-1', 2);
    const later = chainEvents('a-1', first[1], [{ id: newEventId(), type: 'T', data: {}, metadata: {} }]);
    const third = {
      ...later[0],
      stream: 'a-1',
      revision: 2,
      position: positionFromNumber(3),
    } as RecordedEvent;
    expect(firstBroken([...first, third])).toBeUndefined();
  });

  it.each<[string, Partial<RecordedEvent>, RegExp]>([
    ['data', { data: { number: 99 } }, /^its hash is/],
    ['type', { type: 'Other' }, /^its hash is/],
    ['id', { id: newEventId() }, /^its hash is/],
    ['metadata', { metadata: { actor: 'another', hash: '0' } }, /^its hash is/],
    ['missing hash', { metadata: {} }, /^it has no hash$/],
  ])('reports a changed %s at the event itself', (_, change, problem) => {
    const events = chain('a-1', 4).map((event) => (event.revision === 2 ? { ...event, ...change } : event));
    expect(firstBroken(events)).toMatchObject({
      stream: 'a-1',
      revision: 2,
      problem: expect.stringMatching(problem),
    });
  });

  it('reports the event after one whose content and hash were both changed', () => {
    const events = chain('a-1', 4);
    const forged = { ...(events[1] as RecordedEvent), data: { number: 99 } };
    const hash = eventHash(String(events[0]?.metadata['hash']), forged);
    events[1] = { ...forged, metadata: { ...forged.metadata, hash } };
    expect(firstBroken(events)).toMatchObject({ revision: 2 });
  });

  it('continues after a broken event, and does not report the intact ones after it', () => {
    const changes: readonly ((event: RecordedEvent) => RecordedEvent)[] = [
      (event) => ({ ...event, data: { number: 99 } }),
      (event) => ({ ...event, metadata: { ...event.metadata, hash: '0' } }),
      (event) => ({ ...event, metadata: {} }),
    ];
    for (const change of changes) {
      const events = chain('a-1', 9).map((event) =>
        [2, 6].includes(event.revision) ? change(event) : event,
      );
      expect(allBroken(events).map(({ revision }) => revision)).toEqual([2, 6]);
    }
    const gaps = chain('a-1', 9).filter(({ revision }) => revision !== 2 && revision !== 6);
    expect(allBroken(gaps).map(({ revision }) => revision)).toEqual([3, 7]);
    const [first, second, third] = chain('a-1', 3) as [RecordedEvent, RecordedEvent, RecordedEvent];
    expect(allBroken([first, second, first, third]).map(({ revision }) => revision)).toEqual([0]);
  });

  it('skips an unreadable event, and reports a gap before it', () => {
    const verifier = new ChainVerifier();
    const events = chain('a-1', 6);
    const unreadable = { stream: 'a-1', revision: 3, id: 'x', problem: 'its data is no JSON object' };
    for (const event of events.slice(0, 2)) verifier.check(event);
    const gap = { ...unreadable, problem: expect.stringContaining('revision 2 should') as string };
    expect(verifier.skipUnreadable(unreadable)).toEqual([gap, unreadable]);
    expect(events.slice(4).map((event) => verifier.check(event))).toEqual([undefined, undefined]);
    expect(verifier.counts).toEqual({ events: 4, streams: 1 });
  });

  it('reports a missing event, a repeated one, and one of another stream', () => {
    const events = chain('a-1', 4);
    const [first, second, third] = events as [RecordedEvent, RecordedEvent, RecordedEvent];
    expect(firstBroken([first, third])).toMatchObject({
      revision: 2,
      problem: expect.stringContaining('revision 1 should'),
    });
    expect(firstBroken([second])).toMatchObject({
      revision: 1,
      problem: expect.stringContaining('revision 0 should'),
    });
    expect(firstBroken([first, first])).toMatchObject({ revision: 0 });
    const foreign = { ...(chain('b-1', 2)[1] as RecordedEvent), stream: 'a-1' };
    expect(firstBroken([first, foreign])).toMatchObject({ revision: 1 });
  });
});

function chain(stream: string, count: number): RecordedEvent[] {
  const events = Array.from({ length: count }, (_, number) => ({
    id: newEventId(),
    type: 'T',
    data: { number },
    metadata: { actor: 'me' },
  }));
  return chainEvents(stream, undefined, events).map((event, revision) => ({
    ...event,
    stream,
    revision,
    position: positionFromNumber(revision + 1),
  }));
}

function firstBroken(events: readonly RecordedEvent[]): BrokenLink | undefined {
  return allBroken(events)[0];
}

function allBroken(events: readonly RecordedEvent[]): BrokenLink[] {
  const verifier = new ChainVerifier();
  return events.map((event) => verifier.check(event)).filter((broken) => broken !== undefined);
}
