import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newEventId, type NewEvent } from '@tillstream/event-store';
import {
  requireAnswered,
  requireAnsweredToken,
  requireOperationId,
  PaymentsTestSetup,
} from '../testing/payments.setup.js';

/** As a newer version writes it. */
const foreseen = (): NewEvent => ({
  id: newEventId(),
  type: 'Foreseen',
  data: {},
  metadata: { schemaVersion: 1, hash: '0'.repeat(64) },
});

let stage: PaymentsTestSetup;
beforeEach(async () => {
  stage = await PaymentsTestSetup.open();
});
afterEach(() => stage.close());

async function writeForeseen(stream: string): Promise<void> {
  const { events } = await stage.memory.readStream(stream, { direction: 'backwards', limit: 1 });
  await stage.memory.append({ stream, expected: events[0]?.revision ?? 'none', events: [foreseen()] });
}

/** Right before the append of the outcome: the processor has answered. */
function foreseenBeforeOutcome(): void {
  stage.store.inject({ kind: 'Delay', ms: 0 });
  stage.store.inject(
    { kind: 'Delay', ms: 0 },
    { before: () => writeForeseen(stage.store.appends.at(-1)?.stream ?? '') },
  );
}

describe('Where a newer version writes into the stream of an operation', () => {
  it('a sale that was charged is not said to be refused: its outcome is unknown, and its id is told', async () => {
    foreseenBeforeOutcome();
    const result = await stage.sale(1_000);
    expect(stage.chargedTotal()).toBe(1_000);
    expect(result).toEqual({ kind: 'Interrupted', operationId: expect.stringMatching(/^trx_/) as unknown });
    expect(await stage.eventTypes(requireOperationId(result))).toEqual([
      'SaleRequested',
      'TryRequested',
      'Foreseen',
    ]);
  });

  it('nor is the check of a card that its issuer approved', async () => {
    foreseenBeforeOutcome();
    expect(await stage.storeCard()).toMatchObject({ kind: 'Interrupted' });
  });

  it('what would follow it is certainly not stored', async () => {
    const { operation, payment } = requireAnswered(await stage.sale(1_000));
    await writeForeseen(stage.store.appends.at(-1)?.stream ?? '');
    const refund = { originalTransactionId: operation.id, amount: 400 };
    expect(await stage.useCases.payments.refund(stage.context(), refund)).toEqual({ kind: 'NotStored' });
    expect([stage.chargedTotal(), payment.operations.length]).toEqual([1_000, 1]);
  });

  it('a repeat under a key whose operation can not be read is told its id', async () => {
    const { idempotency, physicalSale } = stage.useCases.payments;
    const start = await idempotency.start(stage.merchant.id, 'k', 'f');
    if (start.kind !== 'New') throw new Error('a new key is new');
    const { operation } = requireAnswered(await physicalSale(stage.context(start.ticket), { amount: 1_000 }));
    await writeForeseen(stage.store.appends.at(-1)?.stream ?? '');
    const again = await idempotency.start(stage.merchant.id, 'k', 'f');
    expect(again).toEqual({ kind: 'Unseen', operationId: operation.id });
  });
});

describe('Requests on stored cards', () => {
  it('one that repeats a reference is not said to have stored nothing: no claim tells of an earlier one', async () => {
    const request = { referenceId: 'card-7' };
    const { token } = requireAnsweredToken(await stage.storeCard(request));
    stage.store.inject({ kind: 'Unavailable' }, { times: 2 });
    expect(await stage.storeCard(request)).toEqual({ kind: 'Uncertain' });
    const { storedCards } = stage.useCases;
    const change = { description: 'blue', ...request };
    expect(await storedCards.update(stage.context(), token.id, change)).toEqual({ kind: 'Uncertain' });
  });

  it('one without a reference was certainly not stored', async () => {
    stage.store.inject({ kind: 'Unavailable' });
    expect(await stage.storeCard()).toEqual({ kind: 'NotStored' });
  });
});
