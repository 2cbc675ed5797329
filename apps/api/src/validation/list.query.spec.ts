import { ApiError } from '../http/api.error.js';
import { ReceivedQuery } from '../http/received.query.js';
import { anyOf, anyOfNumbers, anyText, flag, integer, MAX_VALUES, time } from './list.filters.js';
import { ListQuery } from './list.query.js';

const rules = {
  filters: {
    type: anyOf(['Sale', 'Auth']),
    code: anyOfNumbers([0, 1, 10]),
    name: anyText(3),
    min: integer(0, 500),
    from: time,
    deleted: flag,
  },
  sorts: ['createdAt', 'amount'] as const,
  totals: true,
  place: /^[a-z0-9]+$/,
};
const asked = (query: string, boundTo = 'things') =>
  new ListQuery(new ReceivedQuery({ originalUrl: `/v1/things${query}` }, 'mer_1', ''), {
    ...rules,
    boundTo: () => boundTo,
  });
const wrong = (query: string, boundTo?: string): string => {
  try {
    asked(query, boundTo);
    return 'fine';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [error.code, ...error.errorDetails.map(({ field }) => field)].join(' ');
  }
};

describe('What a list is asked', () => {
  it('is 25 of all, the newest first, where nothing is said', () => {
    expect(asked('')).toMatchObject({
      limit: 25,
      after: undefined,
      filters: {},
      sort: { by: 'createdAt', descending: true },
      includeTotal: false,
    });
  });

  it('is read by kind, each value once', () => {
    const { filters } = asked(
      '?type=Auth&type=Sale&type=Auth&code=10&code=0&name=a&min=0&from=2026-08-03T12:00:00Z&deleted=true',
    );
    expect(filters).toEqual({
      type: ['Auth', 'Sale'],
      code: [10, 0],
      name: ['a'],
      min: 0,
      from: '2026-08-03T12:00:00.000Z',
      deleted: true,
    });
  });

  it.each([
    'limit=1',
    'limit=100',
    'sort=-amount',
    'sort=createdAt',
    'includeTotal=false',
    'min=500',
    'name=%E2%82%AC%E2%82%AC%E2%82%AC',
    'deleted=false',
  ])('may be %s', (query) => {
    expect(wrong(`?${query}`)).toBe('fine');
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1&limit=1', 'limit'],
    ['sort=name', 'sort'],
    ['sort=--amount', 'sort'],
    ['sort=', 'sort'],
    ['includeTotal=yes', 'includeTotal'],
    ['type=sale', 'type'],
    ['type=Sale&type=', 'type'],
    ['type=Sale,Auth', 'type'],
    ['code=01', 'code'],
    ['code=2', 'code'],
    ['code=0x1', 'code'],
    ['name=', 'name'],
    ['name=abcd', 'name'],
    ['name=%00', 'name'],
    ['min=-1', 'min'],
    ['min=501', 'min'],
    ['min=1.5', 'min'],
    ['min=00', 'min'],
    ['min=1e2', 'min'],
    ['min=1&min=2', 'min'],
    ['from=2026-08-03', 'from'],
    ['from=2026-08-03T12:00:00Z&from=2026-08-03T12:00:00Z', 'from'],
    ['deleted=1', 'deleted'],
    ['page=1', 'page'],
    ['Type=Sale', 'Type'],
    ['constructor=1', 'constructor'],
    ['limit=0&type=x&min=-1', 'limit type min'],
  ])('is not %s: 2000, %s', (query, fields) => {
    expect(wrong(`?${query}`)).toBe(`2000 ${fields}`);
  });

  it(`has at most ${MAX_VALUES} values of one parameter`, () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `name=${index}`).join('&');
    expect(wrong(`?${names(MAX_VALUES)}`)).toBe('fine');
    expect(wrong(`?${names(MAX_VALUES + 1)}`)).toBe('2000 name');
  });
});

describe('A cursor', () => {
  const cursor = (query: string) => asked(query).nextCursor('row1');

  it('gives its place back, with every limit, and with or without a total', () => {
    const next = cursor('?type=Sale&limit=5');
    expect(asked(`?type=Sale&limit=7&includeTotal=true&cursor=${next}`).after).toBe('row1');
  });

  it('does not mind the order of parameters and values', () => {
    const next = cursor('?type=Sale&type=Auth&min=1');
    expect(asked(`?min=1&cursor=${next}&type=Auth&type=Sale&type=Sale`).after).toBe('row1');
  });

  it('names the default sort like the same sort asked for', () => {
    expect(asked(`?sort=-createdAt&cursor=${cursor('')}`).after).toBe('row1');
  });

  it.each([
    ['', '?type=Sale'],
    ['?type=Sale', ''],
    ['?type=Sale', '?type=Auth'],
    ['?min=1', '?min=2'],
    ['', '?sort=createdAt'],
    ['?sort=-amount', '?sort=-createdAt'],
  ])('of %j is none of %j: 2000, field cursor', (made, used) => {
    expect(wrong(`${used}${used ? '&' : '?'}cursor=${cursor(made)}`)).toBe('2000 cursor');
  });

  it('of another list is none of this', () => {
    expect(wrong(`?cursor=${cursor('')}`, 'other things')).toBe('2000 cursor');
  });

  it.each(['', 'x', '%00', Buffer.from('row1').toString('base64url')])('is not %j', (text) => {
    expect(wrong(`?cursor=${text}`)).toBe('2000 cursor');
  });

  it('holds no place of another form', () => {
    expect(wrong(`?cursor=${asked('').nextCursor('Row 1')}`)).toBe('2000 cursor');
  });
});
