import type { ProcessorState } from '@tillstream/contracts';
import { envelopeOf, refusal, startTestApi } from '../../testing/test.api.js';

const OPEN_MS = 2_500;

describe('The circuit breaker of a processor', () => {
  it('opens for calls that fail, keeps payments from being sent, and closes when one is answered', async () => {
    const api = await startTestApi({ BREAKER_FAILURES: '3', BREAKER_OPEN_MS: String(OPEN_MS) });
    const sell = (amount: number) => api.operation('physical-sale', { amount });
    const state = async () => (await api.list<ProcessorState>('/admin/v1/processors')).data[0]?.state;
    const auth = await api.transaction('physical-auth', { amount: 5_000 });
    // Of four answers three fail.
    for (let n = 0; n < 3; n++) expect(refusal(await sell(920_004))).toBe('500 9000 Rejected');
    expect(await state()).toBe('Open');

    const held = await sell(1_000);
    expect(refusal(held)).toBe('500 9000 Rejected');
    const [about, why] = envelopeOf(held).errorDetails;
    expect(why?.details).toBe('processor sandbox does not answer: its circuit breaker is open');
    expect(await api.look(about?.details ?? '')).toMatchObject({ status: 'Cancelled', resultCode: 9998 });

    // The end of an authorization's life is reversed all the same: that gives money back.
    await api.call('POST', '/admin/v1/sandbox/clock', { body: { advanceSeconds: 8 * 86_400 } });
    expect((await api.get(`/v1/transactions/${auth.id}/events`)).text).toContain('"Reversed"');

    await new Promise((resolve) => setTimeout(resolve, OPEN_MS + 100));
    expect((await sell(1_000)).status).toBe(200);
    expect(await state()).toBe('Closed');
    await api.stop();
  });

  it('stays closed for declines, and for terminals and customers that end a payment', async () => {
    const api = await startTestApi({ BREAKER_FAILURES: '1', BREAKER_FAILURE_PERCENT: '1' });
    const terminal = api.method('Front counter').id;
    for (const amount of [900_051, 900_091, 911_003, 913_010, 919_999, 940_050]) {
      await api.operation('physical-sale', { amount });
    }
    await api.setTerminal(terminal, { mode: 'LowBattery' });
    await api.operation('physical-sale', { amount: 1_000 });
    await api.setTerminal(terminal, {});
    expect((await api.operation('physical-sale', { amount: 1_000 })).status).toBe(200);
    expect((await api.list<ProcessorState>('/admin/v1/processors')).data[0]?.state).toBe('Closed');
    await api.stop();
  });

  it('switched off never opens', async () => {
    const api = await startTestApi({ BREAKER_FAILURES: '0' });
    for (let n = 0; n < 30; n++) await api.operation('physical-sale', { amount: 920_004 });
    expect((await api.operation('physical-sale', { amount: 1_000 })).status).toBe(200);
    await api.stop();
  });
});
