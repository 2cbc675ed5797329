import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  foldPayment,
  movedAmount,
  paymentCodec,
  streamOfOperation,
  type PaymentState,
} from '@tillstream/domain';
import { MemoryEventStore, readWholeStream, type EventStore } from '@tillstream/event-store';
import { sandboxRecords } from '@tillstream/processors';
import { dailyLines, type DailyRow } from '@tillstream/sandbox';
import { fromRecorded } from '../stream-repository/event-metadata.js';
import { PaymentsTestSetup, requireOperationId } from '../testing/payments.setup.js';
import { isDifference, type ReconciliationFinding } from './reconciliation.types.js';
import { Reconciliation } from './reconciliation.js';

const ALL = { from: 0, to: Date.parse('2100-01-01') };
const anna = { type: 'Operator', name: 'Anna' } as const;

describe("the comparison of a processor's daily file with the history", () => {
  let setup: PaymentsTestSetup;
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open();
  });
  afterEach(() => setup.close());

  const rows = (): DailyRow[] => [...setup.sandbox.ledger.daily(ALL)];
  const compare = async (
    store: EventStore,
    { file = rows(), bringsIn = false }: { readonly file?: DailyRow[]; readonly bringsIn?: boolean } = {},
  ): Promise<ReconciliationFinding[]> => {
    const lines = async function* (): AsyncGenerator<string> {
      for (const line of dailyLines(ALL, file)) yield JSON.stringify(line);
    };
    const { clock, timings } = setup;
    const reconciliation = new Reconciliation({ store, clock, timings }, await sandboxRecords(lines()), {
      ...{ bringsIn, actor: anna, reason: 'restored', processor: 'sandbox' },
    });
    const findings: ReconciliationFinding[] = [];
    for await (const finding of reconciliation.findings()) findings.push(finding);
    return findings;
  };
  /** The store as it is now, as a copy of it would be restored. */
  const copyOfStore = async (): Promise<MemoryEventStore> => {
    const copy = new MemoryEventStore();
    for (const { stream, revision, id, type, data, metadata: recorded } of (await setup.memory.readAll())
      .events) {
      const { hash: _hash, ...metadata } = recorded;
      const expected = revision === 0 ? 'none' : revision - 1;
      await copy.append({ stream, expected, events: [{ id, type, data, metadata }] });
    }
    return copy;
  };
  const stateIn = async (store: EventStore, id: string): Promise<PaymentState> => {
    const events = await readWholeStream(store, streamOfOperation(id) ?? '');
    return foldPayment(events.map((event) => fromRecorded(paymentCodec, event)));
  };
  /** What counts for money, by operation. */
  const moneyIn = async (store: EventStore, id: string): Promise<unknown> => {
    const state = await stateIn(store, id);
    if (state.status === 'None') return 'nothing';
    return state.operations.map((operation) => {
      const { id: operationId, amount, attempt, accounts, originalId, progress } = operation;
      return {
        operationId,
        amount,
        moved: movedAmount(operation),
        try: attempt?.number,
        accounts,
        originalId,
        progress,
      };
    });
  };
  const capture = (originalTransactionId: string, amount?: number) =>
    setup.useCases.payments.capture(setup.context(), { originalTransactionId, ...(amount && { amount }) });
  const refund = (originalTransactionId: string, amount: number) =>
    setup.useCases.payments.refund(setup.context(), { originalTransactionId, amount });
  const voidIt = (originalTransactionId: string, amount: number) =>
    setup.useCases.payments.void(setup.context(), { originalTransactionId, amount });
  const eventsIn = async (store: EventStore): Promise<number> => (await store.readAll()).events.length;

  it('finds no difference where nothing is lost', async () => {
    const id = requireOperationId(await setup.sale(5_000));
    await voidIt(id, 1_000);
    await capture(requireOperationId(await setup.auth(3_000)), 2_000);
    await setup.sale(900_051);
    await setup.tokenSale(await setup.storedCard(), 700);
    expect(rows().length).toBe(7);
    expect(await compare(setup.memory)).toEqual([]);
  });

  describe('after an older copy was restored', () => {
    let copy: MemoryEventStore;
    let [sold, held, later, declined] = ['', '', '', ''];
    let lost: string[] = [];
    beforeEach(async () => {
      sold = requireOperationId(await setup.sale(5_000));
      held = requireOperationId(await setup.auth(3_000));
      copy = await copyOfStore();
      const before = new Set(rows().map(({ key }) => key));
      later = requireOperationId(await setup.sale(1_200));
      await refund(later, 200);
      await voidIt(sold, 700);
      await refund(sold, 300);
      await capture(held, 2_500);
      declined = requireOperationId(await setup.sale(900_051));
      await setup.tokenSale(await setup.storedCard(), 700);
      lost = rows()
        .map(({ key }) => key)
        .filter((key) => !before.has(key));
    });

    it('lists exactly what the copy does not have', async () => {
      const findings = await compare(copy);
      expect(findings.map(({ key }) => key).sort()).toEqual([...lost].sort());
      expect(findings.filter(({ kind }) => kind === 'CardLost')).toHaveLength(1);
      expect(findings.filter(({ kind }) => kind === 'MissingInHistory')).toHaveLength(lost.length - 1);
      expect(findings.every(isDifference)).toBe(true);
      expect(findings.find(({ key }) => key === `${later}.1`)).toMatchObject({
        operation: 'Sale',
        amount: 1_200,
        processor: { outcome: 'approved', amount: 1_200 },
      });
    });

    it('brings it in with the same money, and charges nothing', async () => {
      const charged = setup.chargedTotal();
      const findings = await compare(copy, { bringsIn: true });
      expect(findings.filter(({ broughtIn }) => broughtIn === 'Written')).toHaveLength(lost.length - 1);
      for (const id of [later, held, declined]) {
        expect(await moneyIn(copy, id)).toEqual(await moneyIn(setup.memory, id));
      }
      const [ofCopy, ofHistory] = await Promise.all(
        [copy, setup.memory].map((store) => stateIn(store, sold)),
      );
      const moved = (state: PaymentState | undefined) =>
        state?.status === 'Opened' ? state.operations.map((one) => [one.id, movedAmount(one)]) : [];
      expect(moved(ofCopy)).toEqual(moved(ofHistory));
      expect(setup.chargedTotal()).toBe(charged);
    });

    it('records who brought it in, and why', async () => {
      await compare(copy, { bringsIn: true });
      const [request] = await readWholeStream(copy, streamOfOperation(later) ?? '');
      expect(request?.metadata).toMatchObject({ actor: anna, reason: 'restored', causationId: `${later}.1` });
      expect(request?.data).toMatchObject({
        paymentMethod: { id: setup.terminal.id },
        merchantId: setup.merchant.id,
      });
    });

    it('writes nothing when it is repeated', async () => {
      await compare(copy, { bringsIn: true });
      const events = await eventsIn(copy);
      const again = await compare(copy, { bringsIn: true });
      expect(again.map(({ kind }) => kind)).toEqual(['CardLost']);
      expect(await eventsIn(copy)).toBe(events);
    });

    it('refuses payments of a merchant that the copy does not have', async () => {
      const findings = await compare(new MemoryEventStore(), { bringsIn: true });
      const refused = findings.filter(({ kind }) => kind === 'MissingInHistory');
      expect(refused.map(({ broughtIn }) => broughtIn)).toEqual(refused.map(() => 'Refused'));
      expect(refused[0]?.refusal).toContain(setup.merchant.id);
    });
  });

  it('lists what the history has and the file has not', async () => {
    const id = requireOperationId(await setup.sale(5_000));
    const kept = requireOperationId(await setup.sale(6_000));
    const file = rows().filter(({ key }) => key !== `${id}.1`);
    expect(file.map(({ key }) => key)).toEqual([`${kept}.1`]);
    expect(await compare(setup.memory, { file })).toMatchObject([
      { kind: 'MissingAtProcessor', key: `${id}.1`, operation: 'Sale', history: { amount: 5_000 } },
    ]);
  });

  it('lists amounts that differ', async () => {
    const id = requireOperationId(await setup.sale(5_000));
    const file = rows().map((row) =>
      row.kind === 'Operation' ? { ...row, answer: { ...row.answer, approvedAmount: 4_999 } } : row,
    );
    const findings = await compare(setup.memory, { file, bringsIn: true });
    expect(findings).toMatchObject([
      { kind: 'Differs', key: `${id}.1`, history: { amount: 5_000 }, processor: { amount: 4_999 } },
    ]);
    expect(findings.every(isDifference)).toBe(true);
  });

  it('records the outcome of an attempt that has none, which is no difference', async () => {
    setup.processor.inject('sale', 'NoAnswerAfter');
    const id = requireOperationId(await setup.sale(5_000));
    const findings = await compare(setup.memory, { bringsIn: true });
    expect(findings).toMatchObject([{ kind: 'NoOutcome', key: `${id}.1` }]);
    expect(findings.some(isDifference)).toBe(false);
    expect((await setup.operation(id)).progress).toEqual({ status: 'Approved', amount: 5_000 });
    expect(await compare(setup.memory)).toEqual([]);
  });

  it('refuses a file with a key twice, or in another order', async () => {
    await setup.sale(5_000);
    await setup.sale(6_000);
    const file = rows();
    await expect(compare(setup.memory, { file: [...file, ...file.slice(-1)] })).rejects.toThrow('twice');
    await expect(compare(setup.memory, { file: file.toReversed() })).rejects.toThrow('order');
  });
});
