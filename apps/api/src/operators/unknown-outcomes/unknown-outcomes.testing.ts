import type { ListPage, UnknownOutcome, UnknownOutcomeAnswer } from '@tillstream/contracts';
import { envelopeOf, refusal, type Call, type Reply, type TestApi } from '../../testing/test.api.js';

export const PATH = '/admin/v1/unknown-outcomes';
export const reason = 'the acquirer says so on the phone';
/** Its answer is lost and three inquiries fail: unknown for as long as a test needs it. */
export const LOST = 920_003;
/** The circuit breaker is off: these tests lose many answers of the processor. */
export const ALWAYS_ASKED = { BREAKER_FAILURES: '0' };
/** The resolver makes one inquiry by itself; the next one is due after a day. */
export const ONE_INQUIRY = { ...ALWAYS_ASKED, INQUIRY_STEPS_MS: '86400000', INQUIRY_EVERY_MS: '86400000' };
export const NONE_DUE = { ...ALWAYS_ASKED, SEND_WITHIN_MS: '5000', INQUIRY_MARGIN_MS: '600000' };

export const answerOf = ({ status, text }: Reply): UnknownOutcomeAnswer => {
  if (status !== 200) throw new Error(`${status} ${text}`);
  return JSON.parse(text) as UnknownOutcomeAnswer;
};
export const operations = (api: TestApi) => ({
  /** A sale that is answered 500, Interrupted. */
  unknownSale: async (amount = LOST, call: Call = {}, more: object = {}): Promise<string> => {
    const reply = await api.operation('physical-sale', { amount, ...more }, call);
    if (refusal(reply) !== '500 3000 Interrupted') throw new Error(`not unknown: ${reply.text}`);
    return envelopeOf(reply).errorDetails[0]?.details ?? '';
  },
  listed: async (query = '', call: Call = {}): Promise<ListPage<UnknownOutcome>> =>
    api.list(PATH + query, call),
  inquire: (id: string, call: Call = {}) => api.call('POST', `${PATH}/${id}/inquire`, { body: {}, ...call }),
  resolve: (id: string, body: object, call: Call = {}) =>
    api.call('POST', `${PATH}/${id}/resolve`, { body, ...call }),
});

/** Repeats `inquire` until the service accepts it and the outcome is known. */
export async function untilKnown(api: TestApi, id: string): Promise<void> {
  const until = Date.now() + 60_000;
  for (;;) {
    const reply = await operations(api).inquire(id);
    if (reply.status === 400 || (reply.status === 200 && answerOf(reply).state === 'Known')) return;
    if (Date.now() > until) throw new Error(`still unknown: ${reply.text}`);
    await new Promise((resume) => setTimeout(resume, 50));
  }
}

/** Until the resolver has made the inquiry that it makes by itself. */
export async function untilInquired(api: TestApi, id: string): Promise<UnknownOutcome> {
  const until = Date.now() + 60_000;
  for (;;) {
    const { data } = await operations(api).listed('?limit=100');
    const found = data.find(({ transactionId }) => transactionId === id);
    if (found && found.inquiries >= 1) return found;
    if (Date.now() > until) throw new Error(`no inquiry into ${id}`);
    await new Promise((resume) => setTimeout(resume, 50));
  }
}
