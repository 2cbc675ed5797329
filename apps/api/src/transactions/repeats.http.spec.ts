import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  startEventStoreDbDouble,
  type EventStoreDbDouble,
} from '@tillstream/event-store-testing/eventstoredb';
import { refusal, resultOf, startTestApi, type Reply, type TestApi } from '../testing/test.api.js';

/** What is believed of a key without looking it up again. */
const BELIEVED_MS = 2_000;
const SALE = { amount: 1_000 };

describe('While the event store can not be read', () => {
  let server: EventStoreDbDouble;
  let api: TestApi;
  const sale = (body: object, key?: string) =>
    api.operation('physical-sale', body, key === undefined ? {} : { headers: { 'idempotency-key': key } });

  beforeAll(async () => {
    server = await startEventStoreDbDouble();
    api = await startTestApi({
      EVENT_STORE: 'eventstoredb',
      EVENTSTOREDB_URL: server.url,
      EVENTSTOREDB_DEADLINE_MS: '300',
    });
    resultOf(await sale(SALE, 'answered'));
    resultOf(await sale({ ...SALE, referenceId: 'order-1' }));
    server.inject({ kind: 'NotReady' }, { call: ['read', 'batchAppend', 'append'], times: 1_000_000 });
  });
  afterAll(async () => {
    server.clearFaults();
    await api.stop();
    await server.close();
  });

  describe('and the caller’s key is still believed', () => {
    let answered: Reply;
    let first: readonly Reply[];
    let withReference: Reply;

    /** All at once: one after the other may take longer than the key is believed. */
    beforeAll(async () => {
      const reference = { ...SALE, referenceId: 'order-1' };
      const sent = [sale(SALE, 'answered'), sale(reference), sale(SALE, 'new'), sale(SALE)] as const;
      [answered, withReference, ...first] = await Promise.all(sent);
    });

    it('a repeat whose answer was kept is answered as before', () => {
      expect([answered.status, answered.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    });

    it('a first request was not stored, and says so', () => {
      expect(first.map(refusal)).toEqual(['500 9000 Rejected', '500 9000 Rejected']);
    });

    it('a request whose reference can not be looked up may be a repeat', () => {
      expect(refusal(withReference)).toBe('500 3000 Interrupted');
    });
  });

  describe('and neither can the caller’s key', () => {
    beforeAll(() => new Promise((resume) => setTimeout(resume, BELIEVED_MS + 100)));

    it('a request under an Idempotency-Key is no word on an earlier one', async () => {
      expect(refusal(await sale(SALE, 'answered'))).toBe('500 3000 Interrupted');
    });

    it('nor is one with a reference', async () => {
      expect(refusal(await sale({ ...SALE, referenceId: 'order-1' }))).toBe('500 3000 Interrupted');
    });

    it('a request without either was not stored, and says so', async () => {
      expect(refusal(await sale(SALE))).toBe('500 9000 Rejected');
    });
  });
});

describe('While the event store is started again and the first request still waits for it', () => {
  let server: EventStoreDbDouble;
  let api: TestApi;
  beforeAll(async () => {
    server = await startEventStoreDbDouble();
    api = await startTestApi({
      EVENT_STORE: 'eventstoredb',
      EVENTSTOREDB_URL: server.url,
      EVENTSTOREDB_DEADLINE_MS: '400',
    });
  });
  afterAll(async () => {
    await api.stop();
    await server.close();
  });

  /** The claim of the first one gets no answer and is sent again; that of the next one is refused at once. */
  async function bothAsked(first: () => Promise<Reply>, next: () => Promise<Reply>): Promise<[Reply, Reply]> {
    const claims = { call: 'batchAppend', stream: /^reference-/ } as const;
    server.inject({ kind: 'Silence' }, claims);
    server.inject({ kind: 'NotReady' }, claims);
    const before = server.calls.length;
    const answer = first();
    while (!server.calls.slice(before).some(({ stream }) => /^reference-/.test(stream ?? '')))
      await new Promise((resume) => setTimeout(resume, 5));
    return Promise.all([answer, next()]);
  }
  const sale = (body: object, key?: string) => () =>
    api.operation('physical-sale', body, key === undefined ? {} : { headers: { 'idempotency-key': key } });

  it('a repeat under its key gets the response of the first, or the error that it still runs', async () => {
    const body = { ...SALE, referenceId: 'order-8' };
    const [first, repeat] = await bothAsked(sale(body, 'k-8'), sale(body, 'k-8'));
    const { id } = resultOf(first);
    expect([id, '409 3401 Rejected']).toContain(
      repeat.status === 200 ? resultOf(repeat).id : refusal(repeat),
    );
    expect(resultOf(await sale(body, 'k-8')()).id).toBe(id);
  });

  it('a repeat by its reference does not get Rejected: the client has to look the outcome up', async () => {
    const body = { ...SALE, referenceId: 'order-9' };
    const [first, repeat] = await bothAsked(sale(body), sale(body));
    expect([first.status, refusal(repeat)]).toEqual([200, '500 3000 Interrupted']);
  });

  it('another request under its key gets the error that the key is taken', async () => {
    const body = { ...SALE, referenceId: 'order-10' };
    const other = { ...body, amount: 2_000 };
    const [first, next] = await bothAsked(sale(body, 'k-10'), sale(other, 'k-10'));
    expect([first.status, refusal(next)]).toEqual([200, '400 2000 Rejected Idempotency-Key']);
  });
});
