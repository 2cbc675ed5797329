import { EVENT_TYPES_OF } from '@tillstream/domain';
import { BODY_BYTES_LIMIT } from '../events/webhook.body.js';
import { exampleBody } from './example.body.js';

const facts = {
  eventId: 'evt_01K4Q5K1N4Q6S8V0X2Z4B6D8F0',
  merchantId: 'mer_01K4PZWT3E5Y7N9Q2S4V6X8ZAB',
  timestamp: '2026-03-01T00:00:00.000Z',
};
const SUBJECTS: readonly (readonly [prefix: string, subject: string])[] = [
  ['merchant.', 'merchantApplication'],
  ['pricing_template.', 'pricingTemplate'],
  ['', 'originalResponse'],
];

describe('The body of a test event', () => {
  it.each(EVENT_TYPES_OF.Managed)(
    '%s has the subject of its type, no sequence and no personal data',
    (type) => {
      const bytes = exampleBody({ ...facts, type });
      expect(bytes.length).toBeLessThan(BODY_BYTES_LIMIT);
      const body = JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown>;
      const [, subject = ''] = SUBJECTS.find(([prefix]) => type.startsWith(prefix)) ?? [];
      expect(Object.keys(body)).toEqual(['event', subject]);
      const { eventId: id, ...event } = facts;
      expect(body['event']).toEqual({ id, type, ...event, test: true });
      expect(Buffer.from(bytes).toString()).not.toMatch(/cardExpDate|billingContact|"form"/);
    },
  );
});
