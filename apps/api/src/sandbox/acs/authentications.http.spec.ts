import type { FormProgress } from '@tillstream/contracts';
import { entered, progressIn, TestForm } from '../../hosted-form/form.testing.js';
import { refusal, startTestApi, type TestApi } from '../../testing/test.api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const CHALLENGED = '4000000000003220';
const CAVV = expect.stringMatching(/^[A-Za-z0-9+/]{27}=$/) as unknown;
const DS_TRANS_ID = expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown;
const formConfig = { billingInfoCaptureLevel: 'Full', enable3DSecure: true };
const open = (name = 'virtual-sale', body: object = {}): Promise<TestForm> =>
  TestForm.open(api, name, { formConfig, ...body });

/** A form whose cardholder has to answer a challenge, at this path of the simulated bank. */
async function challenged(
  number = CHALLENGED,
  name?: string,
  body?: object,
): Promise<{ readonly form: TestForm; readonly path: string }> {
  const form = await open(name, body);
  const progress = await form.submitted(entered(number));
  expect(progress).toMatchObject({ status: 'Pending', resultCode: 4100 });
  const address = progress.threeDsChallenge?.redirectUrl ?? '';
  expect(address).toMatch(new RegExp(`^${api.running.origin}/sandbox/acs/[\\w-]+$`));
  return { form, path: address.slice(api.running.origin.length) };
}
const answer = async (path: string, body: object): Promise<FormProgress> =>
  progressIn(await api.call('POST', path, { key: null, body }));

describe('A card on a form with 3-D Secure', () => {
  it.each([
    ['4242424242424242', { status: 'Authenticated', eci: '05', cavv: CAVV, dsTransId: DS_TRANS_ID }],
    ['5555555555554444', { status: 'Authenticated', eci: '02', cavv: CAVV, dsTransId: DS_TRANS_ID }],
    ['4000000000003063', { status: 'Attempted', eci: '06', cavv: CAVV, dsTransId: DS_TRANS_ID }],
    ['5200000000003076', { status: 'Attempted', eci: '01', cavv: CAVV, dsTransId: DS_TRANS_ID }],
    ['4000000000003089', { status: 'NotAuthenticated', eci: '07', dsTransId: DS_TRANS_ID }],
    ['5200000000003084', { status: 'NotAuthenticated', eci: '00', xid: CAVV, dsTransId: DS_TRANS_ID }],
  ])('%s is approved without a challenge, with %j', async (number, threeDs) => {
    const form = await open();
    expect(await form.submitted(entered(number))).toMatchObject({ status: 'Completed', responseCode: 1 });
    const paid = await form.look();
    expect(paid).toMatchObject({ resultCode: 0, transactionResponses: [{ responseCode: 1 }] });
    expect(paid.threeDs).toEqual(threeDs);
  });

  it.each([
    ['4000008400001280', 'Unavailable', 6801, 50],
    ['4000000000003055', 'NotEnrolled', 6802, 16],
  ])('%s is %s: result code %i, response code %i, nothing charged', async (number, status, result, code) => {
    const form = await open();
    expect(await form.submitted(entered(number))).toMatchObject({
      ...{ status: 'Pending', resultCode: result, responseCode: code, triesLeft: 4 },
    });
    expect((await form.look()).threeDs).toEqual({ status });
  });
});

