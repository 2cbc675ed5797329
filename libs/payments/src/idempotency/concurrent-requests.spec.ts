import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { IdempotencyTicket } from '../requests/request.types.js';
import { PaymentsTestSetup } from '../testing/payments.setup.js';

let stage: PaymentsTestSetup;
beforeEach(async () => {
  stage = await PaymentsTestSetup.open();
});
afterEach(() => stage.close());

describe('Copies of a request that are on their way at the same time', () => {
  it('one that fails while another still waits for its claim is not said to be the only one', async () => {
    const copy = { referenceId: 'order-7' };
    stage.store.inject({ kind: 'Delay', ms: 200 });
    const first = stage.sale(1_000, copy);
    while (!stage.store.appends.some(({ stream }) => stream.startsWith('reference-')))
      await new Promise((resume) => setImmediate(resume));
    stage.store.inject({ kind: 'Unavailable' });
    expect(await stage.sale(1_000, copy)).toEqual({ kind: 'Uncertain' });
    expect((await first).kind).toBe('Answered');
    expect(stage.chargedTotal()).toBe(1_000);
  });

  it('one without a key and a reference has no copies: it does not wait', async () => {
    stage.store.inject({ kind: 'Unavailable' });
    const since = performance.now();
    expect(await stage.sale(1_000)).toEqual({ kind: 'NotStored' });
    expect(performance.now() - since).toBeLessThan(stage.timings.sendWithin / 2);
  });

  it('one that takes long before it is decided is not sent any more', async () => {
    const token = await stage.storedCard();
    stage.vault.before('openStored', () => stage.clock.pass(stage.timings.sendWithin + 1));
    expect((await stage.tokenSale(token, 1_000)).kind).toBe('NotSent');
    expect(stage.chargedTotal()).toBe(0);
  });

  it('one that finds the daily limit taken waits for who took it: it may be its own copy', async () => {
    const { idempotency, unreferencedPhysicalRefund } = stage.useCases.payments;
    const begun = async (): Promise<IdempotencyTicket> => {
      const start = await idempotency.start(stage.merchant.id, 'k', 'f');
      if (start.kind !== 'New') throw new Error('a new key is new');
      return start.ticket;
    };
    // The key is reserved with the request: until then the copy finds it free.
    const [ticket, ofCopy] = [await begun(), await begun()];
    const request = { amount: 6_000 };
    let copy: ReturnType<typeof unreferencedPhysicalRefund> | undefined;
    stage.crash.runAt('after-claim', () => {
      copy = unreferencedPhysicalRefund(stage.context(ofCopy), request);
    });
    const first = await unreferencedPhysicalRefund(stage.context(ticket), request);
    expect(first.kind).toBe('Answered');
    const since = performance.now();
    expect(await copy).toMatchObject({ kind: 'Rejected', rejection: { code: 'DailyLimitReached' } });
    expect(performance.now() - since).toBeGreaterThan(stage.timings.sendWithin - 500);
    expect(stage.chargedTotal()).toBe(-6_000);
  });
});
