import type { MerchantApplication } from '@tillstream/contracts';
import { answered } from '../../testing/eventually.js';
import { envelopeOf, refusal, startTestApi, type TestApi } from '../../testing/test.api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const NOBODY = 'mer_01JQ0000000000000000000000';
const step = (id: string, name: string, body: object = {}, headers: Record<string, string> = {}) =>
  api.call('POST', `/admin/v1/merchants/${id}/application/${name}`, { body, headers });
const taken = async (id: string, name: string, body: object = {}) =>
  answered<MerchantApplication>(await step(id, name, body));

describe('The application of a merchant', () => {
  it('goes step by step to its approval, and each answer has the status and the reason of the step', async () => {
    const { id: merchant } = await api.otherMerchant();
    const { id, ...started } = await taken(merchant, 'start');
    expect([id, started]).toEqual([
      expect.stringMatching(/^app_[0-9A-HJKMNP-TV-Z]{26}$/),
      { status: 'Started' },
    ]);
    const asked = { reason: 'The bank statement is missing.', requiredActions: ['Upload a bank statement'] };
    expect(await taken(merchant, 'require-action', asked)).toEqual({
      id,
      status: 'RequiresAction',
      ...asked,
    });
    expect(await taken(merchant, 'upload-info')).toEqual({ id, status: 'InfoUploaded' });
    expect(await taken(merchant, 'submit')).toEqual({ id, status: 'Submitted' });
    const review = { status: 'UnderReview', reason: 'An underwriter reads it.' };
    expect(await taken(merchant, 'change-status', review)).toEqual({ id, ...review });
    expect(await taken(merchant, 'approve')).toEqual({ id, status: 'Approved' });
  });

  it('takes no step out of order: 400, 2011, with those that are allowed', async () => {
    const { id } = await api.otherMerchant();
    const early = await step(id, 'approve');
    expect(refusal(early)).toBe('400 2011 Rejected');
    expect(envelopeOf(early).errorDetails[0]?.details).toBe('received approve, allowed start');
    await taken(id, 'start');
    await taken(id, 'submit');
    expect(refusal(await step(id, 'upload-info'))).toBe('400 2011 Rejected');
    await taken(id, 'reject', { reason: 'The business is not supported.' });
    for (const name of ['start', 'submit', 'change-status', 'approve'])
      expect((await step(id, name, name === 'change-status' ? { status: 'Again' } : {})).status).toBe(400);
  });

  it('takes a repeated request once', async () => {
    const { id } = await api.otherMerchant();
    const headers = { 'idempotency-key': 'start of the application' };
    const first = await step(id, 'start', {}, headers);
    const again = await step(id, 'start', {}, headers);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it.each<[string, object, string]>([
    ['require-action', {}, 'requiredActions'],
    ['require-action', { requiredActions: [] }, 'requiredActions'],
    ['require-action', { requiredActions: [''] }, 'requiredActions'],
    ['require-action', { requiredActions: Array(21).fill('x') }, 'requiredActions'],
    ['change-status', {}, 'status'],
    ['change-status', { status: 'Approved' }, 'status'],
    ['change-status', { status: 'x'.repeat(51) }, 'status'],
    ['reject', { reason: '' }, 'reason'],
    ['approve', { reason: 'good' }, 'reason'],
  ])('refuses %s with %j: 2000', async (name, body, field) => {
    const { id } = await api.otherMerchant();
    expect(refusal(await step(id, name, body))).toBe(`400 2000 Rejected ${field}`);
  });

  it('of an unknown merchant is 404, and so is a step that there is not', async () => {
    expect(refusal(await step(NOBODY, 'start'))).toBe('404 4000 Rejected');
    expect(refusal(await step('nobody', 'start'))).toBe('404 4000 Rejected');
    const { id } = await api.otherMerchant();
    expect((await step(id, 'finish')).status).toBe(404);
  });
});