describe('A challenge', () => {
  it('that is passed lets the sale go on, and the answer is like that of a submission', async () => {
    const { form, path } = await challenged();
    expect(await answer(path, { code: '123456' })).toMatchObject({
      ...{ transactionId: form.id, status: 'Completed', resultCode: 0, responseCode: 1 },
    });
    const paid = await form.look();
    expect(paid.threeDs).toEqual({ status: 'Authenticated', eci: '05', cavv: CAVV, dsTransId: DS_TRANS_ID });
    expect(paid).not.toHaveProperty('threeDsChallenge');
    expect(paid.transactionResponses).toMatchObject([{ responseCode: 1, cvvResult: 'M' }]);
  });

  it('that is failed ends the attempt with 6800, 17 and the reason; another card can be used', async () => {
    const { form, path } = await challenged();
    expect(await answer(path, { code: '000000' })).toMatchObject({
      ...{ status: 'Pending', resultCode: 6800, responseCode: 17, triesLeft: 4 },
    });
    expect((await form.look()).threeDs).toEqual({
      status: 'Failed',
      dsTransId: DS_TRANS_ID,
      threeDReasonId: '01',
      threeDReason: 'Card authentication failed',
    });
    expect(await form.submitted()).toMatchObject({ status: 'Completed', responseCode: 1 });
    const [paid, failed] = (await form.look()).transactionResponses;
    expect(paid?.paymentMethod?.maskedCardNumber).toMatch(/4242$/);
    expect(failed).toMatchObject({ responseCode: 17, amountApproved: 0 });
    expect(failed).not.toHaveProperty('paymentMethod.maskedCardNumber');
  });

  it('that is passed does not prevent a decline by the issuer', async () => {
    const { form, path } = await challenged('4000008400001629');
    expect(await answer(path, { code: '123456' })).toMatchObject({ resultCode: 6900, responseCode: 10 });
    expect((await form.look()).threeDs).toMatchObject({ status: 'Authenticated' });
  });

  it('is answered once: a second answer gets the state of the form', async () => {
    const { path } = await challenged();
    const first = await answer(path, { code: '123456' });
    for (const code of ['123456', '000000']) expect(await answer(path, { code })).toEqual(first);
  });

  it('that the bank only records leaves the attempt to the form', async () => {
    const { form, path } = await challenged();
    expect(await answer(path, { code: '123456', complete: false })).toEqual({ done: true });
    expect(await form.session()).toMatchObject({ status: 'Pending', resultCode: 4100 });
    const body = { cvv: '123' };
    const reply = await api.call('POST', `/pay/${form.sessionId}/challenge`, { key: null, body });
    expect(progressIn(reply)).toMatchObject({ status: 'Completed', resultCode: 0 });
  });

  it('lets the form take nothing else: 409, 3401', async () => {
    const { form } = await challenged();
    expect(refusal(await form.submit())).toBe('409 3401 Rejected');
    expect(refusal(await form.cancel())).toBe('409 3401 Rejected');
  });

  it('has its time in the session of the form, for the clock of its page', async () => {
    const { form, path } = await challenged();
    const { threeDsChallenge, now } = await form.session();
    expect(threeDsChallenge?.redirectUrl).toBe(api.running.origin + path);
    const leftMs = Date.parse(threeDsChallenge?.expiresAt ?? '') - Date.parse(now);
    expect(leftMs).toBeGreaterThan(590_000);
    expect(leftMs).toBeLessThanOrEqual(600_000);
    expect((await form.look()).threeDsChallenge).toEqual({ redirectUrl: api.running.origin + path });
  });

  it('shows the merchant and the amount, and nothing of the card but its last digits', async () => {
    const { form, path } = await challenged();
    const { text } = await api.get(path, { key: null });
    for (const shown of ['Maple Street Books', '$12.50 USD', '3220']) expect(text).toContain(shown);
    for (const hidden of [CHALLENGED, form.id, form.sessionId]) expect(text).not.toContain(hidden);
  });

  it('of a card that is stored goes on with the token', async () => {
    const { form, path } = await challenged(CHALLENGED, 'token');
    expect((await api.get(path, { key: null })).text).toContain('Save this card');
    expect(await answer(path, { code: '123456' })).toMatchObject({ status: 'Completed', resultCode: 0 });
    expect((await form.look()).paymentMethod).toMatchObject({ type: 'Token', cardType: 'VISA' });
  });

  it('has the address of the merchant to go back to', async () => {
    const returnUrl = 'http://localhost:8080/paid';
    const { form, path } = await challenged(CHALLENGED, 'virtual-sale', { returnUrl });
    const { redirectUrl } = await answer(path, { code: '123456' });
    expect(redirectUrl).toContain(`${returnUrl}?transactionId=${form.id}`);
  });

  it('that the cardholder did not answer fails after ten minutes, and its page is over', async () => {
    const { form, path } = await challenged();
    await api.call('POST', '/admin/v1/sandbox/clock', { body: { advanceSeconds: 600 } });
    expect(await form.look()).toMatchObject({ resultCode: 6800, threeDs: { threeDReasonId: '14' } });
    expect((await api.get(path, { key: null })).text).toContain('data-view="Over"');
    expect(await answer(path, { code: '123456' })).toMatchObject({ status: 'Pending', resultCode: 6800 });
  });

  it('is known by its id only', async () => {
    const { path } = await challenged();
    const body = { code: '123456' };
    expect(refusal(await api.call('POST', `${path}x`, { key: null, body }))).toBe('404 4000 Rejected');
    await answer(path, body);
  });
});
