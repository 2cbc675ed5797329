import type { HistoryItem, ListPage, TransactionResult } from '@tillstream/contracts';
import { refusal, startTestApi, type TestApi } from '../testing/test.api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const events = async (id: string, query = ''): Promise<ListPage<HistoryItem>> =>
  JSON.parse((await api.get(`/v1/transactions/${id}/events${query}`)).text) as ListPage<HistoryItem>;

describe('A transaction result', () => {
  it('of a sale has all its fields, and no field is null', async () => {
    const amountBreakdown = { amountGoodsAndServices: 900, tip: 100 };
    const sale = await api.transaction('physical-sale', {
      amount: 1_000,
      amountBreakdown,
      invoiceNumber: 'INV42',
      orderNumber: 'A7',
      referenceId: 'order-7',
    });
    const method = api.method('Front counter');
    const paymentMethod = {
      id: method.id,
      type: 'Physical',
      currency: 'USD',
      description: 'Front counter',
      cardType: 'VISA',
      maskedCardNumber: expect.stringMatching(/^\*+4242$/) as string,
      accountType: 'Credit',
    };
    expect(sale).toEqual({
      id: expect.stringMatching(/^trx_[0-9A-HJKMNP-TV-Z]{26}$/) as string,
      referenceId: 'order-7',
      type: 'Sale',
      status: 'Completed',
      resultCode: 0,
      resultText: expect.stringMatching(/successful/) as string,
      amount: 1_000,
      currency: 'USD',
      amountBreakdown,
      invoiceNumber: 'INV42',
      orderNumber: 'A7',
      transactionResponses: [
        {
          responseCode: 1,
          amountApproved: 1_000,
          approvedAmountBreakdown: { amountGoodsAndServices: 900, tax: 0, cashback: 0, tip: 100 },
          authCode: expect.any(String) as string,
          hostResponseText: 'APPROVED',
          paymentMethod,
          cardType: 'VISA',
          accountType: 'Credit',
          receipt: { lines: expect.any(Array) as string[] },
        },
      ],
      paymentMethod,
      gatewayTransactionId: expect.any(String) as string,
      createdAt: expect.stringMatching(/Z$/) as string,
      updatedAt: expect.stringMatching(/Z$/) as string,
    });
  });

  it('is the same, byte for byte, at every later look', async () => {
    const reply = await api.operation('physical-sale', { amount: 1_000 });
    const { id } = JSON.parse(reply.text) as TransactionResult;
    expect((await api.get(`/v1/transactions/${id}`)).text).toBe(reply.text);
  });

  it('of a follow-up names its original, and shows the card that was paid with', async () => {
    const auth = await api.transaction('physical-auth', { amount: 1_000 });
    const capture = await api.transaction('capture', {
      originalTransactionId: auth.id,
      invoiceNumber: 'i'.repeat(100),
    });
    expect(capture).toMatchObject({
      type: 'Capture',
      amount: 1_000,
      originalTransactionId: auth.id,
      invoiceNumber: 'i'.repeat(100),
      paymentMethod: { cardType: 'VISA' },
      transactionResponses: [{ approvedAmountBreakdown: { amountGoodsAndServices: 1_000 } }],
    });
    const refund = await api.transaction('refund', { originalTransactionId: capture.id, orderNumber: 'R1' });
    expect(refund).toMatchObject({
      type: 'Refund',
      executedAs: 'Void',
      amount: 1_000,
      orderNumber: 'R1',
      originalTransactionId: capture.id,
    });
    expect(refund.transactionResponses[0]?.approvedAmountBreakdown).toBeUndefined();
  });

  it('of a partial approval has a breakdown of what was approved', async () => {
    const amountBreakdown = { amountGoodsAndServices: 450_000, tip: 450_010 };
    const sale = await api.transaction('physical-sale', { amount: 900_010, amountBreakdown });
    expect(sale.transactionResponses[0]?.approvedAmountBreakdown).toEqual({
      amountGoodsAndServices: 450_000,
      tax: 0,
      cashback: 0,
      tip: 5,
    });
    expect(sale.amountBreakdown).toEqual(amountBreakdown);
  });

  it('has no 3-D Secure at a terminal', async () => {
    expect(await api.transaction('physical-sale', { amount: 1 })).not.toHaveProperty('threeDs');
  });
});

