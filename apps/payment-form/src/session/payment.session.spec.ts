import type { FormProgress, FormSession } from '@tillstream/contracts';
import { formSession } from '../testing/sessions.fixture.js';
import { PaymentSession, type Activity } from './payment.session.js';
import type { Submission, Reply, SessionClient } from './session.client.js';

const submission: Submission = {
  card: { number: '4242424242424242', expDate: '1229', cvv: '123' },
  billingContact: {},
};
const success = <Body>(body: Body): Reply<Body> => ({ kind: 'success', body });
const failure = (httpStatus: number, error: object, more: object = {}): Reply<never> => ({
  kind: 'error',
  httpStatus,
  error,
  ...more,
});
const lost: Reply<never> = { kind: 'lost' };
const busy = failure(409, { code: 3401, status: 'Rejected', errorDetails: [] });
const waiting = formSession();
const approved: FormSession = { ...waiting, status: 'Completed', resultCode: 0, responseCode: 1 };
const declined: FormSession = { ...waiting, resultCode: 6900, responseCode: 10, triesLeft: 4 };
const unknown: FormSession = { ...waiting, status: 'Interrupted', resultCode: 9999, responseCode: 0 };

/** Answers in this order; the last one is repeated. */
function service(submits: readonly Reply<FormProgress>[], readings: readonly Reply<FormSession>[] = []) {
  const keys: string[] = [];
  const activities: Activity[] = [];
  let reading = 0;
  const next = <R>(rows: readonly R[], at: number, otherwise: R): R => rows[at] ?? rows.at(-1) ?? otherwise;
  const client: Pick<SessionClient, 'session' | 'submit' | 'cancel'> = {
    session: () =>
      Promise.resolve(reading++ === 0 ? success(waiting) : next(readings, reading - 2, success(waiting))),
    submit: (_, key) => Promise.resolve(next(submits, keys.push(key) - 1, lost)),
    cancel: () => Promise.resolve(next(submits, 0, lost)),
  };
  const timers = { pause: () => Promise.resolve(), nowMs: () => 0 };
  const onChange = ({ activity }: { activity: Activity }): void => void activities.push(activity);
  const payment = new PaymentSession(client as SessionClient, onChange, timers);
  return { payment, keys, activities, readings: () => reading };
}

async function submitted(
  submits: readonly Reply<FormProgress>[],
  readings: readonly Reply<FormSession>[] = [],
) {
  const one = service(submits, readings);
  await one.payment.load();
  await one.payment.submit(submission);
  return { ...one, state: one.payment.state };
}

