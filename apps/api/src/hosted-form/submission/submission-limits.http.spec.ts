import { noLog } from '@tillstream/platform';
import { refusal, startTestApi, type TestApi } from '../../testing/test.api.js';
import { ACH, openBankForm } from '../bank-forms/bank.testing.js';
import { entered, TestForm } from '../form.testing.js';

const DECLINED = '4000000000000002';
const DECLINED_AFTER_CHALLENGE = '4000008400001629';

let api: TestApi;
const logged: unknown[] = [];
beforeAll(async () => {
  const log = { ...noLog, error: (...line: unknown[]) => void logged.push(line) };
  const limits = {
    FORM_LIMITS: 'always',
    FORM_LIMIT_IP_DECLINES_PER_10_MINUTES: '3',
    TRUSTED_PROXIES: '127.0.0.1,::1,::ffff:127.0.0.1',
  };
  api = await startTestApi(limits, log);
});
afterAll(() => api.stop());

/** From an address, as a proxy reports it. */
const from = (ip: string, key?: string) => ({
  headers: { 'x-forwarded-for': ip, ...(key !== undefined && { 'idempotency-key': key }) },
});

describe('A submission over the limit of its address', () => {
  it('gets 429, 3000 with Retry-After, is no attempt, and its form goes on', async () => {
    const forms = await Promise.all([1, 2].map(() => TestForm.open(api, 'virtual-sale')));
    const [first, second] = forms as [TestForm, TestForm];
    await first.submitted(entered(DECLINED), from('192.0.2.1'));
    await first.submitted(entered(DECLINED), from('192.0.2.1', 'repeated'));
    await second.submitted(entered(DECLINED), from('192.0.2.1'));

    const refused = await second.submit(entered(), from('192.0.2.1'));
    expect(refusal(refused)).toBe('429 3000 Rejected');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500);
    expect(refused.text).not.toMatch(/192|4242|400000/);
    expect(await second.session()).toMatchObject({ status: 'Pending', triesLeft: 4 });

    // A repeated key begins no attempt, so its answer is never refused.
    const repeated = await first.submitted(entered(DECLINED), from('192.0.2.1', 'repeated'));
    expect(repeated).toMatchObject({ status: 'Pending', triesLeft: 3 });

    const elsewhere = await second.submitted(entered(), from('192.0.2.2'));
    expect(elsewhere).toMatchObject({ status: 'Completed', responseCode: 1 });
    const { merchantId } = api.running.facts;
    expect(logged).toEqual([['card-testing-suspected', { merchantId, kind: 'Ip' }]]);
  });

  it('has a metric of its own, and is no request over a merchant’s rate limit', async () => {
    const { text } = await api.get('/metrics', { key: null });
    expect(text).toMatch(/^tillstream_form_submissions_refused_total\{limit="Ip",app="api"\} 1$/m);
    expect(text).not.toMatch(/^tillstream_http_rate_limited_total\{.*\} [1-9]/m);
    expect(text).toContain('tillstream_alerts_total{event="card-testing-suspected",app="api"} 1\n');
  });

  it('is counted after a challenge too, once however often the form comes back', async () => {
    const form = await TestForm.open(api, 'virtual-sale', {
      formConfig: { billingInfoCaptureLevel: 'Full', enable3DSecure: true },
    });
    const ip = from('192.0.2.9');
    for (let n = 0; n < 2; n++) {
      const opened = await form.submitted(entered(DECLINED_AFTER_CHALLENGE), ip);
      const { pathname } = new URL(opened.threeDsChallenge?.redirectUrl ?? '');
      await api.call('POST', pathname, { key: null, body: { code: '123456', complete: false } });
      for (let again = 0; again < 3; again++) await form.challenge(ip);
    }
    expect((await form.session()).triesLeft).toBe(3);
    await form.submitted(entered(DECLINED), ip);
    expect(refusal(await form.submit(entered(), ip))).toBe('429 3000 Rejected');
  });

  it('is not counted by a wrong field: that is no submission', async () => {
    const form = await TestForm.open(api, 'virtual-sale');
    for (let n = 0; n < 5; n++) {
      expect((await form.submit(entered('4242424242424241'), from('192.0.2.3'))).status).toBe(400);
    }
    expect((await form.submit(entered(), from('192.0.2.3'))).status).toBe(200);
  });
});

describe('Bank accounts that are stored', () => {
  it('allow no more declined cards of their merchant', async () => {
    const limits = { FORM_LIMITS: 'always', FORM_LIMIT_MERCHANT_DECLINES_PER_10_MINUTES: '1' };
    const limited = await startTestApi(limits);
    try {
      for (const name of ['token', 'virtual-sale'])
        await (await openBankForm(limited, ACH, {}, name)).submitted(ACH.entered());
      const cards = await TestForm.open(limited, 'virtual-sale');
      await cards.submitted(entered(DECLINED));
      expect(refusal(await cards.submit(entered(DECLINED)))).toBe('429 3000 Rejected');
      const bank = await openBankForm(limited, ACH);
      expect(refusal(await bank.submit(ACH.entered()))).toBe('429 3000 Rejected');
    } finally {
      await limited.stop();
    }
  });
});

describe('Parallel submissions from one address', () => {
  it('pass only as many as the limit allows declines', async () => {
    const forms = await Promise.all(Array.from({ length: 12 }, () => TestForm.open(api, 'virtual-sale')));
    const replies = await Promise.all(forms.map((form) => form.submit(entered(DECLINED), from('192.0.2.4'))));
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(3).fill(200), ...Array<number>(9).fill(429)]);
  });
});
