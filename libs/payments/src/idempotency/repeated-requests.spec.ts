import { describe, expect, it } from '@jest/globals';
import type { IdempotencyTicket, OperationResult } from '../requests/request.types.js';
import type { TokenResult } from '../stored-cards/stored-card.types.js';
import { requireAnswered, requireAnsweredToken, PaymentsTestSetup } from '../testing/payments.setup.js';

type Result = OperationResult | TokenResult;
type Run = (stage: PaymentsTestSetup, ticket?: IdempotencyTicket) => Promise<Result>;

interface Scene {
  /** What has to be there before the store stands still. */
  prepare(stage: PaymentsTestSetup): Promise<Run>;
  /** Appends of the operation, its reference's claim included. */
  readonly appends: number;
}

const REFERENCE = { referenceId: 'order-7' };

const SCENES: Readonly<Record<string, Scene>> = {
  sale: {
    appends: 3,
    prepare: async () => (stage, ticket) =>
      stage.useCases.payments.physicalSale(stage.context(ticket), { amount: 1_000, ...REFERENCE }),
  },
  refund: {
    appends: 3,
    prepare: async (stage) => {
      const { operation } = requireAnswered(await stage.sale(1_000));
      const request = { originalTransactionId: operation.id, amount: 400, ...REFERENCE };
      return (_stage, ticket) => stage.useCases.payments.refund(stage.context(ticket), request);
    },
  },
  capture: {
    appends: 3,
    prepare: async (stage) => {
      const { operation } = requireAnswered(await stage.auth(1_000));
      const request = { originalTransactionId: operation.id, amount: 400, ...REFERENCE };
      return (_stage, ticket) => stage.useCases.payments.capture(stage.context(ticket), request);
    },
  },
  'token sale': {
    appends: 3,
    prepare: async (stage) => {
      const { token } = requireAnsweredToken(await stage.storeCard());
      const request = { amount: 1_000, paymentMethodId: token.id, ...REFERENCE };
      return (_stage, ticket) => stage.useCases.payments.tokenSale(stage.context(ticket), request);
    },
  },
  'check of a card': {
    appends: 2,
    prepare: async () => (stage, ticket) =>
      stage.useCases.storedCards.storeFromTerminal(stage.context(ticket), {}),
  },
  'removal of a card': {
    appends: 2,
    prepare: async (stage) => {
      const { token } = requireAnsweredToken(await stage.storeCard());
      return (_stage, ticket) => stage.useCases.storedCards.remove(stage.context(ticket), token.id);
    },
  },
};

/** What a client is told: its HTTP answer follows from it. */
type Word = 'Rejected' | 'Interrupted' | 'Running' | 'Answered';

/** A request under a key, as the API runs it. */
async function said(stage: PaymentsTestSetup, run: Run, key: string): Promise<Word> {
  const start = await stage.useCases.payments.idempotency.start(stage.merchant.id, key, 'same body');
  switch (start.kind) {
    case 'New':
      return wordOf(await run(stage, start.ticket));
    case 'FromHistory':
      return wordOf(start.result);
    case 'Unseen':
      return 'Interrupted';
    case 'Running':
      return 'Running';
    default:
      throw new Error(start.kind);
  }
}

function wordOf({ kind }: Result): Word {
  if (kind === 'Answered') return 'Answered';
  if (kind === 'KeyTaken' || kind === 'Contended') return 'Running';
  return kind === 'NotStored' || kind === 'NotSent' || kind === 'Rejected' ? 'Rejected' : 'Interrupted';
}

/** Streams that the request could have written to, with how many events each has. */
async function history(stage: PaymentsTestSetup): Promise<string> {
  const { events } = await stage.memory.readAll({ categories: ['payment', 'token'] });
  const types = events.map(({ stream, type }) => `${stream} ${type}`);
  return types.join('\n');
}

describe('a store that stands still while clients repeat their requests', () => {
  for (const [name, scene] of Object.entries(SCENES)) {
    for (let before = 0; before <= scene.appends; before++) {
      it(`from append ${before} of a ${name} on: no one is told "Rejected" of what happens`, async () => {
        const stage = await PaymentsTestSetup.open();
        const run = await scene.prepare(stage);
        const charged = stage.chargedTotal();
        const earlier = await history(stage);
        if (before > 0) stage.store.inject({ kind: 'Delay', ms: 0 }, { times: before });
        stage.store.inject({ kind: 'Delay', ms: 0 }, { before: () => stage.store.freeze() });
        if (before === 0) stage.store.freeze();

        const words = [await said(stage, run, 'k')];
        const isFrozen = words[0] !== 'Answered';
        if (isFrozen) words.push(await said(stage, run, 'k'), wordOf(await run(stage)));
        // Time enough for the first to be over: a repeat may run it again under the same command.
        stage.clock.pass(stage.timings.terminalDeadline + stage.timings.sendWithin + stage.timings.margin);
        if (isFrozen) words.push(await said(stage, run, 'k'));
        await stage.store.thaw();
        stage.store.clearFaults();

        const nothingHappened = (await history(stage)) === earlier && stage.chargedTotal() === charged;
        if (words.includes('Rejected'))
          expect({ words, nothingHappened }).toEqual({ words, nothingHappened: true });
        await stage.close();
      });
    }
  }

  it('a key that is reserved is answered with the id of what it began, where that can not be read', async () => {
    const stage = await PaymentsTestSetup.open();
    stage.crash.crashAt('before-send');
    const { idempotency } = stage.useCases.payments;
    const start = await idempotency.start(stage.merchant.id, 'k', 'f');
    if (start.kind !== 'New') throw new Error('a new key is new');
    const request = stage.useCases.payments.physicalSale(stage.context(start.ticket), { amount: 1_000 });
    await expect(request).rejects.toThrow();
    stage.store.freeze();
    expect(await idempotency.start(stage.merchant.id, 'k', 'f')).toEqual({
      kind: 'Unseen',
      operationId: expect.stringMatching(/^trx_/) as unknown,
    });
    await stage.store.thaw();
    await stage.close();
  });

  it('a first request that was certainly not stored is told so, and its key is free', async () => {
    const stage = await PaymentsTestSetup.open();
    const sale: Run = (_stage, ticket) =>
      stage.useCases.payments.physicalSale(stage.context(ticket), { amount: 1_000 });
    stage.store.inject({ kind: 'Unavailable' });
    expect(await said(stage, sale, 'k')).toBe('Rejected');
    expect(await said(stage, sale, 'k')).toBe('Answered');
    expect(stage.chargedTotal()).toBe(1_000);
    await stage.close();
  });
});