describe('A submission', () => {
  it('that is approved ends the form', async () => {
    const { state, keys } = await submitted([success(approved)]);
    expect(state).toMatchObject({ activity: 'waiting', session: { status: 'Completed', responseCode: 1 } });
    expect(keys).toHaveLength(1);
  });

  it('that is declined shows the form again', async () => {
    const { state } = await submitted([success(declined)]);
    expect(state).toMatchObject({ notice: { kind: 'declined' }, session: { triesLeft: 4 } });
  });

  it('runs alone: a second one during it is not sent', async () => {
    const { payment, keys } = service([success(declined)]);
    await payment.load();
    await Promise.all([payment.submit(submission), payment.submit(submission)]);
    expect(keys).toHaveLength(1);
  });

  it('has a new key when the customer submits again', async () => {
    const { payment, keys } = await submitted([success(declined)]);
    await payment.submit(submission);
    expect(new Set(keys).size).toBe(2);
  });

  it('whose answer is lost is repeated with the same key', async () => {
    const { state, keys, activities } = await submitted([lost, lost, success(approved)]);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(activities).toContain('repeating');
    expect(state.session?.status).toBe('Completed');
  });

  it('without any answer leads to the session, and the outcome that it shows counts', async () => {
    const { state, keys } = await submitted([lost], [lost, lost, success(approved)]);
    expect(keys).toHaveLength(5);
    expect(state.session?.status).toBe('Completed');
  });

  it('without any answer is repeated with the same key once the service is back', async () => {
    const { state, keys } = await submitted(
      [lost, lost, lost, lost, lost, success(approved)],
      [success(waiting)],
    );
    expect([keys.length, new Set(keys).size]).toEqual([6, 1]);
    expect(state.session?.status).toBe('Completed');
  });

  it('that never gets an answer lets the customer try again', async () => {
    const { state } = await submitted([lost], [lost]);
    expect(state).toMatchObject({ activity: 'waiting', notice: { kind: 'lost' } });
  });

  it('of unknown outcome is not repeated: the session is read until the outcome is known', async () => {
    const { payment, keys } = await submitted(
      [failure(500, { code: 3000, status: 'Interrupted', errorDetails: [] })],
      [success(unknown), lost, success(waiting), success(approved)],
    );
    expect(payment.state.session?.status).toBe('Interrupted');
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    expect(payment.state.session?.status).toBe('Completed');
    expect(keys).toHaveLength(1);
  });

  it('while another one is in flight waits for its outcome', async () => {
    const { state, keys } = await submitted([busy], [success(waiting), success(waiting), success(approved)]);
    expect(state.session?.status).toBe('Completed');
    expect(keys).toHaveLength(1);
  });

  it('that waited too long for another one says so', async () => {
    expect((await submitted([busy])).state).toMatchObject({ activity: 'waiting', notice: { kind: 'busy' } });
  });

  it('with a wrong field is no attempt', async () => {
    const details = [{ code: 2000, field: 'card.number', message: 'wrong' }];
    const invalid = failure(400, { code: 2000, status: 'Rejected', errorDetails: details });
    const { state, readings } = await submitted([invalid]);
    expect(state).toMatchObject({ notice: { kind: 'invalid', details }, session: { triesLeft: 5 } });
    expect(readings()).toBe(1);
  });

  it('over a limit says how long to wait', async () => {
    const limited = failure(429, { code: 3000, status: 'Rejected' }, { retryAfterSeconds: 30 });
    expect((await submitted([limited])).state.notice).toEqual({ kind: 'limited', seconds: 30 });
  });

  it('to an expired or spent form shows how the form ended', async () => {
    const expired = failure(400, { code: 3205, status: 'Rejected', errorDetails: [] });
    const { state } = await submitted(
      [expired],
      [success({ ...waiting, status: 'Expired', resultCode: 3010 })],
    );
    expect(state.session?.status).toBe('Expired');
    expect(state.notice).toBeUndefined();
  });

  it('that was refused says nothing of the money while the session cannot be read', async () => {
    const spent = failure(400, { code: 3201, status: 'Rejected', errorDetails: [] });
    expect((await submitted([spent], [lost])).state.notice).toEqual({ kind: 'lost' });
  });

  it('that was not executed can be repeated', async () => {
    const refused = failure(500, { code: 9000, status: 'Rejected', errorDetails: [] });
    expect((await submitted([refused])).state.notice).toEqual({ kind: 'refused', code: 9000 });
  });
});

describe('A session', () => {
  it('that does not exist is distinguished from a service that cannot be reached', async () => {
    const load = async (reply: Reply<FormSession>) => {
      const client = { session: () => Promise.resolve(reply) } as SessionClient;
      const payment = new PaymentSession(client, () => undefined);
      await payment.load();
      return payment.state.loadError;
    };
    expect(await load(failure(404, { code: 3201, status: 'Rejected' }))).toBe('notFound');
    expect(await load(lost)).toBe('unreachable');
  });

  it('that is cancelled is over', async () => {
    const { payment } = service([success({ ...waiting, status: 'Cancelled', resultCode: 55 })]);
    await payment.load();
    await payment.cancel();
    expect(payment.state.session?.status).toBe('Cancelled');
  });

  it('that could not be cancelled says so', async () => {
    const { payment } = service([lost]);
    await payment.load();
    await payment.cancel();
    expect(payment.state).toMatchObject({ activity: 'waiting', notice: { kind: 'notCancelled' } });
  });

  it('with a failed attempt says so after the page was loaded again', async () => {
    const { payment } = service([], [success(declined)]);
    await payment.load();
    await payment.load();
    expect(payment.state.notice).toEqual({ kind: 'declined' });
  });
});
