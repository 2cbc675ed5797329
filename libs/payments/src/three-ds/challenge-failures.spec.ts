import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Append } from '@tillstream/event-store';
import { crashBeforeStep } from '../testing/dying-process.js';
import { APPROVED } from '../testing/forms.setup.js';
import { Crashed } from '../testing/payments.setup.js';
import { ChallengeCvvs } from './challenge.cvvs.js';
import { CHALLENGED, ChallengesTestSetup } from '../testing/challenges.setup.js';

let form: ChallengesTestSetup;
beforeEach(async () => void (form = await ChallengesTestSetup.open()));
afterEach(() => {
  form.setup.store.clearFaults();
  return form.close();
});

const appends = (type: string) => ({
  when: ({ events }: Append) => events.some((event) => event.type === type),
  times: Number.POSITIVE_INFINITY,
});

describe('a store that does not take an outcome', () => {
  it('makes the submission Interrupted, because its card may be charged', async () => {
    form.setup.store.inject({ kind: 'Unavailable' }, appends('Authorized'));
    expect(await form.submit(APPROVED)).toMatchObject({ kind: 'Interrupted' });
    expect(form.setup.chargedTotal()).toBe(1_000);
  });

  it('makes the end of a challenge Interrupted', async () => {
    await form.submit(CHALLENGED);
    form.answer('123456');
    form.setup.store.inject({ kind: 'Unavailable' }, appends('Authorized'));
    expect(await form.complete()).toMatchObject({ kind: 'Interrupted' });
    expect(form.setup.chargedTotal()).toBe(1_000);
  });

  it('makes the end of a challenge Interrupted if its own append fails', async () => {
    await form.submit(CHALLENGED);
    form.answer('123456');
    form.setup.store.inject({ kind: 'LoseAnswer', written: true }, appends('ChallengeEnded'));
    expect(await form.complete()).toMatchObject({ kind: 'Interrupted' });
  });
});

describe('the card of a challenge that never opened', () => {
  it('is destroyed if the process dies', async () => {
    for (let step = 1; await crashBeforeStep(form.setup, step, () => form.submit(CHALLENGED)); step++) {
      await form.setup.untilResolved(3);
      await form.abandon();
      await form.setup.untilResolved(3);
      expect([step, await form.keptCard()]).toEqual([step, undefined]);
      await form.close();
      form = await ChallengesTestSetup.open();
    }
  });

  it('is destroyed if the store does not take the opening', async () => {
    form.setup.store.inject({ kind: 'Unavailable' }, appends('ChallengeOpened'));
    expect(await form.submit(CHALLENGED)).toMatchObject({ kind: 'Interrupted' });
    await form.setup.untilResolved(3);
    expect(await form.outcome()).toMatchObject({ status: 'NotExecuted', charged: 0 });
    expect(await form.keptCard()).toBeUndefined();
  });
});

it('A challenge whose server never answers again ends as Unavailable an hour after its time', async () => {
  await form.submit(CHALLENGED);
  form.setup.threeDsServer.fault = () => Promise.resolve({ kind: 'NoAnswer' });
  await form.abandon();
  expect(await form.status()).toBe('ChallengeOpen');
  for (let halfHour = 1; halfHour <= 4; halfHour++) {
    form.setup.clock.ahead += 1_800_000;
    await form.setup.useCases.resolver.runDue(0);
  }
  const [response] = (await form.setup.operation(form.transactionId)).responses;
  expect(response).toMatchObject({ resultCode: 6801, outcome: { threeDs: { status: 'Unavailable' } } });
  expect([form.setup.chargedTotal(), await form.keptCard()]).toEqual([0, undefined]);
});

it('A passed challenge whose card the vault does not give ends as Unavailable an hour after its time', async () => {
  await form.submit(CHALLENGED);
  form.answer('123456');
  form.setup.vault.fail('openStored', Number.POSITIVE_INFINITY);
  await form.abandon();
  expect(await form.status()).toBe('ChallengeOpen');
  for (let halfHour = 1; halfHour <= 4; halfHour++) {
    form.setup.clock.ahead += 1_800_000;
    await form.setup.useCases.resolver.runDue(0);
  }
  const [response] = (await form.setup.operation(form.transactionId)).responses;
  expect([response?.resultCode, form.setup.chargedTotal()]).toEqual([6801, 0]);
});

it('A passed challenge is not charged if the service notices it more than an hour after its time', async () => {
  await form.submit(CHALLENGED);
  form.answer('123456');
  form.setup.clock.pass(form.setup.timings.challengeLifetime + 3_600_000);
  await form.setup.useCases.resolver.runDue(0);
  const [response] = (await form.setup.operation(form.transactionId)).responses;
  expect([response?.resultCode, form.setup.chargedTotal(), await form.keptCard()]).toEqual([
    6801,
    0,
    undefined,
  ]);
});

it('An attempt is not annulled before its interruption is stored: its sender may have a new send window', async () => {
  form.setup.crash.crashAt('after-authentication-stored');
  await expect(form.submit(APPROVED)).rejects.toThrow(Crashed);
  form.setup.start();
  form.setup.store.inject({ kind: 'Conflict' }, appends('Interrupted'));
  await form.setup.untilResolved(3);
  expect(form.setup.processor.sent).toEqual([]);
  form.setup.store.clearFaults();
  await form.setup.untilResolved(3);
  expect(await form.outcome()).toMatchObject({ status: 'NotExecuted', charged: 0 });
});

it('A CVV is forgotten at the end of its challenge, also if the form sent another one', async () => {
  await form.submit(CHALLENGED);
  form.answer('123456');
  const kept = jest.spyOn(ChallengeCvvs.prototype, 'take');
  await form.complete('123');
  expect(kept).toHaveBeenCalledWith(`${form.transactionId}.1`);
  kept.mockRestore();
});
