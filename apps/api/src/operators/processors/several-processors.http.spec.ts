import type { ListPage, ProcessorState, Readiness, UnknownOutcome } from '@tillstream/contracts';
import {
  envelopeOf,
  refusal,
  resultOf,
  startTestApi,
  type Reply,
  type TestApi,
} from '../../testing/test.api.js';
import { SANDBOX_SECRET } from '../../testing/test.sandbox.js';
import { answerOf } from '../unknown-outcomes/unknown-outcomes.testing.js';

const UNKNOWN = '/admin/v1/unknown-outcomes';
/** Executed, and never answered: found by an inquiry. */
const LOST = 920_001;

/** Canadian terminals go to a second simulated processor, everything else to the first. */
const BESIDE = {
  MORE_SANDBOXES: 'harbor=embedded',
  PROCESSOR_ROUTES: '*/CardPresent/CAD=harbor:h-7,*/*/*=sandbox:s-1',
};

describe('Two processors side by side', () => {
  let api: TestApi;
  beforeEach(async () => {
    api = await startTestApi(BESIDE);
  });
  afterEach(() => api.stop());

  const again = async (settings: Record<string, string>): Promise<void> => {
    const { dataDir } = api;
    await api.stop({ keepData: true });
    api = await startTestApi({ ...settings, DATA_DIR: dataDir });
  };
  const sale = (description: string, amount: number) =>
    api.operation('physical-sale', { amount, paymentMethodId: api.method(description).id });
  /** Calls that a processor got since this instance was started, by their kind. */
  const callsOf = async (processor: string): Promise<Readonly<Record<string, number>>> => {
    const { text } = await api.get('/metrics', { key: null });
    const calls: Record<string, number> = {};
    for (const [, labels = '', count] of text.matchAll(
      /processor_call_duration_seconds_count\{(.*)\} (\d+)/g,
    )) {
      if (!labels.includes(`processor="${processor}"`)) continue;
      const call = /call="(\w+)"/.exec(labels)?.[1] ?? '';
      calls[call] = (calls[call] ?? 0) + Number(count);
    }
    return calls;
  };
  const unknown = async (): Promise<readonly string[]> => {
    const { text } = await api.get(UNKNOWN);
    return (JSON.parse(text) as ListPage<UnknownOutcome>).data.map(({ transactionId }) => transactionId);
  };
  const untilItMayBeInquired = async (id: string): Promise<Reply> => {
    for (;;) {
      const reply = await api.call('POST', `${UNKNOWN}/${id}/inquire`, { body: {} });
      if (reply.status !== 409) return reply;
      await new Promise((resume) => setTimeout(resume, 50));
    }
  };
  const untilListed = async (id: string): Promise<void> => {
    while (!(await unknown()).includes(id)) await new Promise((resume) => setTimeout(resume, 50));
  };

  it('each gets what its route leads to', async () => {
    const { text } = await api.get('/admin/v1/processors');
    const { data } = JSON.parse(text) as ListPage<ProcessorState>;
    expect(data.map(({ name }) => name)).toEqual(['sandbox', 'harbor']);
    resultOf(await sale('Front counter', 1_000));
    resultOf(await sale('Mobile', 1_000));
    resultOf(await sale('Mobile', 1_000));
    expect([await callsOf('sandbox'), await callsOf('harbor')]).toEqual([{ sale: 1 }, { sale: 2 }]);
  });

  it('a switch of routes leaves with its processor what was begun there', async () => {
    const cad = resultOf(await sale('Mobile', 1_000));
    await again({ ...BESIDE, PROCESSOR_ROUTES: '*/*/*=sandbox:s-2' });
    const refund = await api.transaction('refund', { originalTransactionId: cad.id, amount: 400 });
    expect(refund).toMatchObject({ status: 'Completed', transactionResponses: [{ responseCode: 1 }] });
    resultOf(await sale('Mobile', 500));
    expect([await callsOf('sandbox'), await callsOf('harbor')]).toEqual([{ sale: 1 }, { void: 1 }]);
  });

  it('one that is switched off in the middle: what it did waits for an operator, the other goes on', async () => {
    const lost = await sale('Mobile', LOST);
    expect(lost.status).toBe(500);
    const id = envelopeOf(lost).errorDetails[0]?.details?.match(/trx_\w+/)?.[0] ?? '';
    await again({});

    await untilListed(id);
    expect(answerOf(await untilItMayBeInquired(id))).toMatchObject({ state: 'Unknown' });
    expect(await api.look(id)).toMatchObject({ status: 'Interrupted', resultCode: 9999 });
    expect(resultOf(await sale('Mobile', 700))).toMatchObject({ status: 'Completed' });
    expect(refusal(await api.operation('refund', { originalTransactionId: id }))).toMatch(/^409 3401/);
    // Neither annulled nor closed, and the other processor was never asked about it.
    const { data } = await api.list<{ type: string }>(`/v1/transactions/${id}/events`);
    expect(data.map(({ type }) => type)).toEqual(['SaleRequested', 'TryRequested', 'Interrupted']);
    expect(await callsOf('sandbox')).toEqual({ sale: 1 });

    await again(BESIDE);
    await untilItMayBeInquired(id);
    const found = await api.look(id);
    expect(found).toMatchObject({ status: 'Completed', transactionResponses: [{ responseCode: 1 }] });
  });

  it('readiness warns of an unreachable one, by its address, also without a route to it', async () => {
    const away = { MORE_SANDBOXES: 'pier=http://127.0.0.1:1', SANDBOX_SECRET };
    const processors = async (): Promise<readonly object[]> => {
      const { checks } = JSON.parse((await api.get('/health/ready', { key: null })).text) as Readiness;
      return checks.filter(({ name }) => name === 'processors');
    };
    expect(await processors()).toEqual([{ name: 'processors', state: 'ok' }]);
    const reason = expect.stringContaining('the sandbox at http://127.0.0.1:1 can not be reached') as string;
    for (const routes of ['*/*/CAD=pier:p-1,*/*/*=sandbox:s-1', '*/*/*=pier:p-1']) {
      await again({ ...away, PROCESSOR_ROUTES: routes });
      expect(await processors()).toEqual([{ name: 'processors', state: 'warning', reason }]);
    }
  });
});
