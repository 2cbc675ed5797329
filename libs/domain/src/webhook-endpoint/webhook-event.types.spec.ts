import {
  EVENT_TYPES_OF,
  LIFECYCLE_EVENT_TYPES,
  OPT_IN_EVENT_TYPES,
  subscribesTo,
} from './webhook-event.types.js';

const all = ['*'];

describe('a webhook endpoint', () => {
  it('of all types gets the 17 types if it is managed, and the 8 of transactions and tokens if it is legacy', () => {
    const got = (method: 'Managed' | 'Legacy') =>
      EVENT_TYPES_OF.Managed.filter((type) => subscribesTo({ method, eventTypes: all }, type));
    expect(got('Managed')).toHaveLength(17);
    expect(got('Legacy')).toHaveLength(8);
    expect(
      got('Legacy').filter((type) => (LIFECYCLE_EVENT_TYPES as readonly string[]).includes(type)),
    ).toEqual([]);
  });

  it('gets an opt-in type only if it names it', () => {
    const [optIn] = OPT_IN_EVENT_TYPES;
    expect(subscribesTo({ method: 'Managed', eventTypes: all }, optIn)).toBe(false);
    expect(subscribesTo({ method: 'Managed', eventTypes: [...all, optIn] }, optIn)).toBe(true);
    expect(subscribesTo({ method: 'Legacy', eventTypes: [optIn] }, optIn)).toBe(true);
  });

  it('gets the types that it names, and no other', () => {
    const endpoint = { method: 'Managed', eventTypes: ['sale.completed', 'merchant.approved'] } as const;
    const got = EVENT_TYPES_OF.Managed.filter((type) => subscribesTo(endpoint, type));
    expect(got).toEqual(endpoint.eventTypes);
  });

  it('that is legacy gets no merchant lifecycle event, even if it named one', () => {
    expect(subscribesTo({ method: 'Legacy', eventTypes: ['merchant.approved'] }, 'merchant.approved')).toBe(
      false,
    );
  });
});
