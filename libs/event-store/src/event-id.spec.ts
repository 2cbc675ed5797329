import { deterministicEventId, newEventId } from './event-id.js';

describe('event ids', () => {
  it('are UUIDv7 with the time of their creation', () => {
    const before = Date.now();
    const id = newEventId();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const createdAt = parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
    expect(createdAt).toBeGreaterThanOrEqual(before);
    // A burst of ids may run ahead of the clock, by 1 ms for each 4,096 ids.
    expect(createdAt).toBeLessThanOrEqual(Date.now() + 1);
  });

  it('are strictly ascending, also within a millisecond', () => {
    const ids = Array.from({ length: 20_000 }, newEventId);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  it('of a name are always the same, differ between names, and are UUIDv8', () => {
    expect(deterministicEventId('payment-1/Closed')).toBe(deterministicEventId('payment-1/Closed'));
    expect(deterministicEventId('payment-1/Closed')).not.toBe(deterministicEventId('payment-2/Closed'));
    expect(deterministicEventId('')).toBe('e3b0c442-98fc-8c14-9afb-f4c8996fb924');
  });
});
