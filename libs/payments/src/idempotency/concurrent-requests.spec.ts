import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { IdempotencyTicket } from './idempotency-keys.js';
import { PaymentsTestSetup } from '../testing/payments.setup.js';

let setup: PaymentsTestSetup;
beforeEach(async () => {
  setup = await PaymentsTestSetup.open();
});
afterEach(() => setup.close());

describe('concurrent copies of a request', () => {
  it('a copy that fails while another waits for its claim is Uncertain', async () => {
    const copy = { referenceId: 'order-7' };
    setup.store.inject({ kind: 'Delay', ms: 200 });
    const first = setup.sale(1_000, copy);
    while (!setup.store.appends.some(({ stream }) => stream.startsWith('reference-')))
      await new Promise((resume) => setImmediate(resume));
    setup.store.inject({ kind: 'Unavailable' });
    expect(await setup.sale(1_000, copy)).toEqual({ kind: 'Uncertain' });
    expect((await first).kind).toBe('Answered');
    expect(setup.chargedTotal()).toBe(1_000);
  });

  it('a request without a key and a reference has no copies, so it does not wait', async () => {
    setup.store.inject({ kind: 'Unavailable' });
    const startedAt = performance.now();
    expect(await setup.sale(1_000)).toEqual({ kind: 'NotStored' });
    expect(performance.now() - startedAt).toBeLessThan(setup.timings.sendWithin / 2);
  });

  it('a request whose decision takes longer than the send window is not sent', async () => {
    const token = await setup.storedCard();
    setup.vault.before('openStored', () => setup.clock.pass(setup.timings.sendWithin + 1));
    expect((await setup.tokenSale(token, 1_000)).kind).toBe('NotSent');
    expect(setup.chargedTotal()).toBe(0);
  });

  it('a request that finds the daily limit used waits, because a copy of it may have used the limit', async () => {
    const { idempotency, unreferencedPhysicalRefund } = setup.useCases.payments;
    const startRequest = async (): Promise<IdempotencyTicket> => {
      const start = await idempotency.start(setup.merchant.id, 'k', 'f');
      if (start.kind !== 'New') throw new Error('the key is already in use');
      return start.ticket;
    };
    // The request reserves its key when it is appended. Before that the copy finds the key free.
    const [ticket, copyTicket] = [await startRequest(), await startRequest()];
    const request = { amount: 6_000 };
    let copy: ReturnType<typeof unreferencedPhysicalRefund> | undefined;
    let startedAt = 0;
    setup.crash.runAt('after-claim', () => {
      startedAt = performance.now();
      copy = unreferencedPhysicalRefund(setup.context(copyTicket), request);
    });
    const first = await unreferencedPhysicalRefund(setup.context(ticket), request);
    expect(first.kind).toBe('Answered');
    expect(await copy).toMatchObject({ kind: 'Rejected', rejection: { code: 'DailyLimitReached' } });
    expect(performance.now() - startedAt).toBeGreaterThan(setup.timings.sendWithin / 2);
    expect(setup.chargedTotal()).toBe(-6_000);
  });
});
