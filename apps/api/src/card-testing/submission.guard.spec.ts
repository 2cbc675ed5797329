import { Metrics, noLog } from '@tillstream/platform';
import { ApiError } from '../http/api.error.js';
import { SubmissionGuard, tooManySubmissions } from './submission.guard.js';
import { SUBMISSION_LIMITS, type SubmissionLimitSettings, type Submission } from './submission.limits.js';

const submission: Submission = { ip: '192.0.2.1', bin: '42424242', merchantId: 'mer_1' };
const metrics = new Metrics({ app: 'api', version: '1', mode: 'sandbox' });
afterAll(() => metrics.close());

function createGuard(allowed: Partial<SubmissionLimitSettings>) {
  const alerts: unknown[] = [];
  const log = { ...noLog, error: (...line: unknown[]) => void alerts.push(line) };
  const none = { ipSubmissions: 0, ipDeclines: 0, binDeclines: 0, merchantDeclines: 0 };
  const guard = new SubmissionGuard({ ...none, ...allowed }, { observability: { metrics } }, log);
  const decline = (of: Partial<Submission> = {}) =>
    guard.admit(
      { ...submission, ...of },
      () => Promise.resolve('declined'),
      () => 'Declined' as const,
    );
  return { guard, alerts, decline };
}

const error = (run: Promise<unknown>): Promise<unknown> => run.catch((caught: unknown) => caught);

async function refusals(): Promise<Record<string, number>> {
  const { body } = await new Promise<void>((resolve) => setTimeout(resolve, 510)).then(() => metrics.text());
  const lines = [...body.matchAll(/^tillstream_form_submissions_refused_total\{limit="(\w+)".*\} (\d+)$/gm)];
  return Object.fromEntries(lines.map(([, limit = '', count]) => [limit, Number(count)]));
}

describe('A submission over a limit', () => {
  it('is answered with 429, 3000, Rejected and Retry-After, and does not run', async () => {
    const { guard, decline } = createGuard({ ipDeclines: 1 });
    expect(await decline()).toBe('declined');
    let ran = false;
    const refused = await error(
      guard.admit(
        submission,
        () => Promise.resolve((ran = true)),
        () => 'Approved',
      ),
    );
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ http: 429, code: 3000, status: 'Rejected', errorDetails: [] });
    expect(Number((refused as ApiError).headers['retry-after'])).toBeGreaterThan(590);
    expect(ran).toBe(false);
  });

  it('has a message that says what to do, and no number, address or BIN', () => {
    for (const limit of SUBMISSION_LIMITS) {
      const { message } = tooManySubmissions({ limit, retryAfterSeconds: 60 });
      expect(message).toMatch(/^Too many payments .*; try again later.*\.$/);
      expect(message).not.toMatch(/\d/);
    }
  });

  it('is counted by its limit, from 0 on', async () => {
    const before = await refusals();
    expect(Object.keys(before).sort()).toEqual(['Bin', 'Ip', 'Merchant']);
    const { decline } = createGuard({ binDeclines: 1 });
    for (let n = 0; n < 4; n++) await error(decline());
    expect(await refusals()).toEqual({ ...before, Bin: (before.Bin ?? 0) + 3 });
  });

  it('alerts once for its merchant, and again for another, without address and BIN', async () => {
    const { decline, alerts } = createGuard({ ipDeclines: 1 });
    for (let n = 0; n < 5; n++) await error(decline());
    for (let n = 0; n < 5; n++) await error(decline({ merchantId: 'mer_2' }));
    expect(alerts).toEqual([
      ['card-testing-suspected', { merchantId: 'mer_1', kind: 'Ip' }],
      ['card-testing-suspected', { merchantId: 'mer_2', kind: 'Ip' }],
    ]);
  });

  it('does not alert while others are in flight: that is what a rush of customers looks like', async () => {
    const { guard, alerts } = createGuard({ binDeclines: 1 });
    let finish = (): void => undefined;
    const slow = guard.admit(
      submission,
      () => new Promise<void>((resolve) => (finish = resolve)),
      () => 'Approved' as const,
    );
    expect(await error(approve(guard))).toMatchObject({ http: 429, headers: { 'retry-after': '2' } });
    finish();
    await slow;
    expect(await approve(guard)).toBe('approved');
    expect(alerts).toEqual([]);
  });
});

const approve = (guard: SubmissionGuard): Promise<string> =>
  guard.admit(
    submission,
    () => Promise.resolve('approved'),
    () => 'Approved',
  );

describe('A submission that throws', () => {
  it('throws the same error, and does not count as declined', async () => {
    const { guard } = createGuard({ ipDeclines: 1 });
    const failure = new Error('store');
    for (let n = 0; n < 3; n++) {
      const failing = guard.admit(
        submission,
        () => Promise.reject(failure),
        () => 'Declined',
      );
      expect(await error(failing)).toBe(failure);
    }
  });
});