describe('A receipt', () => {
  const linesOf = (result: TransactionResult) =>
    result.transactionResponses[0]?.receipt.lines.join('\n') ?? '';

  it('has merchant, terminal, card, amounts, authorization code, outcome, invoice and order number', async () => {
    const sale = await api.transaction('physical-sale', {
      amount: 1_000,
      amountBreakdown: { amountGoodsAndServices: 900, tip: 100 },
      invoiceNumber: 'INV42',
      orderNumber: 'A7',
    });
    for (const part of [
      'Maple Street Books',
      'Front counter',
      '4242',
      '10.00',
      '1.00',
      'INV42',
      'A7',
      'APPROVED',
    ]) {
      expect(linesOf(sale)).toContain(part);
    }
    expect(linesOf(sale)).toContain(sale.transactionResponses[0]?.authCode);
  });

  it('of a decline says so', async () => {
    expect(linesOf(await api.transaction('physical-sale', { amount: 900_005 }))).toContain('DECLINED');
  });
});

describe('The history of a payment', () => {
  it('is read by any of its transactions, oldest first, with actor and trace', async () => {
    const reply = await api.operation('physical-sale', { amount: 1_000 });
    const sale = JSON.parse(reply.text) as TransactionResult;
    const voided = await api.transaction('void', { originalTransactionId: sale.id });
    const history = await events(voided.id);
    expect(history).toMatchObject({ hasMore: false, nextCursor: null });
    expect(history.data.map(({ sequence, type }) => `${sequence} ${type}`)).toEqual([
      '0 SaleRequested',
      '1 TryRequested',
      '2 Authorized',
      '3 Captured',
      '4 VoidRequested',
      '5 TryRequested',
      '6 Voided',
    ]);
    expect(history.data[0]).toMatchObject({
      actor: { type: 'ApiKey', name: 'Demo' },
      traceId: reply.headers.get('x-trace-id'),
      timestamp: sale.createdAt,
      data: { transactionId: sale.id, amount: 1_000, channel: 'CardPresent' },
    });
    expect(await events(sale.id)).toEqual(history);
  });

  it('shows the actor System for operations of the service itself', async () => {
    const reply = await api.operation('physical-sale', { amount: 920_002 });
    const id =
      (JSON.parse(reply.text) as { errorDetails: { details: string }[] }).errorDetails[0]?.details ?? '';
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await api.call('POST', '/admin/v1/sandbox/clock', { body: { advanceSeconds: 1 } });
    const { data } = await events(id);
    expect(data.at(-1)).toMatchObject({ type: 'NotExecuted', actor: { type: 'System' } });
  });

  it('does not show internal data', async () => {
    const sale = await api.transaction('physical-sale', { amount: 1 });
    const { text } = await api.get(`/v1/transactions/${sale.id}/events`);
    for (const inner of ['commandId', 'processorAccount', 'keyId', 'hash', 'sessionHash', 'causationId']) {
      expect(text).not.toContain(`"${inner}"`);
    }
  });

  it('comes in pages of limit, each with the cursor of the next', async () => {
    const auth = await api.transaction('physical-auth', { amount: 1_000 });
    for (const amount of [100, 200])
      await api.transaction('capture', { originalTransactionId: auth.id, amount });
    const all = await events(auth.id);
    const pages: HistoryItem[] = [];
    let query = '?limit=2';
    for (;;) {
      const page = await events(auth.id, query);
      pages.push(...page.data);
      expect(page.hasMore).toBe(page.nextCursor !== null);
      if (page.nextCursor === null) break;
      expect(page.data).toHaveLength(2);
      query = `?limit=2&cursor=${page.nextCursor}`;
    }
    expect(pages).toEqual(all.data);
  });

  it.each(['0', '101', '', '-1', '1.5', 'all', '1e1'])('takes a limit of 1 to 100, not %j', async (limit) => {
    const { id } = await api.transaction('physical-sale', { amount: 1 });
    const reply = await api.get(`/v1/transactions/${id}/events?limit=${limit}`);
    expect(refusal(reply)).toBe('400 2000 Rejected limit');
  });

  it('takes a cursor of its own only', async () => {
    const { id } = await api.transaction('physical-sale', { amount: 1 });
    const other = await api.transaction('physical-sale', { amount: 1 });
    const { nextCursor } = await events(id, '?limit=1');
    const wrong = '400 2000 Rejected cursor';
    expect(refusal(await api.get(`/v1/transactions/${other.id}/events?cursor=${nextCursor}`))).toBe(wrong);
    expect(refusal(await api.get(`/v1/transactions/${id}/events?cursor=hello`))).toBe(wrong);
    expect(refusal(await api.get(`/v1/transactions/${id}/events?cursor=`))).toBe(wrong);
    expect((await events(id, `?limit=100&cursor=${nextCursor}`)).data).toHaveLength(3);
  });

  it('has no other parameters', async () => {
    const { id } = await api.transaction('physical-sale', { amount: 1 });
    expect(refusal(await api.get(`/v1/transactions/${id}/events?sort=createdAt`))).toBe(
      '400 2000 Rejected sort',
    );
    expect(refusal(await api.get(`/v1/transactions/${id}/events?limit=1&limit=2`))).toBe(
      '400 2000 Rejected limit',
    );
  });
});
