import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { APPROVED, DECLINED, FormsTestSetup, statusAfter } from '../testing/forms.setup.js';
import { Crashed, PaymentsTestSetup, requireOperationId } from '../testing/payments.setup.js';

let setup: PaymentsTestSetup;
let forms: FormsTestSetup;
let transactionId: string;
let session: string;
beforeEach(async () => {
  setup = await PaymentsTestSetup.open();
  forms = await FormsTestSetup.of(setup);
  const opened = await forms.sale(1_000);
  transactionId = requireOperationId(opened);
  session = forms.sessionOf(opened);
});
afterEach(() => setup.close());

const status = async () => (await setup.operation(transactionId)).progress.status;

describe('a submission whose process dies', () => {
  it.each([
    ['after-request', 'NotExecuted', 0],
    ['before-send', 'NotExecuted', 0],
    ['after-send', 'Approved', 1_000],
    ['after-answer', 'Approved', 1_000],
    ['before-outcome', 'Approved', 1_000],
    ['after-outcome', 'Approved', 1_000],
  ] as const)('at %s is finished by the resolver as %s', async (point, ending, charged) => {
    setup.crash.crashAt(point);
    await expect(forms.submit(session)).rejects.toThrow(Crashed);
    setup.start();
    if (point !== 'after-outcome') {
      expect(await forms.submit(session)).toMatchObject({ kind: 'SubmissionInFlight' });
      expect(await forms.cancel(session)).toEqual({ kind: 'SubmissionInFlight' });
    }
    await setup.untilResolved();
    expect([await status(), setup.chargedTotal()]).toEqual([ending, charged]);
    expect(await forms.submit(session)).toEqual({ kind: 'Spent' });
  });

  it('goes on with the next submission if its card was declined', async () => {
    setup.crash.crashAt('after-answer');
    await expect(forms.submit(session, DECLINED)).rejects.toThrow(Crashed);
    setup.start();
    await setup.untilResolved(2);
    expect(await status()).toBe('AwaitingCustomer');
    expect(statusAfter(await forms.submit(session))).toBe('Approved');
    expect(setup.chargedTotal()).toBe(1_000);
  });

  it('does not expire before its outcome is known, and then shows the outcome', async () => {
    setup.crash.crashAt('after-answer');
    await expect(forms.submit(session, DECLINED)).rejects.toThrow(Crashed);
    setup.start();
    setup.clock.ahead += setup.timings.formLifetime + 1;
    await setup.useCases.resolver.runDue(0);
    expect(await status()).toBe('InFlight');
    await setup.untilResolved();
    expect((await setup.operation(transactionId)).progress).toEqual({ status: 'Declined', resultCode: 6900 });
  });
});

describe('a submission without an answer', () => {
  it('is Interrupted, is not sent again, and is finished by an inquiry', async () => {
    setup.processor.inject('sale', 'NoAnswerAfter');
    expect(await forms.submit(session, APPROVED, { key: 'k' })).toMatchObject({ kind: 'Interrupted' });
    expect(await forms.submit(session, APPROVED, { key: 'k' })).toMatchObject({ kind: 'Interrupted' });
    expect(await forms.submit(session)).toEqual({ kind: 'SubmissionInFlight' });
    await setup.untilResolved(2);
    expect([await status(), setup.chargedTotal()]).toEqual(['Approved', 1_000]);
    expect(statusAfter(await forms.submit(session, APPROVED, { key: 'k' }))).toBe('Approved');
    expect(setup.processor.sent.filter((call) => call.startsWith('sale'))).toHaveLength(1);
  });

  it('that never arrived is annulled, and the form is over', async () => {
    setup.processor.inject('sale', 'NoAnswerBefore');
    await forms.submit(session);
    await setup.untilResolved(2);
    expect([await status(), setup.chargedTotal()]).toEqual(['NotExecuted', 0]);
    expect(await forms.submit(session)).toEqual({ kind: 'Spent' });
  });

  it('that was certainly not sent ends the form', async () => {
    setup.processor.inject('sale', 'NotSent');
    expect(await forms.submit(session)).toMatchObject({ kind: 'NotSent' });
    expect(await forms.submit(session)).toEqual({ kind: 'Spent' });
    expect(setup.chargedTotal()).toBe(0);
  });
});

describe('a submission while the store fails', () => {
  it('is not sent if its request was not stored, and can be repeated', async () => {
    setup.store.inject({ kind: 'Unavailable' });
    expect(await forms.submit(session)).toEqual({ kind: 'NotStored' });
    expect(setup.processor.sent).toEqual([]);
    expect(statusAfter(await forms.submit(session))).toBe('Approved');
  });

  it('is not sent, and is unknown, if the append of its request has no known result', async () => {
    setup.store.inject({ kind: 'LoseAnswer', written: true });
    setup.store.inject({ kind: 'LoseAnswer', written: false }, { times: 1_000 });
    expect(await forms.submit(session)).toMatchObject({ kind: 'Interrupted' });
    expect(setup.processor.sent).toEqual([]);
    setup.store.clearFaults();
    await setup.untilResolved(3);
    expect([await status(), setup.chargedTotal()]).toEqual(['NotExecuted', 0]);
  });

  it('after the send window is not sent, by either clock', async () => {
    setup.crash.runAt('before-send', () => void (setup.clock.monotonic += 2_001));
    expect(await forms.submit(session)).toMatchObject({ kind: 'NotSent' });
    expect(setup.chargedTotal()).toBe(0);
  });
});
