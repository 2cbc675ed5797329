import type { FormProgress, FormSession } from '@tillstream/contracts';
import { formSession } from '../testing/sessions.fixture.js';
import { PaymentSession, type Activity, type SessionState } from './payment.session.js';
import type { Reply, SessionClient, Submission } from './session.client.js';

const submission: Submission = {
  card: { number: '4000000000003220', expDate: '1229', cvv: '123' },
  billingContact: {},
};
const redirectUrl = 'https://bank.example/acs';
const waiting = formSession();
const open: FormSession = { ...waiting, resultCode: 4100, threeDsChallenge: { redirectUrl } };
const approved: FormSession = { ...waiting, status: 'Completed', resultCode: 0, responseCode: 1 };
const failed: FormSession = { ...waiting, resultCode: 6800, responseCode: 17, triesLeft: 4 };
const success = <Body>(body: Body): Reply<Body> => ({ kind: 'success', body });
const error = (httpStatus: number, code: number, status: 'Rejected' | 'Interrupted'): Reply<never> => ({
  kind: 'error',
  httpStatus,
  error: { code, status, errorDetails: [] },
});
const lost: Reply<never> = { kind: 'lost' };

interface Replies {
  readonly submit?: Reply<FormProgress>;
  /** In this order; the last one is repeated. */
  readonly challenge?: readonly (Reply<FormProgress> | Promise<Reply<FormProgress>>)[];
  readonly session?: readonly Reply<FormSession>[];
}

/** A page with an open challenge. `submit` left out: it was loaded again, so it has no security code. */
async function challenged({ submit, challenge = [], session = [] }: Replies) {
  const codes: (string | undefined)[] = [];
  const activities: Activity[] = [];
  let readings = 0;
  const client: Pick<SessionClient, 'session' | 'submit' | 'challenge'> = {
    session: () => {
      const first = submit ? success(waiting) : success(open);
      const nth = readings++;
      return Promise.resolve(nth === 0 ? first : (session[nth - 1] ?? session.at(-1) ?? first));
    },
    submit: () => Promise.resolve(submit ?? lost),
    challenge: (cvv) => {
      const nth = codes.push(cvv) - 1;
      return Promise.resolve(challenge[nth] ?? challenge.at(-1) ?? success(open));
    },
  };
  const statuses: (string | undefined)[] = [];
  const onChange = ({ activity, session }: SessionState): void => {
    activities.push(activity);
    statuses.push(session?.status);
  };
  const timers = { pause: () => Promise.resolve(), nowMs: () => 0 };
  const payment = new PaymentSession(client as SessionClient, onChange, timers);
  await payment.load();
  if (submit) await payment.submit(submission);
  activities.length = 0;
  return { payment, codes, activities, statuses };
}

describe('A challenge', () => {
  it('that the bank has finished goes on with the security code, which is used once', async () => {
    const { payment, codes, activities } = await challenged({
      submit: success(open),
      challenge: [success(approved)],
    });
    expect(payment.state.session?.threeDsChallenge).toEqual({ redirectUrl });
    await payment.finishChallenge();
    expect([codes, activities]).toEqual([['123'], ['submitting', 'waiting']]);
    expect(payment.state.session).toMatchObject({ status: 'Completed', responseCode: 1 });
    expect(payment.state.session).not.toHaveProperty('threeDsChallenge');
    expect(JSON.stringify(payment)).not.toContain('"123"');
  });

  it('goes on without a security code after the page was loaded again', async () => {
    const { payment, codes } = await challenged({ challenge: [success(approved)] });
    await payment.finishChallenge();
    expect(codes).toEqual([undefined]);
    expect(payment.state.session?.status).toBe('Completed');
  });

  it('that is asked for by the clock stays as it is while it is open', async () => {
    const { payment, codes, activities } = await challenged({ submit: success(open) });
    await payment.askChallenge();
    await payment.askChallenge();
    expect([codes, new Set(activities)]).toEqual([['123', '123'], new Set(['waiting'])]);
    expect(payment.state.session?.threeDsChallenge).toEqual({ redirectUrl });
  });

  it('that failed lets the customer try again', async () => {
    const { payment } = await challenged({ submit: success(open), challenge: [success(failed)] });
    await payment.finishChallenge();
    expect(payment.state).toMatchObject({ notice: { kind: 'declined' }, session: { triesLeft: 4 } });
  });

  it('that is finished while the clock asks is asked for once more', async () => {
    let answer: (reply: Reply<FormProgress>) => void = () => undefined;
    const slow = new Promise<Reply<FormProgress>>((resolve) => (answer = resolve));
    const { payment, codes } = await challenged({
      submit: success(open),
      challenge: [slow, success(approved)],
    });
    const asked = payment.askChallenge();
    const finished = payment.finishChallenge();
    answer(success(open));
    await Promise.all([asked, finished]);
    expect(codes).toHaveLength(2);
    expect(payment.state.session?.status).toBe('Completed');
  });

  it('whose answer is lost stays open, and is asked for again', async () => {
    const { payment } = await challenged({
      submit: success(open),
      challenge: [lost, success(approved)],
      session: [success(open)],
    });
    await payment.finishChallenge();
    expect(payment.state).toMatchObject({ activity: 'waiting', session: { resultCode: 4100 } });
    await payment.askChallenge();
    expect(payment.state.session?.status).toBe('Completed');
  });

  it('whose answer is lost after it ended waits for the outcome of the payment', async () => {
    const { payment, activities } = await challenged({
      submit: success(open),
      challenge: [lost],
      session: [success(waiting), success(waiting), success(approved)],
    });
    await payment.finishChallenge();
    expect(activities).toContain('repeating');
    expect(payment.state.session?.status).toBe('Completed');
  });

  it('that ended in another window shows how the form is now', async () => {
    const { payment } = await challenged({
      challenge: [error(400, 3201, 'Rejected')],
      session: [success(approved)],
    });
    await payment.askChallenge();
    expect(payment.state.session?.status).toBe('Completed');
  });

  it('of a payment with an unknown outcome tells the customer not to pay again', async () => {
    const { payment, statuses } = await challenged({
      submit: success(open),
      challenge: [error(500, 3000, 'Interrupted')],
      session: [success({ ...waiting, status: 'Interrupted', resultCode: 9999 }), success(approved)],
    });
    await payment.finishChallenge();
    expect(statuses).toContain('Interrupted');
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    expect(payment.state.session?.status).toBe('Completed');
  });

  it('is found by a page whose submission got no answer', async () => {
    const { payment } = await challenged({ submit: lost, session: [success(open)] });
    expect(payment.state).toMatchObject({ activity: 'waiting', session: { resultCode: 4100 } });
    expect(payment.state.notice).toBeUndefined();
  });
});
