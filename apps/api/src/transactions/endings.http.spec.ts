import type { TransactionResult } from '@tillstream/contracts';
import { envelopeOf, resultOf, startTestApi, type TestApi } from '../testing/test.api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const sell = (amount: number, more: object = {}) => api.transaction('physical-sale', { amount, ...more });
/** `Completed 0 1`: status, result code, response codes. */
const ending = ({ status, resultCode, transactionResponses }: TransactionResult) =>
  [status, resultCode, ...transactionResponses.map(({ responseCode }) => responseCode)].join(' ');

describe('A sale at a terminal ends', () => {
  const endings: [what: string, amount: number, ending: string][] = [
    ['approved', 1_000, 'Completed 0 1'],
    ['approved in part', 900_010, 'Completed 0 2'],
    ['declined', 900_005, 'Completed 0 10'],
    ['declined for insufficient funds', 900_051, 'Completed 0 11'],
    ['declined for an expired card', 900_054, 'Completed 0 12'],
    ['declined for suspected fraud', 900_059, 'Completed 0 13'],
    ['declined for invalid payment information', 900_014, 'Completed 0 14'],
    ['declined above a limit', 900_061, 'Completed 0 15'],
    ['declined until verified', 900_065, 'Completed 0 16'],
    ['declined for a wrong PIN', 900_055, 'Completed 0 17'],
    ['declined by policy', 900_057, 'Completed 0 18'],
    ['without the network', 900_091, 'Completed 0 50'],
    ['with another answer of the processor', 940_000, 'Completed 0 0'],
    ['with an empty batch', 940_019, 'Completed 0 19'],
    ['with no record', 940_020, 'Completed 0 20'],
    ['cancelled at the processor', 940_054, 'Completed 0 54'],
    ['with the terminal busy', 911_003, 'Cancelled 1003 53'],
    ['with the terminal not found', 911_005, 'Cancelled 1005 51'],
    ['with an unexpected error', 913_000, 'Cancelled 3000 0'],
    ['with a faulty terminal', 913_005, 'Cancelled 3005 51'],
    ['with the battery low', 913_006, 'Cancelled 3006 51'],
    ['with no network at the terminal', 913_009, 'Cancelled 3009 50'],
    ['after too long', 913_010, 'Cancelled 3010 56'],
    ['with a terminal that is not ready', 919_998, 'Cancelled 9998 0'],
  ];
  it.each(endings)('%s (%i)', async (_what, amount, expected) => {
    const sale = await sell(amount);
    expect(ending(sale)).toBe(expected);
    expect(await api.look(sale.id)).toEqual(sale);
  });

  it('with every amount approved where it was, and 0 where it was not', async () => {
    const amounts = async (amount: number) => {
      const { transactionResponses } = await sell(amount);
      return transactionResponses.map(({ amountApproved }) => amountApproved);
    };
    expect(await amounts(1_000)).toEqual([1_000]);
    expect(await amounts(900_010)).toEqual([450_005]);
    expect(await amounts(900_051)).toEqual([0]);
    expect(await amounts(913_006)).toEqual([0]);
  });
});

describe('An unknown outcome', () => {
  it('answers 500, 3000, Interrupted with the transaction id; a look shows Interrupted, 9999, 0', async () => {
    const reply = await api.operation('physical-sale', { amount: 920_001, referenceId: 'lost-1' });
    expect(reply.status).toBe(500);
    const { code, status, errorDetails } = envelopeOf(reply);
    expect({ code, status }).toEqual({ code: 3000, status: 'Interrupted' });
    const id = errorDetails[0]?.details ?? '';
    expect(id).toMatch(/^trx_[0-9A-Z]{26}$/);
    const look = await api.look(id);
    expect(ending(look)).toBe('Interrupted 9999 0');
    expect(look).toMatchObject({ referenceId: 'lost-1', amount: 920_001 });
    expect(look.transactionResponses[0]).toMatchObject({ amountApproved: 0, receipt: { lines: [] } });
  });

  it('that is resolved as having happened is Completed, 0, 1', async () => {
    const reply = await api.operation('physical-sale', { amount: 920_001 });
    const id = envelopeOf(reply).errorDetails[0]?.details ?? '';
    await settled(id);
    expect(ending(await api.look(id))).toBe('Completed 0 1');
  });

  it('that is resolved as not having happened is Completed, 0, 50', async () => {
    const reply = await api.operation('physical-sale', { amount: 920_002 });
    const id = envelopeOf(reply).errorDetails[0]?.details ?? '';
    await settled(id);
    expect(ending(await api.look(id))).toBe('Completed 0 50');
  });

  it('of a terminal whose link was lost is found when the link is back', async () => {
    const { id: terminal } = api.method('Front counter');
    await api.setTerminal(terminal, { mode: 'LostLink' });
    const reply = await api.operation('physical-sale', { amount: 1_700 });
    expect(envelopeOf(reply)).toMatchObject({ code: 3000, status: 'Interrupted' });
    const id = envelopeOf(reply).errorDetails[0]?.details ?? '';
    await api.setTerminal(terminal, { mode: 'Auto' });
    await settled(id);
    expect(ending(await api.look(id))).toBe('Completed 0 1');
  });

  it('of a capture, void or refund that was lost ends approved', async () => {
    const auth = await api.transaction('physical-auth', { amount: 920_002_0 });
    const reply = await api.operation('capture', { originalTransactionId: auth.id, amount: 920_002 });
    const id = envelopeOf(reply).errorDetails[0]?.details ?? '';
    await settled(id);
    expect(ending(await api.look(id))).toBe('Completed 0 1');
  });
});

