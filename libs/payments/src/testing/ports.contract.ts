import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventStore, HistoryWitness, Position } from '@tillstream/event-store';
import type { IdempotencyStore } from '../idempotency/idempotency.port.js';
import type { WorkQueue, WorkItem } from '../work-queue/work-queue.port.js';
import { append, record, work } from './port-samples.js';

export interface PortsUnderTest {
  readonly store: EventStore;
  readonly idempotency: IdempotencyStore;
  readonly workQueue: WorkQueue;
  close(): Promise<void>;
}

/** The contract of every adapter of `IdempotencyStore` and `WorkQueue`. */
export function portsContract(name: string, open: () => Promise<PortsUnderTest>): void {
  let ports: PortsUnderTest;
  beforeEach(async () => {
    ports = await open();
  });
  afterEach(() => ports.close());

  describe(`idempotency keys in ${name}`, () => {
    it('reserves a key and appends its request in one step', async () => {
      const reserved = await ports.idempotency.reserve(record('k1', 'c1'), append('payment-A'));
      expect(reserved).toMatchObject({ kind: 'Reserved', result: { kind: 'Appended', revision: 0 } });
      expect(await ports.idempotency.find('mer_1', 'k1')).toEqual(record('k1', 'c1'));
      expect((await ports.store.readStream('payment-A')).events).toHaveLength(1);
    });

    it('appends nothing if the key is taken', async () => {
      await ports.idempotency.reserve(record('k1', 'c1'), append('payment-A'));
      expect(await ports.idempotency.reserve(record('k1', 'c2'), append('payment-B'))).toEqual({
        kind: 'Taken',
      });
      expect((await ports.store.readStream('payment-B')).events).toHaveLength(0);
    });

    it('accepts one of twenty concurrent reservations', async () => {
      const racing = Array.from({ length: 20 }, (_, index) =>
        ports.idempotency.reserve(record('k1', `c${index}`), append(`payment-${index}`)),
      );
      const kinds = (await Promise.all(racing)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'Reserved')).toHaveLength(1);
    });

    it('accepts the same reservation again, and appends nothing twice', async () => {
      const request = append('payment-A');
      await ports.idempotency.reserve(record('k1', 'c1'), request);
      const again = await ports.idempotency.reserve(record('k1', 'c1'), request);
      expect(again).toMatchObject({ kind: 'Reserved', result: { kind: 'Appended', revision: 0 } });
      expect((await ports.store.readStream('payment-A')).events).toHaveLength(1);
    });

    it('frees the key if the request conflicts', async () => {
      await ports.store.append(append('payment-A'));
      const reserved = await ports.idempotency.reserve(record('k1', 'c1'), append('payment-A'));
      expect(reserved).toMatchObject({ kind: 'Reserved', result: { kind: 'Conflict', actual: 0 } });
      expect(await ports.idempotency.find('mer_1', 'k1')).toBeUndefined();
    });

    it('stores the first response of the command that reserved the key, byte for byte', async () => {
      await ports.idempotency.reserve(record('k1', 'c1'), append('payment-A'));
      await ports.idempotency.storeResponse('mer_1', 'k1', 'other', Uint8Array.of(9));
      await ports.idempotency.storeResponse('mer_1', 'k1', 'c1', Uint8Array.of(0, 1, 255));
      await ports.idempotency.storeResponse('mer_1', 'k1', 'c1', Uint8Array.of(7));
      const kept = (await ports.idempotency.find('mer_1', 'k1'))?.response ?? [];
      expect([...kept]).toEqual([0, 1, 255]);
    });

    it('keeps the keys of merchants apart', async () => {
      await ports.idempotency.reserve(record('k1', 'c1'), append('payment-A'));
      expect(await ports.idempotency.find('mer_2', 'k1')).toBeUndefined();
    });

    it('reserves for what appends nothing, and frees the key of what was refused', async () => {
      expect(await ports.idempotency.reserveAlone(record('k1', 'c1'))).toBe(true);
      expect(await ports.idempotency.reserveAlone(record('k1', 'c2'))).toBe(false);
      await ports.idempotency.release('mer_1', 'k1', 'c2');
      expect(await ports.idempotency.find('mer_1', 'k1')).toBeDefined();
      await ports.idempotency.release('mer_1', 'k1', 'c1');
      expect(await ports.idempotency.reserveAlone(record('k1', 'c2'))).toBe(true);
    });

    it('lets a named expired record be replaced', async () => {
      await ports.idempotency.reserve(record('k1', 'c1'), append('payment-A'));
      const reserved = await ports.idempotency.reserve(record('k1', 'c2'), append('payment-B'), 'c1');
      expect(reserved.kind).toBe('Reserved');
      expect((await ports.idempotency.find('mer_1', 'k1'))?.commandId).toBe('c2');
    });

    it('lists old keys with a response, in pages', async () => {
      const answer = Uint8Array.of(1);
      for (const [key, reservedAt] of [
        ['a', 1_000],
        ['b', 1_000],
        ['open', 1_000],
        ['young', 3_000],
      ] as const) {
        await ports.idempotency.reserve(record(key, `c-${key}`, reservedAt), append(`payment-${key}`));
        if (key !== 'open') await ports.idempotency.storeResponse('mer_1', key, `c-${key}`, answer);
      }
      const [first, ...none] = await ports.idempotency.listWithResponse(2_000, undefined, 1);
      expect(first).toMatchObject(record('a', 'c-a'));
      expect(none).toEqual([]);
      const rest = await ports.idempotency.listWithResponse(2_000, first, 10);
      expect(rest.map(({ key }) => key)).toEqual(['b']);
    });
  });

  describe(`the work queue in ${name}`, () => {
    const at = (position: number): Position => String(position) as Position;
    const last = (number: number): HistoryWitness => ({
      stream: 'payment-1',
      revision: number,
      position: at(number),
    });
    const put = (...works: WorkItem[]): Promise<boolean> =>
      ports.workQueue.advance(
        works.map((one) => ({ kind: 'Put', work: one })),
        undefined,
        last(1),
      );

    it('stores changes and checkpoint together, if the checkpoint is the one that was read', async () => {
      expect(await ports.workQueue.checkpoint()).toBeUndefined();
      expect(await put(work('Outcome:1', 10))).toBe(true);
      expect(await put(work('Outcome:2', 10))).toBe(false);
      expect(await ports.workQueue.advance([{ kind: 'Remove', id: 'Outcome:1' }], at(1), last(2))).toBe(true);
      expect(await ports.workQueue.advance([], at(1), last(3))).toBe(false);
      expect((await ports.workQueue.checkpoint())?.position).toBe(at(2));
      expect(await ports.workQueue.find('Outcome:1')).toBeUndefined();
      expect(await ports.workQueue.find('Outcome:2')).toBeUndefined();
    });

    it('has the last event that was fed as its checkpoint', async () => {
      const checkpoint = (number: number) => ({ position: at(number), witness: last(number) });
      expect(await ports.workQueue.checkpoint()).toBeUndefined();
      await ports.workQueue.advance([], undefined, last(1));
      expect(await ports.workQueue.checkpoint()).toEqual(checkpoint(1));
      await ports.workQueue.advance([], at(1), last(3));
      expect(await ports.workQueue.advance([], at(1), last(9))).toBe(false);
      expect(await ports.workQueue.checkpoint()).toEqual(checkpoint(3));
    });

    it('is empty after a reset, and can be fed from the first event', async () => {
      const found = { kind: 'Count', what: 'LateApproval', by: 1 } as const;
      await ports.workQueue.advance(
        [{ kind: 'Put', work: work('Outcome:1', 10) }, found],
        undefined,
        last(9),
      );
      await ports.workQueue.reset();
      expect(await ports.workQueue.checkpoint()).toBeUndefined();
      expect(await ports.workQueue.find('Outcome:1')).toBeUndefined();
      expect(await ports.workQueue.countOf('LateApproval')).toBe(0);
      expect(await ports.workQueue.advance([], at(9), last(10))).toBe(false);
      expect(await put(work('Outcome:2', 10))).toBe(true);
      expect(await ports.workQueue.find('Outcome:2')).toBeDefined();
    });

    it('claims what is due by its own clock, the longest due first', async () => {
      await put(
        work('Expiry:1', 30, 'Service'),
        work('Outcome:2', 20),
        work('Outcome:3', 99),
        work('Expiry:4', 99, 'Service'),
      );
      const due = await ports.workQueue.claimDue({ service: 50, real: 25 }, 10, 1_000);
      expect(due.map(({ id }) => id)).toEqual(['Outcome:2', 'Expiry:1']);
      expect(due[0]).toEqual(work('Outcome:2', 20));
    });

    it('does not give out a claimed item before its claim ends', async () => {
      await put(work('Outcome:1', 10));
      expect(await ports.workQueue.claimDue({ service: 0, real: 20 }, 10, 1_000)).toHaveLength(1);
      expect(await ports.workQueue.claimDue({ service: 0, real: 21 }, 10, 1_000)).toHaveLength(0);
      expect(await ports.workQueue.countDue({ service: 0, real: 21 })).toBe(1);
      expect(await ports.workQueue.claimDue({ service: 0, real: 1_020 }, 10, 1_000)).toHaveLength(1);
    });

    it('reschedules an item and ends its claim', async () => {
      await put(work('Outcome:1', 10));
      await ports.workQueue.claimDue({ service: 0, real: 20 }, 10, 1_000);
      await ports.workQueue.reschedule('Outcome:1', { clock: 'Service', dueAt: 40, step: 1 });
      expect(await ports.workQueue.claimDue({ service: 39, real: 100 }, 10, 1_000)).toHaveLength(0);
      expect(await ports.workQueue.claimDue({ service: 40, real: 100 }, 10, 1_000)).toMatchObject([
        { step: 1 },
      ]);
    });

    it('does not give out an item that waits for an operator', async () => {
      await put(work('Outcome:1', 10));
      await ports.workQueue.reschedule('Outcome:1', { clock: 'Service', dueAt: null, step: 9 });
      expect(await ports.workQueue.claimDue({ service: 1e15, real: 1e15 }, 10, 1_000)).toHaveLength(0);
      expect(await ports.workQueue.list('Outcome', undefined, 10)).toMatchObject([{ dueAt: null }]);
    });

    it('lists a kind in pages', async () => {
      await put(work('Outcome:1', 1), work('Outcome:2', 1), work('Expiry:3', 1), work('Outcome:4', 1));
      const first = await ports.workQueue.list('Outcome', undefined, 2);
      expect(first.map(({ id }) => id)).toEqual(['Outcome:1', 'Outcome:2']);
      expect((await ports.workQueue.list('Outcome', 'Outcome:2', 2)).map(({ id }) => id)).toEqual([
        'Outcome:4',
      ]);
    });

    it('claims an item by its id, due or not, until the claim ends', async () => {
      await put(work('Outcome:1', 99));
      expect(await ports.workQueue.claim('Outcome:1', 20, 1_000)).toEqual(work('Outcome:1', 99));
      expect(await ports.workQueue.claim('Outcome:1', 21, 1_000)).toBeUndefined();
      expect(await ports.workQueue.claimDue({ service: 0, real: 100 }, 10, 1_000)).toEqual([]);
      expect(await ports.workQueue.claim('Outcome:1', 1_020, 1_000)).toBeDefined();
      expect(await ports.workQueue.claim('Outcome:2', 20, 1_000)).toBeUndefined();
    });

    it('leaves out outcomes whose clients may still wait', async () => {
      await put(
        work('Outcome:1', 50),
        work('Outcome:2', 51),
        { ...work('Outcome:3', 999), interrupted: true },
        work('Outcome:4', 999, 'Service'),
        work('Expiry:5', 1),
      );
      await ports.workQueue.reschedule('Outcome:4', { clock: 'Service', dueAt: null, step: 9 });
      const unknown = await ports.workQueue.unknownOutcomes({ dueBy: 50, limit: 10 });
      expect(unknown.map(({ id }) => id)).toEqual(['Outcome:1', 'Outcome:3', 'Outcome:4']);
      expect(unknown[1]).toEqual({ ...work('Outcome:3', 999), interrupted: true });
    });

    it('lists a promised response after its last inquiry only', async () => {
      const givenUp = { ...work('Answer:3', 1, 'Service'), dueAt: null };
      await put(work('Outcome:1', 50), work('Answer:2', 1, 'Service'), givenUp, work('Outcome:4', 50));
      const query = { dueBy: 50, limit: 10, after: { since: 5, subject: 'trx_1' } } as const;
      const unknown = await ports.workQueue.unknownOutcomes(query);
      expect(unknown.map(({ id }) => id)).toEqual(['Answer:3', 'Outcome:4']);
      expect(await ports.workQueue.countUnknown(50, 10)).toMatchObject({ count: 3, givenUp: 1 });
    });

    it('removes an item only as it was claimed, and not if it was put again since then', async () => {
      const [first, again] = [work('Outcome:1', 10), { ...work('Outcome:1', 10), since: 6 }];
      await put(first);
      await ports.workQueue.advance([{ kind: 'Put', work: again }], at(1), last(2));
      await ports.workQueue.remove(first);
      expect(await ports.workQueue.find('Outcome:1')).toEqual(again);
      await ports.workQueue.remove(again);
      expect(await ports.workQueue.find('Outcome:1')).toBeUndefined();
    });

    it('lists unknown outcomes in pages, the oldest first, and by merchant', async () => {
      const since = (id: string, began: number, merchantId: string): WorkItem => ({
        ...work(id, 1),
        since: began,
        merchantId,
      });
      await put(
        since('Outcome:1', 30, 'mer_1'),
        since('Outcome:2', 20, 'mer_2'),
        since('Outcome:3', 20, 'mer_1'),
        since('Outcome:4', 10, 'mer_3'),
      );
      const ids = async (query: object): Promise<string[]> =>
        (await ports.workQueue.unknownOutcomes({ dueBy: 50, limit: 10, ...query })).map(({ id }) => id);
      expect(await ids({ limit: 2 })).toEqual(['Outcome:4', 'Outcome:2']);
      expect(await ids({ after: { since: 20, subject: 'trx_2' } })).toEqual(['Outcome:3', 'Outcome:1']);
      expect(await ids({ merchantIds: ['mer_1', 'mer_3'] })).toEqual(['Outcome:4', 'Outcome:3', 'Outcome:1']);
      expect(await ids({ merchantIds: [] })).toEqual([]);
    });

    it('counts unknown outcomes up to a limit, with the time of the oldest', async () => {
      expect(await ports.workQueue.countUnknown(50, 10)).toEqual({
        count: 0,
        oldestSince: undefined,
        givenUp: 0,
      });
      await put(
        { ...work('Outcome:1', 1), since: 7 },
        { ...work('Outcome:2', 1), since: 3 },
        work('Outcome:3', 99),
        { ...work('Outcome:4', 1), since: 9, interrupted: true, dueAt: null },
      );
      expect(await ports.workQueue.countUnknown(50, 10)).toEqual({ count: 3, oldestSince: 3, givenUp: 1 });
      expect(await ports.workQueue.countUnknown(50, 1)).toEqual({ count: 1, oldestSince: 3, givenUp: 0 });
    });

    it('adds counts together with the checkpoint', async () => {
      const found = { kind: 'Count', what: 'LateApproval', by: 2 } as const;
      expect(await ports.workQueue.countOf('LateApproval')).toBe(0);
      expect(await ports.workQueue.advance([found, found], undefined, last(1))).toBe(true);
      expect(await ports.workQueue.advance([found], undefined, last(2))).toBe(false);
      expect(await ports.workQueue.countOf('LateApproval')).toBe(4);
    });
  });
}
