import { refusal, startTestApi, type TestApi } from '../testing/test.api.js';

const INTERAC = '4506440000000009';
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  for (const terminal of ['Mobile', 'Front counter']) {
    await api.setTerminal(api.method(terminal).id, { card: INTERAC });
  }
});
afterAll(() => api.stop());

const on = (terminal: 'Mobile' | 'Front counter', operation: string) =>
  api.transaction(operation, { amount: 1_000, paymentMethodId: api.method(terminal).id });

describe('An INTERAC card (Canadian PIN debit)', () => {
  it.each(['physical-sale', 'unreferenced-physical-refund'])(
    'at a terminal in CAD: %s is approved',
    async (name) => {
      const { status, transactionResponses } = await on('Mobile', name);
      expect(status).toBe('Completed');
      expect(transactionResponses[0]).toMatchObject({
        responseCode: 1,
        cardType: 'INTERAC',
        accountType: 'Debit',
      });
    },
  );

  it.each([
    ['physical-auth', 'Mobile'],
    ['physical-auth', 'Front counter'],
    ['physical-sale', 'Front counter'],
    ['unreferenced-physical-refund', 'Front counter'],
  ] as const)('%s on the terminal %s is against the rules: 200, Completed, 18', async (name, terminal) => {
    const { status, resultCode, transactionResponses } = await on(terminal, name);
    expect([status, resultCode]).toEqual(['Completed', 0]);
    expect(transactionResponses).toMatchObject([{ responseCode: 18, amountApproved: 0 }]);
  });

  it.each(['refund', 'void'])('is not needed to %s its sale, in parts too', async (name) => {
    const sale = await on('Mobile', 'physical-sale');
    await api.setTerminal(api.method('Mobile').id, { mode: 'Offline' });
    for (const amount of [300, 700]) {
      const { transactionResponses } = await api.transaction(name, {
        originalTransactionId: sale.id,
        amount,
      });
      expect(transactionResponses[0]?.responseCode).toBe(1);
    }
    await api.setTerminal(api.method('Mobile').id, { card: INTERAC });
  });

  it('that was stored is not authorized: 2013; a sale with it is declined with 14, as on a form', async () => {
    const paymentMethodId = await api.token({ paymentMethodId: api.method('Mobile').id });
    const asked = { amount: 1_000, paymentMethodId };
    expect(refusal(await api.operation('token-auth', asked))).toBe('400 2013 Rejected paymentMethodId');
    const { transactionResponses } = await api.transaction('token-sale', asked);
    expect(transactionResponses[0]?.responseCode).toBe(14);
  });
});