describe('A request that never left', () => {
  it('answers 500, 9000, Rejected; a look shows Cancelled, 9998, 50', async () => {
    const reply = await api.operation('physical-sale', { amount: 920_004 });
    expect(reply.status).toBe(500);
    const { code, status, errorDetails } = envelopeOf(reply);
    expect({ code, status }).toEqual({ code: 9000, status: 'Rejected' });
    expect(ending(await api.look(errorDetails[0]?.details ?? ''))).toBe('Cancelled 9998 50');
  });
});

describe('A follow-up ends', () => {
  it('declined where the processor says no', async () => {
    const sale = await sell(5_000_000);
    const refund = await api.transaction('refund', { originalTransactionId: sale.id, amount: 930_051 });
    expect(ending(refund)).toBe('Completed 0 51');
  });

  it('with 21 if the original is fully voided, for every follow-up', async () => {
    const sale = await sell(1_000);
    await api.transaction('void', { originalTransactionId: sale.id });
    for (const name of ['void', 'refund']) {
      const again = await api.transaction(name, { originalTransactionId: sale.id });
      expect(ending(again)).toBe('Completed 0 21');
      expect(again.transactionResponses[0]?.hostResponseText).toBe('already voided');
      expect(await api.look(again.id)).toEqual(again);
    }
  });

  it('with 10 where the authorization expired', async () => {
    const auth = await api.transaction('physical-auth', { amount: 1_000 });
    await api.call('POST', '/admin/v1/sandbox/clock', { body: { advanceSeconds: 8 * 86_400 } });
    const capture = await api.transaction('capture', { originalTransactionId: auth.id });
    expect(ending(capture)).toBe('Completed 0 10');
    expect(capture.transactionResponses[0]?.hostResponseText).toBe('authorization expired');
  });

  it('of a void with 20 where the processor’s own batch has closed, saying to refund', async () => {
    const sale = await sell(950_001);
    const voided = await api.transaction('void', { originalTransactionId: sale.id });
    expect(ending(voided)).toBe('Completed 0 20');
    expect(voided.transactionResponses[0]?.hostResponseText).toContain('refund');
  });

  it('of a refund as a refund where the processor’s own batch has closed', async () => {
    const sale = await sell(950_001);
    const refund = await api.transaction('refund', { originalTransactionId: sale.id });
    expect(ending(refund)).toBe('Completed 0 1');
    expect(refund.executedAs).toBe('Refund');
  });
});

describe('An INTERAC card', () => {
  it('on an authorization, or in USD: Completed, 18; a sale in CAD is approved', async () => {
    const mobile = api.method('Mobile').id;
    const counter = api.method('Front counter').id;
    await api.setTerminal(mobile, { card: '4506440000000009' });
    await api.setTerminal(counter, { card: '4506440000000009' });
    const body = { amount: 1_000, paymentMethodId: mobile };
    expect(ending(await api.transaction('physical-auth', body))).toBe('Completed 0 18');
    expect(ending(await sell(1_000, { paymentMethodId: counter }))).toBe('Completed 0 18');
    const sale = await sell(1_000, { paymentMethodId: mobile });
    expect(ending(sale)).toBe('Completed 0 1');
    expect(sale).toMatchObject({ currency: 'CAD', paymentMethod: { cardType: 'INTERAC' } });
    const refund = resultOf(await api.operation('refund', { originalTransactionId: sale.id }));
    expect(ending(refund)).toBe('Completed 0 1');
    await api.setTerminal(mobile, {});
    await api.setTerminal(counter, {});
  });
});

/** The first inquiry is due by real time; later ones by the service's clock, which is moved for them. */
async function settled(id: string): Promise<void> {
  const until = Date.now() + 15_000;
  while ((await api.look(id)).status === 'Interrupted') {
    if (Date.now() > until) throw new Error(`${id} was not resolved`);
    await api.call('POST', '/admin/v1/sandbox/clock', { body: { advanceSeconds: 60 } });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
