import {
  NAME_LENGTH_MAX,
  checkedPageSize,
  checkedFromRevision,
  serialiseAppend,
} from './append.validation.js';
import { newEventId } from './event-id.js';
import type { Append } from './event-store.js';
import { chainEvents } from './hash-chain.js';

describe('an append', () => {
  const event = { id: newEventId(), type: 'Counted', data: { b: 'é', a: 1 }, metadata: {} };
  const append: Append = { stream: 'test-1', expected: 'none', events: [event] };

  it('becomes JSON texts, counted in UTF-8 bytes', () => {
    const { events, bytes } = serialiseAppend(append);
    expect(events).toEqual([{ id: event.id, type: 'Counted', data: '{"a":1,"b":"é"}', metadata: '{}' }]);
    expect(bytes).toBe(18);
  });

  it('of chained events is written with exactly the content that was hashed', () => {
    const [chained] = chainEvents('test-1', undefined, [{ ...event, metadata: { z: 1, actor: 'me' } }]);
    const { events } = serialiseAppend({ ...append, events: chained ? [chained] : [] });
    expect(JSON.parse(events[0]?.data ?? '')).toEqual(chained?.data);
    expect(JSON.parse(events[0]?.metadata ?? '')).toEqual(chained?.metadata);
  });

  it.each<[string, Partial<Append>]>([
    ['a stream name with a line break', { stream: 'test-\n1' }],
    ['a stream name with half a surrogate pair', { stream: 'test-\ud83d' }],
    ['a stream name that is too long', { stream: 'x'.repeat(NAME_LENGTH_MAX + 1) }],
    ['an id in upper case', { events: [{ ...event, id: event.id.toUpperCase() }] }],
    ['data that is a list', { events: [{ ...event, data: [1] as never }] }],
    ['a revision below 0', { expected: -1 }],
    ['a revision that is no whole number', { expected: 0.5 }],
    ['an unknown expectation', { expected: 'exists' as never }],
  ])('with %s is Invalid', (_, invalid) => {
    expect(() => serialiseAppend({ ...append, ...invalid })).toThrow(
      expect.objectContaining({ code: 'Invalid' }),
    );
  });
});

describe('a read', () => {
  it('returns 1 to 1000 events, from a revision', () => {
    expect([checkedPageSize(undefined), checkedPageSize(1), checkedPageSize(1000)]).toEqual([1000, 1, 1000]);
    for (const limit of [0, 1001, NaN])
      expect(() => checkedPageSize(limit)).toThrow(/a page has 1 to 1000 events/);
    expect([checkedFromRevision(undefined), checkedFromRevision(0)]).toEqual([undefined, 0]);
    for (const from of [-1, 1.5, NaN]) expect(() => checkedFromRevision(from)).toThrow(/no revision/);
  });
});
