import { describe, expect, it } from '@jest/globals';
import type { OperationResult } from '../requests/request.types.js';
import type { IdempotencyTicket } from './idempotency-keys.js';
import type { TokenResult } from '../stored-cards/stored-card.types.js';
import { requireAnswered, requireAnsweredToken, PaymentsTestSetup } from '../testing/payments.setup.js';

type Result = OperationResult | TokenResult;
type Run = (setup: PaymentsTestSetup, ticket?: IdempotencyTicket) => Promise<Result>;

interface Scenario {
  /** Creates what the request needs before the store freezes. */
  prepare(setup: PaymentsTestSetup): Promise<Run>;
  /** The number of the operation's appends, including the claim of its reference. */
  readonly appends: number;
}

const REFERENCE = { referenceId: 'order-7' };

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  sale: {
    appends: 3,
    prepare: async () => (setup, ticket) =>
      setup.useCases.payments.physicalSale(setup.context(ticket), { amount: 1_000, ...REFERENCE }),
  },
  refund: {
    appends: 3,
    prepare: async (setup) => {
      const { operation } = requireAnswered(await setup.sale(1_000));
      const request = { originalTransactionId: operation.id, amount: 400, ...REFERENCE };
      return (_stage, ticket) => setup.useCases.payments.refund(setup.context(ticket), request);
    },
  },
  capture: {
    appends: 3,
    prepare: async (setup) => {
      const { operation } = requireAnswered(await setup.auth(1_000));
      const request = { originalTransactionId: operation.id, amount: 400, ...REFERENCE };
      return (_stage, ticket) => setup.useCases.payments.capture(setup.context(ticket), request);
    },
  },
  'token sale': {
    appends: 3,
    prepare: async (setup) => {
      const { token } = requireAnsweredToken(await setup.storeCard());
      const request = { amount: 1_000, paymentMethodId: token.id, ...REFERENCE };
      return (_stage, ticket) => setup.useCases.payments.tokenSale(setup.context(ticket), request);
    },
  },
  'card verification': {
    appends: 2,
    prepare: async () => (setup, ticket) =>
      setup.useCases.storedCards.storeFromTerminal(setup.context(ticket), {}),
  },
  'token removal': {
    appends: 2,
    prepare: async (setup) => {
      const { token } = requireAnsweredToken(await setup.storeCard());
      return (_stage, ticket) => setup.useCases.storedCards.remove(setup.context(ticket), token.id);
    },
  },
};

/** The client's HTTP response follows from this. */
type ClientResult = 'Rejected' | 'Interrupted' | 'Running' | 'Answered';

/** Runs a request under an idempotency key as the API does. */
async function sendUnderKey(setup: PaymentsTestSetup, run: Run, key: string): Promise<ClientResult> {
  const start = await setup.useCases.payments.idempotency.start(setup.merchant.id, key, 'same body');
  switch (start.kind) {
    case 'New':
      return clientResult(await run(setup, start.ticket));
    case 'FromHistory':
      return clientResult(start.result);
    case 'Unseen':
      return 'Interrupted';
    case 'Running':
      return 'Running';
    default:
      throw new Error(start.kind);
  }
}

function clientResult({ kind }: Result): ClientResult {
  if (kind === 'Answered') return 'Answered';
  if (kind === 'KeyTaken' || kind === 'Contended') return 'Running';
  return kind === 'NotStored' || kind === 'NotSent' || kind === 'Rejected' ? 'Rejected' : 'Interrupted';
}

/** The events of all streams that the request could write to, one a line. */
async function history(setup: PaymentsTestSetup): Promise<string> {
  const { events } = await setup.memory.readAll({ categories: ['payment', 'token'] });
  const types = events.map(({ stream, type }) => `${stream} ${type}`);
  return types.join('\n');
}

describe('a frozen store while clients repeat their requests', () => {
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    for (let before = 0; before <= scenario.appends; before++) {
      it.concurrent(
        `from append ${before} of a ${name}: "Rejected" means that nothing happened`,
        async () => {
          const setup = await PaymentsTestSetup.open();
          const run = await scenario.prepare(setup);
          const charged = setup.chargedTotal();
          const earlier = await history(setup);
          if (before > 0) setup.store.inject({ kind: 'Delay', ms: 0 }, { times: before });
          setup.store.inject({ kind: 'Delay', ms: 0 }, { before: () => setup.store.freeze() });
          if (before === 0) setup.store.freeze();

          const results = [await sendUnderKey(setup, run, 'k')];
          const isFrozen = results[0] !== 'Answered';
          if (isFrozen) results.push(await sendUnderKey(setup, run, 'k'), clientResult(await run(setup)));
          // After this time the first request has ended, and a repeat may run under the same command.
          setup.clock.pass(setup.timings.terminalDeadline + setup.timings.sendWithin + setup.timings.margin);
          if (isFrozen) results.push(await sendUnderKey(setup, run, 'k'));
          await setup.store.thaw();
          setup.store.clearFaults();

          const nothingHappened = (await history(setup)) === earlier && setup.chargedTotal() === charged;
          if (results.includes('Rejected'))
            expect({ results, nothingHappened }).toEqual({ results, nothingHappened: true });
          await setup.close();
        },
      );
    }
  }

  it('the start of a reserved key returns the operation id if the operation can not be read', async () => {
    const setup = await PaymentsTestSetup.open();
    setup.crash.crashAt('before-send');
    const { idempotency } = setup.useCases.payments;
    const start = await idempotency.start(setup.merchant.id, 'k', 'f');
    if (start.kind !== 'New') throw new Error('the key is already in use');
    const request = setup.useCases.payments.physicalSale(setup.context(start.ticket), { amount: 1_000 });
    await expect(request).rejects.toThrow();
    setup.store.freeze();
    expect(await idempotency.start(setup.merchant.id, 'k', 'f')).toEqual({
      kind: 'Unseen',
      operationId: expect.stringMatching(/^trx_/) as unknown,
    });
    await setup.store.thaw();
    await setup.close();
  });

  it('a first request that was certainly not stored is Rejected, and its key is free', async () => {
    const setup = await PaymentsTestSetup.open();
    const sale: Run = (_stage, ticket) =>
      setup.useCases.payments.physicalSale(setup.context(ticket), { amount: 1_000 });
    setup.store.inject({ kind: 'Unavailable' });
    expect(await sendUnderKey(setup, sale, 'k')).toBe('Rejected');
    expect(await sendUnderKey(setup, sale, 'k')).toBe('Answered');
    expect(setup.chargedTotal()).toBe(1_000);
    await setup.close();
  });
});
