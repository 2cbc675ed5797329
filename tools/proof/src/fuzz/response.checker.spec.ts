import fc from 'fast-check';
import { RandomGenerator } from './random.generator.js';
import { ComplaintList } from './fuzz.trial.js';
import { differs, responseErrors, type CheckResult } from './response.checker.js';
import type { HttpResponse } from './fuzz.request.js';
import { jsonText, RawJson } from './hostile.values.js';
import { changes } from './service.watch.js';
import { parseResponses } from './http.sender.js';

const TRACE = '0123456789abcdef0123456789abcdef';
const ENVELOPE = {
  code: 2000,
  status: 'Rejected',
  message: 'x is not a field of this request.',
  traceId: TRACE,
  timestamp: '2026-08-03T14:05:09.120Z',
  errorDetails: [{ code: 2000, field: 'x', message: 'no' }],
};

function answer(status: number, body: object, headers: Record<string, string> = {}): HttpResponse {
  const masked = {
    'content-type': 'application/json; charset=utf-8',
    'x-trace-id': TRACE,
    'x-api-version': '2026.08.03',
    ...headers,
  };
  return { status, headers: masked, text: JSON.stringify(body), ms: 5 };
}

const checked = (response: CheckResult['response'], more: Partial<CheckResult> = {}): string[] =>
  responseErrors({
    method: 'POST',
    path: '/v1/x',
    expected: 'Refused',
    response,
    hidden: [],
    slowestMs: 1_000,
    ...more,
  });

describe('An answer to a request that must be refused', () => {
  it('is an envelope that fits its status', () => {
    expect(checked(answer(400, ENVELOPE))).toEqual([]);
    expect(checked(answer(404, { ...ENVELOPE, code: 4001 }))).toEqual([]);
  });

  it.each<[string, CheckResult['response']]>([
    ['no answer at all', { status: 0, why: 'ECONNRESET', ms: 1 }],
    ['a success', answer(200, {})],
    ['an error of the service', answer(500, { ...ENVELOPE, code: 9000 })],
    ['a code of another status', answer(401, ENVELOPE)],
    ['a status that no answer has', answer(422, ENVELOPE)],
    ['an unknown outcome', answer(400, { ...ENVELOPE, status: 'Interrupted' })],
    ['a field too many', answer(400, { ...ENVELOPE, stack: 'at …' })],
    ['a field too few', answer(400, { ...ENVELOPE, message: undefined })],
    ['a malformed detail', answer(400, { ...ENVELOPE, errorDetails: [{ message: 'no' }] })],
    ['a time without milliseconds', answer(400, { ...ENVELOPE, timestamp: '2026-08-03T14:05:09Z' })],
    ['another trace id', answer(400, { ...ENVELOPE, traceId: 'f'.repeat(32) })],
    ['a missing trace header', answer(400, ENVELOPE, { 'x-trace-id': '' })],
    ['a page', answer(400, ENVELOPE, { 'content-type': 'text/html' })],
    ['no JSON', { ...answer(400, ENVELOPE), text: '<h1>Bad Request</h1>' }],
    ['a late one', { ...answer(400, ENVELOPE), ms: 2_000 }],
  ])('is not %s', (_name, response) => {
    expect(checked(response).length).toBeGreaterThan(0);
  });

  it('says no secret, in its headers neither', () => {
    const hidden = ['4242424242424242'];
    expect(checked(answer(400, { ...ENVELOPE, message: 'got 4242424242424242' }), { hidden })).toHaveLength(
      1,
    );
    expect(checked(answer(400, ENVELOPE, { 'x-echo': '4242424242424242' }), { hidden })).toHaveLength(1);
  });
});

describe('A list', () => {
  const csv = (text: string, type = 'text/csv; charset=utf-8; header=present'): HttpResponse => ({
    ...answer(200, {}, { 'content-type': type }),
    text,
  });
  const read = (response: HttpResponse, acceptsCsv: boolean): string[] =>
    checked(response, { method: 'GET', expected: 'Read', acceptsCsv });

  it('is CSV with a line of field names if the client accepts CSV', () => {
    expect(read(csv('id,amount.value\r\n1,2\r\n'), true)).toEqual([]);
    expect(read(answer(200, {}), true)).toEqual([]);
  });

  it.each<[string, string[]]>([
    ['CSV for a client that does not accept it', read(csv('id\r\n'), false)],
    ['CSV without a line of field names', read(csv(''), true)],
    ['CSV of another type', read(csv('id\r\n', 'text/csv'), true)],
    ['JSON with the type of CSV', read(csv('{"data":[]}'), true)],
  ])('is not %s', (_name, wrong) => {
    expect(wrong.length).toBeGreaterThan(0);
  });
});

it('the id of another merchant and an unknown id differ only if more than the id differs', () => {
  const of = (id: string, message: string): HttpResponse =>
    answer(404, { ...ENVELOPE, code: 4000, message: `${id} ${message}` });
  const same = [['trx_1', 'trx_2']] as const;
  expect(differs(of('trx_1', 'is unknown'), of('trx_2', 'is unknown'), same)).toBe(false);
  expect(differs(of('trx_1', 'is not yours'), of('trx_2', 'is unknown'), same)).toBe(true);
  expect(differs(of('trx_1', 'x'), { ...of('trx_2', 'x'), status: 401 }, same)).toBe(true);
});

it('a row more in any table is a change', () => {
  expect(changes({ events: 3, keys: 1 }, { events: 3, keys: 1 })).toEqual([]);
  expect(changes({ events: 3, keys: 1 }, { events: 3, keys: 2 })).toEqual(['keys from 1 to 2']);
});

it('answers on one connection are cut by their lengths, and what is no HTTP is said to be none', () => {
  const one = 'HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}';
  const all = parseResponses(Buffer.from(`HTTP/1.1 100 Continue\r\n\r\n${one}${one}junk`), 1);
  expect(all.map(({ status }) => status)).toEqual([400, 400, 0]);
});

it('a kind of complaint is listed once, with its shortest example', () => {
  const complaints = new ComplaintList();
  for (const example of ['long example', 'short', 'longer example']) complaints.add('500', example);
  expect(complaints.texts).toEqual(['500 (3 times), as in\n      short']);
});

it('a seed and a number give the same case again, independent of earlier cases', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat({ max: 100_000 }), (seed, index) => {
      const draw = (): string => RandomGenerator.of(seed, index).text('abcdef', 20);
      expect(draw()).toBe(draw());
      expect(RandomGenerator.of(seed, index).below(7)).toBeLessThan(7);
    }),
  );
});

it('bodies are written as JSON, but for what is meant to be none', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(jsonText(value)).toBe(JSON.stringify(value));
    }),
  );
  expect(jsonText({ a: new RawJson('1e309') }, { name: 'a', value: 1 })).toBe('{"a":1e309,"a":1}');
});
