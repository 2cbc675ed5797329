import { readConfig } from '@tillstream/platform';
import type { SubmissionOutcome } from './keyed.limit.js';
import {
  submissionLimitSettings,
  binOf,
  issuerOf,
  submissionOutcome,
  SubmissionLimits,
  type SubmissionLimitSettings,
  type Submission,
} from './submission.limits.js';

const OFF: SubmissionLimitSettings = { ipSubmissions: 0, ipDeclines: 0, binDeclines: 0, merchantDeclines: 0 };
const MINUTE = 60_000;
const submission: Submission = { ip: '192.0.2.1', bin: '42424242', merchantId: 'mer_1' };

const isAllowed = (checked: ReturnType<SubmissionLimits['check']>) => checked.kind === 'Allowed';

/** Limits with a clock that `pass` moves; only those that are given are on. */
function createLimits(allowed: Partial<SubmissionLimitSettings>, keysMax?: number) {
  let now = 5 * MINUTE;
  const limits = new SubmissionLimits({ ...OFF, ...allowed }, () => now, keysMax);
  const begin = (of: Partial<Submission> = {}) => limits.check({ ...submission, ...of });
  const submit = (outcome: SubmissionOutcome, of: Partial<Submission> = {}) => {
    const checked = begin(of);
    if (checked.kind === 'Refused') return checked;
    checked.record(outcome);
    return undefined;
  };
  return {
    limits,
    submit,
    pass: (ms: number) => void (now += ms),
    /** How many of so many submissions are allowed. */
    allowed: (count: number, outcome: SubmissionOutcome, of?: Partial<Submission>) =>
      Array.from({ length: count }, () => submit(outcome, of)).filter((refused) => !refused).length,
    begin,
    /** Begins so many submissions at once. */
    burst: (count: number) => Array.from({ length: count }, () => begin()).filter(isAllowed),
  };
}

describe('The limit of an address', () => {
  it('allows its number of declines in ten minutes, with cards of any BIN, at any merchant', () => {
    const { allowed, submit } = createLimits({ ipDeclines: 3 });
    expect(allowed(2, 'Declined')).toBe(2);
    expect(allowed(5, 'Declined', { bin: '51000000', merchantId: 'mer_2' })).toBe(1);
    expect(submit('Approved')).toMatchObject({ limit: 'Ip', cause: 'Declines' });
    expect(submit('Declined', { ip: '192.0.2.2' })).toBeUndefined();
  });

  it('allows its number of submissions in ten minutes, approved or not', () => {
    const { allowed, submit } = createLimits({ ipSubmissions: 4, ipDeclines: 100 });
    expect(allowed(2, 'Approved') + allowed(1, 'Other') + allowed(5, 'Declined')).toBe(4);
    expect(submit('Approved')).toMatchObject({ limit: 'Ip', cause: 'Submissions' });
    expect(submit('Approved', { ip: '192.0.2.2' })).toBeUndefined();
  });

  it('is not raised by approvals: a tester of stolen cards has some', () => {
    const { allowed } = createLimits({ ipDeclines: 3 });
    allowed(50, 'Approved');
    expect(allowed(10, 'Declined')).toBe(3);
  });
});

describe('The limit of a BIN', () => {
  it('counts the declines of one BIN at one merchant, from any address', () => {
    const { submit } = createLimits({ binDeclines: 2 });
    for (const ip of ['192.0.2.1', '192.0.2.2']) submit('Declined', { ip });
    expect(submit('Declined', { ip: '192.0.2.3' })).toMatchObject({ limit: 'Bin', cause: 'Declines' });
    expect(submit('Declined', { bin: '42424243' })).toBeUndefined();
    expect(submit('Declined', { merchantId: 'mer_2' })).toBeUndefined();
  });

  it('allows one decline more for each approval, so that a popular card never locks itself out', () => {
    const { allowed } = createLimits({ binDeclines: 2 });
    expect(allowed(1, 'Declined')).toBe(1);
    expect(allowed(500, 'Approved')).toBe(500);
    expect(allowed(600, 'Declined')).toBe(501);
  });
});

