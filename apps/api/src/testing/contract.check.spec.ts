import { checkContract } from './contract.check.js';

const HEADERS = {
  'x-trace-id': 'a'.repeat(32),
  'x-api-version': '2026.08.03',
  'content-type': 'application/json',
};

interface Said {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const READING = { now: '2026-08-03T14:05:09.120Z', offsetSeconds: 0 };
const reading = ({ status = 200, headers = HEADERS, body = READING }: Said) =>
  checkContract('GET', '/admin/v1/sandbox/clock', {
    status,
    headers: new Headers(headers),
    text: JSON.stringify(body),
  });
const envelope = (fields: object) => ({
  code: 9000,
  status: 'Rejected',
  message: 'x',
  traceId: 'a'.repeat(32),
  timestamp: READING.now,
  errorDetails: [],
  ...fields,
});
const { 'x-trace-id': _trace, ...untraced } = HEADERS;

describe('Every answer of an HTTP test is held against the description of the API:', () => {
  it('what is described passes', async () => {
    await expect(reading({})).resolves.toBeUndefined();
    await expect(reading({ status: 500, body: envelope({}) })).resolves.toBeUndefined();
  });

  it.each<[string, Said, RegExp]>([
    ['a field that is not described', { body: { ...READING, more: 1 } }, /more/],
    ['a field that is missing', { body: { now: READING.now } }, /offsetSeconds/],
    ['a value of another type', { body: { ...READING, offsetSeconds: '0' } }, /offsetSeconds must be number/],
    ['a time of another form', { body: { ...READING, now: 'today' } }, /now must match format/],
    ['a status that is not described', { status: 409, body: envelope({ code: 3401 }) }, /no such status/],
    ['a code that is not described for this path', { status: 400, body: envelope({ code: 2012 }) }, /code/],
    ['a field of the envelope that is not described', { status: 500, body: envelope({ more: 1 }) }, /more/],
    ['a header that is missing', { headers: untraced }, /x-trace-id is missing/],
    ['a header of another form', { headers: { ...HEADERS, 'x-trace-id': 'a' } }, /x-trace-id/],
    ['another type of content', { headers: { ...HEADERS, 'content-type': 'text/html' } }, /content type/],
  ])('%s does not', async (_what, said, why) => {
    await expect(reading(said)).rejects.toThrow(why);
  });

  const CSV = 'text/csv; charset=utf-8; header=present';
  const HEADER = 'name,state,stopped.by,stopped.reason,stopped.since';
  const STOPPED = 'sandbox,Closed,Dana Field,"why, so",2026-08-03T14:05:09.120Z';
  const listing = (text: string) =>
    checkContract('GET', '/admin/v1/processors', {
      status: 200,
      headers: new Headers({ ...HEADERS, vary: 'Accept', 'content-type': CSV }),
      text,
    });

  it('CSV that is described passes', async () => {
    await expect(listing(`${HEADER}\r\n`)).resolves.toBeUndefined();
    await expect(listing(`${HEADER}\r\n${STOPPED}\r\nother,Open,,,\r\n`)).resolves.toBeUndefined();
  });

  it.each([
    ['a column that is not described', `${HEADER},more\r\n`, /header line/],
    ['a column that is missing', 'name,state\r\n', /header line/],
    ['a row with a cell more', `${HEADER}\r\nsandbox,Closed,,,,\r\n`, /row 0 has 6 cells/],
    ['a value that the schema does not know', `${HEADER}\r\nsandbox,Ajar,,,\r\n`, /state/],
    ['a value of another form', `${HEADER}\r\nsandbox,Open,a,b,today\r\n`, /since must match format/],
    ['an item without a required field', `${HEADER}\r\nsandbox,Open,a,,\r\n`, /stopped must have required/],
    ['lines without a carriage return', `${HEADER}\n`, /./],
    ['a last line without an end', HEADER, /the last line has no end/],
  ])('CSV with %s does not', async (_what, text, why) => {
    await expect(listing(text)).rejects.toThrow(why);
  });

  it('paths that are not described are ignored', async () => {
    const reply = { status: 404, headers: new Headers(), text: '{}' };
    await expect(checkContract('GET', '/v1/nothing', reply)).resolves.toBeUndefined();
  });
});
