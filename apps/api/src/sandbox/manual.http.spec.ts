import type { SandboxTerminal, TransactionResult } from '@tillstream/contracts';
import {
  envelopeOf,
  refusal,
  resultOf,
  startTestApi,
  type Reply,
  type TestApi,
} from '../testing/test.api.js';

const DEBIT = '4000056655665556';
const INTERAC = '4506440000000009';

let api: TestApi;
let counter: string;
let mobile: string;
beforeAll(async () => {
  api = await startTestApi({ TERMINAL_DEADLINE_MS: '20000', SEND_WITHIN_MS: '3000' });
  counter = api.method('Front counter').id;
  mobile = api.method('Mobile').id;
  for (const id of [counter, mobile]) await api.setTerminal(id, { mode: 'Manual' });
});
afterAll(() => api.stop());

const path = (id: string) => `/admin/v1/sandbox/terminals/${id}`;
const act = (body: unknown, id = counter): Promise<Reply> =>
  api.call('POST', `${path(id)}/customer`, { body });
const shown = (reply: Reply) => JSON.parse(reply.text) as SandboxTerminal;
const waiting = async (id = counter) => shown(await api.get(path(id))).waiting;

interface Begun {
  readonly waits: NonNullable<SandboxTerminal['waiting']>;
  readonly reply: Promise<Reply>;
}

/** A request that is under way until the customer did something. */
async function begin(call: string, body: object, id = counter): Promise<Begun> {
  const reply = api.call('POST', `/v1/${call}`, { body: { paymentMethodId: id, ...body } });
  let early: Reply | undefined;
  void reply.then((came) => (early = came));
  while (!early) {
    const waits = await waiting(id);
    if (waits) return { waits, reply };
    await new Promise((resume) => setTimeout(resume, 10));
  }
  throw new Error(`it did not wait: ${early.status} ${early.text}`);
}
const sale = (amount = 1_250, id?: string) => begin('transactions/physical-sale', { amount }, id);
const result = async ({ reply }: Begun): Promise<TransactionResult> => resultOf(await reply);
/** `Completed 0 1`: status, result code, response codes. */
const ending = ({ status, resultCode, transactionResponses }: TransactionResult) =>
  [status, resultCode, ...transactionResponses.map(({ responseCode }) => responseCode)].join(' ');

describe('A manual terminal', () => {
  it('shows who it waits for, and answers the sale when the customer taps', async () => {
    const begun = await sale();
    expect(await api.look(begun.waits.transactionId)).toMatchObject({ status: 'Pending', resultCode: 1010 });
    expect(begun.waits).toEqual({ transactionId: begun.waits.transactionId, amount: 1_250, currency: 'USD' });
    const after = shown(await act({ action: 'Tap' }));
    expect(after).toEqual({ id: counter, mode: 'Manual', card: null, waiting: null });
    const paid = await result(begun);
    expect(paid.id).toBe(begun.waits.transactionId);
    expect(ending(paid)).toBe('Completed 0 1');
    expect(paid.transactionResponses[0]?.receipt?.lines).toContain('Entry: contactless');
    expect(await waiting()).toBeNull();
  });

  it('asks an inserted debit card for its PIN: 1234 is right, any other ends with 17', async () => {
    const right = await sale();
    expect(shown(await act({ action: 'Insert', card: DEBIT })).waiting).toEqual(right.waits);
    await act({ action: 'Pin', pin: '1234' });
    expect(ending(await result(right))).toBe('Completed 0 1');
    const wrong = await sale();
    await act({ action: 'Insert', card: DEBIT });
    await act({ action: 'Pin', pin: '9999' });
    expect(ending(await result(wrong))).toBe('Completed 0 17');
  });

  it('reads the chip of a credit card, and swipes any', async () => {
    const inserted = await sale();
    await act({ action: 'Insert', card: '5555555555554444' });
    const paid = await result(inserted);
    expect(ending(paid)).toBe('Completed 0 1');
    expect(paid.transactionResponses[0]?.receipt?.lines).toContain('Entry: chip');
    const swiped = await sale();
    await act({ action: 'Swipe', card: 'GIFT' });
    expect((await result(swiped)).transactionResponses[0]?.cardType).toBe('GIFT');
  });

  it('follows the tables of cards and amounts', async () => {
    const declined = await sale();
    await act({ action: 'Tap', card: '4000000000009995' });
    expect(ending(await result(declined))).toBe('Completed 0 11');
    const partly = await sale(900_010);
    await act({ action: 'Tap' });
    expect(ending(await result(partly))).toBe('Completed 0 2');
    const faulty = await api.transaction('physical-sale', { amount: 913_005, paymentMethodId: counter });
    expect(ending(faulty)).toBe('Cancelled 3005 51');
  });

  it('begins authorizations, unreferenced refunds and tokens with a customer', async () => {
    const auth = await begin('transactions/physical-auth', { amount: 700 });
    await act({ action: 'Tap' });
    expect(ending(await result(auth))).toBe('Completed 0 1');
    const refund = await begin('transactions/unreferenced-physical-refund', { amount: 300 });
    await act({ action: 'Swipe' });
    expect(await result(refund)).toMatchObject({ type: 'UnreferencedRefund', status: 'Completed' });
    const token = await begin('payment-methods/physical', {});
    expect(token.waits).toMatchObject({ amount: 0, currency: 'USD' });
    await act({ action: 'Tap', card: '5555555555554444' });
    const stored = await result(token);
    expect(stored.paymentMethod).toMatchObject({ type: 'Token', maskedCardNumber: '************4444' });
    const left = await begin('payment-methods/physical', {});
    await act({ action: 'Cancel' });
    expect(ending(await result(left))).toBe('Cancelled 0 55');
  });

  it('takes INTERAC for a sale in CAD with its PIN; an authorization and USD end with 18', async () => {
    const cad = await sale(900, mobile);
    await act({ action: 'Insert', card: INTERAC }, mobile);
    await act({ action: 'Pin', pin: '1234' }, mobile);
    expect(ending(await result(cad))).toBe('Completed 0 1');
    const auth = await begin('transactions/physical-auth', { amount: 900 }, mobile);
    await act({ action: 'Insert', card: INTERAC }, mobile);
    expect(ending(await result(auth))).toBe('Completed 0 18');
    const usd = await sale();
    await act({ action: 'Tap', card: INTERAC });
    expect(ending(await result(usd))).toBe('Completed 0 18');
  });

  it('ends with 55 when the customer cancels', async () => {
    const begun = await sale();
    await act({ action: 'Cancel' });
    const ended = await result(begun);
    expect(ending(ended)).toBe('Cancelled 0 55');
    expect(await api.look(ended.id)).toEqual(ended);
  });

  it("ends with 3010 and 56 after 120 s of the service's clock", async () => {
    const begun = await sale();
    await api.call('POST', '/admin/v1/sandbox/clock', { body: { advanceSeconds: 120 } });
    expect(await waiting()).toBeNull();
    expect(refusal(await act({ action: 'Tap' }))).toBe('409 3400 Rejected');
    expect(ending(await result(begun))).toBe('Cancelled 3010 56');
  });

  it('takes no second transaction while one is on it: 1003', async () => {
    const first = await sale();
    const second = await api.transaction('physical-sale', { amount: 1, paymentMethodId: counter });
    expect(ending(second)).toBe('Cancelled 1003 53');
    await act({ action: 'Tap' });
    expect(ending(await result(first))).toBe('Completed 0 1');
  });

  it('that loses its link while it waits has an outcome that is found later', async () => {
    const begun = await sale();
    await api.setTerminal(counter, { mode: 'LostLink' });
    const lost = await begun.reply;
    expect(refusal(lost)).toBe('500 3000 Interrupted');
    await act({ action: 'Tap' });
    await api.setTerminal(counter, { mode: 'Manual' });
    for (;;) {
      const found = await api.look(begun.waits.transactionId);
      if (found.status === 'Completed') return expect(ending(found)).toBe('Completed 0 1');
      await new Promise((resume) => setTimeout(resume, 50));
    }
  });
});