describe('The limit of a merchant', () => {
  it('counts its declines, with cards of any BIN, from any address', () => {
    const { submit } = createLimits({ merchantDeclines: 2 });
    submit('Declined', { ip: '192.0.2.1', bin: '40000000' });
    submit('Declined', { ip: '192.0.2.2', bin: '51000000' });
    const third = { ip: '192.0.2.3', bin: '52000000' };
    expect(submit('Declined', third)).toMatchObject({ limit: 'Merchant', cause: 'Declines' });
    expect(submit('Declined', { ...third, merchantId: 'mer_2' })).toBeUndefined();
  });

  it('never refuses a sale with few declines, however many customers come', () => {
    const { allowed } = createLimits({ merchantDeclines: 5, binDeclines: 5 });
    for (let hundred = 0; hundred < 50; hundred++) {
      expect(allowed(90, 'Approved') + allowed(10, 'Declined')).toBe(100);
    }
  });

  it('counts approvals for at most ten minutes', () => {
    const { allowed, pass } = createLimits({ merchantDeclines: 2 });
    allowed(10, 'Approved');
    pass(9 * MINUTE);
    expect(allowed(3, 'Declined')).toBe(3);
    pass(MINUTE);
    expect(allowed(3, 'Declined')).toBe(0);
  });
});

describe('Submissions of the form', () => {
  it('without an answer of the issuer do not count as declined', () => {
    const { allowed } = createLimits({ ipDeclines: 2, binDeclines: 2, merchantDeclines: 2 });
    expect(allowed(100, 'Other')).toBe(100);
  });

  it('in flight count as declined until their outcome is recorded: of 1000 parallel ones only the limit passes', () => {
    const { begin, burst } = createLimits({ ipDeclines: 10, binDeclines: 20, merchantDeclines: 100 });
    const [first, ...others] = burst(1_000);
    expect(others).toHaveLength(9);
    expect(begin()).toEqual({ kind: 'Refused', limit: 'Ip', cause: 'InFlight', retryAfterSeconds: 2 });
    first?.record('Other');
    others.push(...burst(1_000));
    expect(others).toHaveLength(10);
    for (const one of others) one.record('Declined');
    expect(begin()).toMatchObject({ limit: 'Ip', cause: 'Declines' });
  });

  it('in flight at the start of a sale double with each round of approvals', () => {
    const { burst } = createLimits({ binDeclines: 20 });
    const rounds = Array.from({ length: 4 }, () => {
      const passed = burst(500);
      for (const one of passed) one.record('Approved');
      return passed.length;
    });
    expect(rounds).toEqual([20, 40, 80, 160]);
  });

  it('that were refused are not counted', () => {
    const { allowed, pass } = createLimits({ ipDeclines: 3, ipSubmissions: 3 });
    allowed(3, 'Declined');
    pass(5 * MINUTE);
    expect(allowed(100, 'Declined')).toBe(0);
    pass(6 * MINUTE);
    expect(allowed(100, 'Declined')).toBe(3);
  });

  it('that one limit refuses are not counted by the others', () => {
    const { allowed } = createLimits({ ipDeclines: 2, merchantDeclines: 4 });
    allowed(100, 'Declined');
    expect(allowed(100, 'Declined', { ip: '192.0.2.2' })).toBe(2);
  });

  it('without a recorded outcome count as declined for ten minutes', () => {
    const { burst, pass } = createLimits({ ipDeclines: 2 });
    expect(burst(3)).toHaveLength(2);
    pass(10 * MINUTE);
    expect(burst(3)).toHaveLength(0);
    pass(MINUTE);
    expect(burst(3)).toHaveLength(2);
  });

  it('that end after more than ten minutes make no room for another one', () => {
    const { burst, pass } = createLimits({ ipDeclines: 1 });
    const [slow] = burst(1);
    pass(11 * MINUTE);
    expect(burst(2)).toHaveLength(1);
    slow?.record('Other');
    expect(burst(2)).toHaveLength(0);
  });

  it('are unlimited with 0 everywhere', () => {
    const { allowed } = createLimits({});
    expect(allowed(10_000, 'Declined')).toBe(10_000);
  });
});

describe('Retry-After', () => {
  it('is the time until the oldest declines are forgotten, ten to eleven minutes after them', () => {
    const { submit, allowed, pass } = createLimits({ ipDeclines: 2 });
    submit('Declined');
    pass(3.5 * MINUTE);
    submit('Declined');
    const refused = submit('Declined');
    expect(refused?.retryAfterSeconds).toBe(7.5 * 60);
    pass((refused?.retryAfterSeconds ?? 0) * 1000 - 1);
    expect(allowed(1, 'Other')).toBe(0);
    pass(1);
    expect(allowed(1, 'Other')).toBe(1);
  });

  it('is that of the limit that refuses for longest', () => {
    const { submit, begin, pass } = createLimits({ ipDeclines: 1, merchantDeclines: 1 });
    submit('Declined', { merchantId: 'mer_2' });
    pass(5 * MINUTE);
    submit('Declined', { ip: '192.0.2.2' });
    expect(begin()).toMatchObject({ limit: 'Merchant', retryAfterSeconds: 11 * 60 });
  });
});

