import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { APPROVED, statusAfter } from '../testing/forms.setup.js';
import { Crashed } from '../testing/payments.setup.js';
import {
  CHALLENGED,
  CHALLENGED_AND_DECLINED,
  ChallengesTestSetup,
  FAILED_BY_CODE,
} from '../testing/challenges.setup.js';

let form: ChallengesTestSetup;
beforeEach(async () => void (form = await ChallengesTestSetup.open()));
afterEach(() => form.close());

const challengedSubmission = async (number = CHALLENGED) => {
  expect(statusAfter(await form.submit(number))).toBe('ChallengeOpen');
};

describe('a challenge', () => {
  it('keeps the submission open: nothing is sent, and the form takes nothing else', async () => {
    await challengedSubmission();
    expect(form.setup.processor.sent).toEqual([]);
    expect(await form.submit(APPROVED)).toEqual({ kind: 'SubmissionInFlight' });
    expect(await form.forms.cancel(form.session)).toEqual({ kind: 'SubmissionInFlight' });
    expect(statusAfter(await form.complete())).toBe('ChallengeOpen');
  });

  it('that was passed lets the card be charged, with the CVV that this process still has', async () => {
    await challengedSubmission();
    form.answer('123456');
    expect(statusAfter(await form.complete())).toBe('Approved');
    expect(await form.outcome()).toEqual({
      ...{ status: 'Approved', threeDs: 'Authenticated', cvvResult: 'M', charged: 1_000 },
    });
  });

  it('that was passed and whose card is declined leaves the form open', async () => {
    await challengedSubmission(CHALLENGED_AND_DECLINED);
    form.answer('123456');
    expect(statusAfter(await form.complete())).toBe('AwaitingCustomer');
    expect(await form.outcome()).toMatchObject({ threeDs: 'Authenticated', charged: 0 });
    expect(statusAfter(await form.submit(APPROVED))).toBe('Approved');
  });

  it('that failed charges nothing, and the form goes on with the next card', async () => {
    await challengedSubmission();
    form.answer(FAILED_BY_CODE);
    expect(statusAfter(await form.complete())).toBe('AwaitingCustomer');
    const { responses } = await form.setup.operation(form.transactionId);
    expect(responses).toMatchObject([{ resultCode: 6800, outcome: { responseCode: 17 } }]);
    expect(statusAfter(await form.submit(APPROVED))).toBe('Approved');
    expect(form.setup.chargedTotal()).toBe(1_000);
  });

  it('is completed once, however often the form comes back', async () => {
    await challengedSubmission();
    form.answer('123456');
    const results = await Promise.all([form.complete(), form.complete(), form.complete()]);
    const kinds = results.map(statusAfter);
    expect(kinds).toContain('Approved');
    expect(kinds.filter((kind) => !['Approved', 'SubmissionInFlight'].includes(kind))).toEqual([]);
    expect(statusAfter(await form.complete())).toBe('Approved');
    expect(form.setup.chargedTotal()).toBe(1_000);
  });
});

describe('a challenge that another process completes', () => {
  beforeEach(async () => {
    await challengedSubmission();
    form.setup.start();
    form.answer('123456');
  });

  it('charges the card of the vault without a CVV', async () => {
    expect(statusAfter(await form.complete())).toBe('Approved');
    expect(await form.outcome()).toMatchObject({ cvvResult: 'P', charged: 1_000 });
  });

  it('charges it with the CVV that the form sends again', async () => {
    expect(statusAfter(await form.complete('123'))).toBe('Approved');
    expect(await form.outcome()).toMatchObject({ cvvResult: 'M', charged: 1_000 });
  });
});

