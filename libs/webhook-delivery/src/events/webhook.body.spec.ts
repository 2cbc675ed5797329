import { evolvePayment, foldPayment, noPayment, type Payment } from '@tillstream/domain';
import { transactionResult, type PresentedResult } from '@tillstream/presentation';
import { approvedSale, operationOf, rootOf } from '../testing/index.js';
import { form } from './payment.steps.testing.js';
import { BODY_BYTES_LIMIT, paymentContent, webhookBody, type BodyFacts } from './webhook.body.js';
import { webhookDeliveryId, webhookEventId, webhookMessageId } from './webhook.ids.js';

const AT = '2026-03-01T12:00:00.000Z';
const ROOT = rootOf(1);
const sale = approvedSale(ROOT, 'mer_A', AT);
const facts: BodyFacts = {
  eventId: 'evt_1',
  type: 'sale.completed',
  timestamp: AT,
  merchantId: 'mer_A',
  sequence: 7,
};
const parse = (body: Uint8Array) => JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>;
const contentOf = (payment = foldPayment(sale)) => paymentContent(payment, operationOf(ROOT));
const resultOf = (payment = foldPayment(sale)): PresentedResult => {
  const content = contentOf(payment);
  if ('originalResponse' in content) return content.originalResponse;
  throw new Error('it is no result');
};

describe('The body of a webhook event', () => {
  it('has the event and the transaction result, in this order, and the same bytes each time', () => {
    const body = webhookBody(facts, contentOf());
    expect(parse(body)).toEqual({
      event: { id: 'evt_1', type: 'sale.completed', timestamp: AT, merchantId: 'mer_A', sequence: 7 },
      originalResponse: transactionResult(foldPayment(sale) as Payment, operationOf(ROOT)),
    });
    expect(Buffer.from(body).toString()).toMatch(/^\{"event":\{"id":"evt_1","type"/);
    expect(webhookBody(facts, contentOf())).toEqual(body);
  });

  it('of a test event has test: true and no sequence', () => {
    const { sequence: _sequence, ...test } = facts;
    const { event } = parse(webhookBody(test, contentOf())) as { event: object };
    expect(event).toMatchObject({ test: true });
    expect(event).not.toHaveProperty('sequence');
  });

  it('never has the link of a hosted form', () => {
    const decision = form(noPayment);
    if (decision.kind === 'Rejected') throw new Error('the form was refused');
    const state = decision.events.reduce(evolvePayment, noPayment);
    const content = contentOf(state);
    expect(content).toHaveProperty('originalResponse.form');
    expect(Buffer.from(webhookBody(facts, content)).toString()).not.toContain('sessionHash');
  });

  it('is below 20 kB: first the older responses are left out, then receipts and host texts', () => {
    const result = resultOf();
    const [response] = result.transactionResponses;
    if (!response) throw new Error('the sale has no response');
    const withReceipts = (count: number, lines: number): PresentedResult => ({
      ...result,
      transactionResponses: Array.from({ length: count }, () => ({
        ...response,
        receipt: { lines: Array.from({ length: lines }, () => 'é'.repeat(40)) },
      })),
    });
    const responsesOf = (from: PresentedResult) => {
      const body = webhookBody(facts, { originalResponse: from });
      expect(body.length).toBeLessThan(BODY_BYTES_LIMIT);
      return (parse(body)['originalResponse'] as PresentedResult).transactionResponses;
    };
    expect(responsesOf(withReceipts(2, 10))).toHaveLength(2);
    const newest = responsesOf(withReceipts(5, 80));
    expect(newest).toHaveLength(1);
    expect(newest[0]?.receipt.lines).toHaveLength(80);
    expect(responsesOf(withReceipts(1, 400))).toMatchObject([{ responseCode: 1, receipt: { lines: [] } }]);
  });
});

describe('The ids of a webhook event', () => {
  const event = { type: 'sale.completed', subjectId: operationOf(ROOT), timestamp: AT } as const;
  const eventId = webhookEventId('2f1c', event);

  // Receivers know them: a version that makes others would deliver old events as new ones.
  it('follow from the stored event and the endpoint, the same in every version of the program', () => {
    expect([
      eventId,
      webhookMessageId(eventId, 'whe_1', AT),
      webhookDeliveryId(eventId, 'whe_1', AT),
    ]).toEqual([
      'evt_01KJMMA2G0B2T05C7WHQMQMCGJ',
      'msg_01KJMMA2G0J30QNTDTHKP17FAX',
      'dlv_01KJMMA2G01XXAAS0SFX1PW61M',
    ]);
  });

  it('differ by stored event, operation, type and endpoint, and from one another', () => {
    const ids = [
      eventId,
      webhookEventId('2f1d', event),
      webhookEventId('2f1c', { ...event, subjectId: operationOf(rootOf(2)) }),
      webhookEventId('2f1c', { ...event, type: 'payment.returned' }),
      ...['whe_1', 'whe_2'].map((id) => webhookMessageId(eventId, id, AT)),
      ...['whe_1', 'whe_2'].map((id) => webhookDeliveryId(eventId, id, AT)),
    ];
    expect(new Set(ids.map((id) => id.slice(4))).size).toBe(ids.length);
  });
});
