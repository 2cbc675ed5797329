import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newEventId, type NewEvent } from '@tillstream/event-store';
import {
  requireAnswered,
  requireAnsweredToken,
  requireOperationId,
  PaymentsTestSetup,
} from '../testing/payments.setup.js';

/** An event of a newer version of the service. */
const newerEvent = (): NewEvent => ({
  id: newEventId(),
  type: 'NewerEvent',
  data: {},
  metadata: { schemaVersion: 1, hash: '0'.repeat(64) },
});

let setup: PaymentsTestSetup;
beforeEach(async () => {
  setup = await PaymentsTestSetup.open();
});
afterEach(() => setup.close());

async function writeNewerEvent(stream: string): Promise<void> {
  const { events } = await setup.memory.readStream(stream, { direction: 'backwards', limit: 1 });
  await setup.memory.append({ stream, expected: events[0]?.revision ?? 'none', events: [newerEvent()] });
}

/** Writes the event right before the append of the outcome. */
function writeNewerEventBeforeOutcome(): void {
  setup.store.inject({ kind: 'Delay', ms: 0 });
  setup.store.inject(
    { kind: 'Delay', ms: 0 },
    { before: () => writeNewerEvent(setup.store.appends.at(-1)?.stream ?? '') },
  );
}

describe('an event of a newer version in the stream of an operation', () => {
  it('makes the outcome of a charged sale unknown, and the result has its id', async () => {
    writeNewerEventBeforeOutcome();
    const result = await setup.sale(1_000);
    expect(setup.chargedTotal()).toBe(1_000);
    expect(result).toEqual({ kind: 'Interrupted', operationId: expect.stringMatching(/^trx_/) as unknown });
    expect(await setup.eventTypes(requireOperationId(result))).toEqual([
      'SaleRequested',
      'TryRequested',
      'NewerEvent',
    ]);
  });

  it('makes the outcome of an approved card verification unknown', async () => {
    writeNewerEventBeforeOutcome();
    expect(await setup.storeCard()).toMatchObject({ kind: 'Interrupted' });
  });

  it('keeps a later refund from being stored', async () => {
    const { operation, payment } = requireAnswered(await setup.sale(1_000));
    await writeNewerEvent(setup.store.appends.at(-1)?.stream ?? '');
    const refund = { originalTransactionId: operation.id, amount: 400 };
    expect(await setup.useCases.payments.refund(setup.context(), refund)).toEqual({ kind: 'NotStored' });
    expect([setup.chargedTotal(), payment.operations.length]).toEqual([1_000, 1]);
  });

  it('lets a repeat under an idempotency key get the operation id', async () => {
    const { idempotency, physicalSale } = setup.useCases.payments;
    const start = await idempotency.start(setup.merchant.id, 'k', 'f');
    if (start.kind !== 'New') throw new Error('the key is already in use');
    const { operation } = requireAnswered(await physicalSale(setup.context(start.ticket), { amount: 1_000 }));
    await writeNewerEvent(setup.store.appends.at(-1)?.stream ?? '');
    const again = await idempotency.start(setup.merchant.id, 'k', 'f');
    expect(again).toEqual({ kind: 'Unseen', operationId: operation.id });
  });
});

describe('requests on stored cards', () => {
  it('with a reference are Uncertain after a failure, because no claim shows an earlier request', async () => {
    const request = { referenceId: 'card-7' };
    const { token } = requireAnsweredToken(await setup.storeCard(request));
    setup.store.inject({ kind: 'Unavailable' }, { times: 2 });
    expect(await setup.storeCard(request)).toEqual({ kind: 'Uncertain' });
    const { storedCards } = setup.useCases;
    const change = { description: 'blue', ...request };
    expect(await storedCards.update(setup.context(), token.id, change)).toEqual({ kind: 'Uncertain' });
  });

  it('without a reference are NotStored after a failure', async () => {
    setup.store.inject({ kind: 'Unavailable' });
    expect(await setup.storeCard()).toEqual({ kind: 'NotStored' });
  });
});