describe('What a customer does', () => {
  const wrong: [body: unknown, fields: string][] = [
    [{}, 'action'],
    [{ action: 'Sing' }, 'action'],
    [{ action: 'tap' }, 'action'],
    [{ action: 'Tap', card: '4111111111111111' }, 'card'],
    [{ action: 'Tap', card: '4000000000006918' }, 'card'],
    [{ action: 'Tap', card: 4242 }, 'card'],
    [{ action: 'Pin' }, 'pin'],
    [{ action: 'Pin', pin: 1234 }, 'pin'],
    [{ action: 'Pin', pin: '12x4' }, 'pin'],
    [{ action: 'Cancel', card: 'GIFT', pin: '1234' }, 'card pin'],
    [{ action: 'Sing', card: 'PAPER', pin: '', tip: 1 }, 'tip pin action card'],
  ];
  it.each(wrong)('%j is refused: 400, 2000', async (body, fields) => {
    const reply = await act(body);
    const [status, code, execution, ...named] = refusal(reply).split(' ');
    expect([status, code, execution].join(' ')).toBe('400 2000 Rejected');
    expect(named.sort()).toEqual(fields.split(' ').sort());
    expect(reply.text).not.toMatch(/4111111111111111|4000000000006918|12x4/);
  });

  it('without a waiting customer is 409, 3400; at an unknown terminal 404, 4002', async () => {
    for (const body of [{ action: 'Tap' }, { action: 'Pin', pin: '1234' }, { action: 'Cancel' }]) {
      const reply = await act(body);
      expect(refusal(reply)).toBe('409 3400 Rejected');
      expect(envelopeOf(reply).message).toContain('waits');
    }
    expect(refusal(await act({ action: 'Tap' }, 'pmt_trm_x'))).toBe('404 4002 Rejected id');
  });

  it('needs a body, and the key of an operator', async () => {
    expect(refusal(await api.call('POST', `${path(counter)}/customer`))).toBe('400 2900 Rejected body');
    const call = { body: { action: 'Tap' }, key: api.key };
    expect(refusal(await api.call('POST', `${path(counter)}/customer`, call))).toBe('401 1000 Rejected');
  });

  it('is done once under one Idempotency-Key', async () => {
    const begun = await sale();
    const call = { body: { action: 'Tap' }, headers: { 'idempotency-key': 'tap-once' } };
    const first = await api.call('POST', `${path(counter)}/customer`, call);
    await result(begun);
    const second = await api.call('POST', `${path(counter)}/customer`, call);
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });
});
