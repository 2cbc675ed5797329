import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PaymentsStage } from './testing/payments.stage.js';

let stage: PaymentsStage;
beforeEach(async () => {
  stage = await PaymentsStage.open();
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
    expect(stage.charged()).toBe(1_000);
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
    expect(stage.charged()).toBe(0);
  });
});