describe('A clock that goes backwards', () => {
  it('gives no submission back, and locks nothing for longer than eleven minutes', () => {
    const { allowed, submit, pass } = createLimits({ ipDeclines: 3 });
    pass(60 * MINUTE);
    allowed(2, 'Declined');
    pass(-60 * MINUTE);
    expect(allowed(100, 'Declined')).toBe(1);
    expect(submit('Declined')?.retryAfterSeconds).toBeLessThanOrEqual(11 * 60);
    pass(71 * MINUTE);
    expect(allowed(100, 'Declined')).toBe(3);
  });
});

describe('The memory of the limits', () => {
  it('has a bound: the address that was used longest ago is forgotten first, and begins with zero', () => {
    const { submit, allowed } = createLimits({ ipDeclines: 1 }, 2);
    for (const ip of ['a', 'b']) submit('Declined', { ip });
    expect(submit('Declined', { ip: 'a' })).toBeDefined();
    submit('Declined', { ip: 'c' });
    expect(submit('Declined', { ip: 'a' })).toBeDefined();
    expect(allowed(1, 'Declined', { ip: 'b' })).toBe(1);
  });

  it('forgets no BIN and no merchant in a flood of addresses', () => {
    const { submit } = createLimits({ ipDeclines: 1, binDeclines: 1, merchantDeclines: 2 }, 2);
    submit('Declined');
    const refusals = Array.from({ length: 10 }, (_, n) => submit('Declined', { ip: `address ${n}` }));
    expect(refusals.every((refused) => refused?.limit === 'Bin')).toBe(true);
  });

  it('has no address and no BIN in it', () => {
    const { limits, submit } = createLimits({ ipDeclines: 1, binDeclines: 1, merchantDeclines: 1 });
    submit('Declined');
    const keys = (
      limits as unknown as { limits: { counts: { counts: { keys(): Iterable<string> } } }[] }
    ).limits.flatMap(({ counts }) => [...counts.counts.keys()]);
    expect(keys).toHaveLength(3);
    expect(keys.join()).not.toMatch(/192|4242/);
  });
});

describe('A BIN', () => {
  it('is eight digits, or six of a number with less than 16', () => {
    expect(binOf('4242424242424242')).toBe('42424242');
    expect(binOf('6304000000000000018')).toBe('63040000');
    expect(binOf('378282246310005')).toBe('378282');
  });
});

it('A submission is counted by the BIN of its card, or the routing number of its bank account', () => {
  expect(issuerOf({ card: { number: '4242424242424242', expDate: '1234', cvv: '123' } })).toBe('42424242');
  const account = { routingNumber: '110000000', accountNumber: '000123456789', name: 'Ann Maple' };
  expect(issuerOf({ bankAccount: account })).toBe('110000000');
});

describe('The outcome of a submission', () => {
  it('is declined only if the issuer refused the card', () => {
    const codes = [1, 2, 10, 11, 12, 13, 14, 15, 16, 17, 18].map(submissionOutcome);
    expect(codes).toEqual(['Approved', 'Approved', ...Array<string>(9).fill('Declined')]);
    for (const code of [undefined, 0, 19, 20, 21, 50, 51, 52, 53, 57]) {
      expect(submissionOutcome(code)).toBe('Other');
    }
  });
});

describe('The configured limits', () => {
  it('do not apply in the sandbox, unless they apply always', () => {
    expect(submissionLimitSettings(readConfig({}))).toEqual(OFF);
    expect(
      submissionLimitSettings(
        readConfig({ FORM_LIMITS: 'always', FORM_LIMIT_BIN_DECLINES_PER_10_MINUTES: '7' }),
      ),
    ).toEqual({ ipSubmissions: 100, ipDeclines: 10, binDeclines: 7, merchantDeclines: 100 });
    expect(submissionLimitSettings({ ...readConfig({}), mode: 'live' })).toMatchObject({ ipDeclines: 10 });
  });
});