describe('the card of a challenge', () => {
  it('is in the vault until the attempt has its outcome', async () => {
    await challengedSubmission();
    expect(await form.keptCard()).toContain(CHALLENGED);
    form.answer('123456');
    await form.complete();
    expect(await form.keptCard()).toBeUndefined();
  });

  it('is destroyed by the resolver if the process died before it did that', async () => {
    await challengedSubmission();
    form.answer('123456');
    form.setup.crash.crashAt('after-outcome');
    await expect(form.complete()).rejects.toThrow(Crashed);
    form.setup.start();
    expect(await form.keptCard()).toContain(CHALLENGED);
    await form.abandon();
    await form.setup.untilResolved(2);
    expect(await form.keptCard()).toBeUndefined();
  });

  it('that the vault can not take makes the attempt Unavailable', async () => {
    form.setup.vault.fail('keepCard');
    expect(statusAfter(await form.submit(CHALLENGED))).toBe('AwaitingCustomer');
    const [response] = (await form.setup.operation(form.transactionId)).responses;
    expect(response).toMatchObject({ resultCode: 6801 });
  });

  it('that the vault can not give now leaves the challenge open', async () => {
    await challengedSubmission();
    form.answer('123456');
    form.setup.vault.fail('openStored');
    expect(await form.complete()).toEqual({ kind: 'CardNotStored' });
    form.setup.vault.clearFaults();
    expect(statusAfter(await form.complete())).toBe('Approved');
  });
});

describe('a challenge that was abandoned', () => {
  it('fails at its time with 6800 and reason 14, and charges nothing', async () => {
    await challengedSubmission();
    await form.abandon();
    expect(await form.outcome()).toMatchObject({ status: 'AwaitingCustomer', threeDs: 'Failed', charged: 0 });
    const [response] = (await form.setup.operation(form.transactionId)).responses;
    expect(response).toMatchObject({ resultCode: 6800, outcome: { threeDs: { threeDReasonId: '14' } } });
    expect(await form.keptCard()).toBeUndefined();
    expect(statusAfter(await form.submit(APPROVED))).toBe('Approved');
  });

  it('after it was passed is finished by the resolver, without a CVV', async () => {
    await challengedSubmission();
    form.answer('123456');
    form.setup.start();
    await form.abandon();
    expect(await form.outcome()).toMatchObject({ status: 'Approved', cvvResult: 'P', charged: 1_000 });
  });

  it('while the server does not answer stays open, and is tried again', async () => {
    await challengedSubmission();
    form.setup.threeDsServer.fault = () => Promise.resolve({ kind: 'NoAnswer' });
    await form.abandon();
    expect(await form.status()).toBe('ChallengeOpen');
    form.setup.threeDsServer.fault = undefined;
    await form.setup.untilResolved(3);
    expect(await form.outcome()).toMatchObject({ status: 'AwaitingCustomer', threeDs: 'Failed' });
  });
});

describe('a process that dies while it completes a challenge', () => {
  it.each([
    ['after-authentication-stored', 'NotExecuted', 0],
    ['before-send', 'NotExecuted', 0],
    ['after-send', 'Approved', 1_000],
    ['before-outcome', 'Approved', 1_000],
    ['after-outcome', 'Approved', 1_000],
  ] as const)('at %s leaves %s and charges %d', async (point, status, charged) => {
    await challengedSubmission();
    form.answer('123456');
    form.setup.crash.crashAt(point);
    await expect(form.complete()).rejects.toThrow(Crashed);
    form.setup.start();
    await form.setup.untilResolved(3);
    expect(await form.outcome()).toMatchObject({ status, charged });
    await form.abandon();
    expect(await form.keptCard()).toBeUndefined();
  });
});

it('A merchant that was disabled during the challenge is not paid', async () => {
  await challengedSubmission();
  form.answer('123456');
  const { provisioning } = form.setup.useCases;
  await provisioning.setMerchantDisabled({ type: 'Operator', name: 'Ada' }, form.setup.merchant.id, {
    disabled: true,
  });
  await form.forms.readMerchant();
  expect(await form.complete()).toEqual({ kind: 'Disabled' });
  await form.abandon();
  expect(await form.outcome()).toMatchObject({ threeDs: 'Unavailable', charged: 0 });
});
