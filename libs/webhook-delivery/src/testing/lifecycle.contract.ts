import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryEventStore } from '@tillstream/event-store';
import type { DeliveryStore } from '../delivery.store.port.js';
import type { DeliveriesUnderTest, OpenDeliveries } from './deliveries.under-test.js';
import { EndpointHistories } from './endpoint.histories.testing.js';
import { LIFECYCLE_MERCHANT, LifecycleHistories } from './lifecycle.histories.testing.js';
import { allDeliveries, claimAll, numberAll, numberingOf } from './numbered.tables.testing.js';
import { appendSale } from './sales.testing.js';

const MERCHANT = LIFECYCLE_MERCHANT;
const APPLICATION = 'app_01JQ0000000000000000000000';
const minute = (number: number): string => new Date(Date.UTC(2026, 2, 1, 0, number)).toISOString();

/** The whole life of a merchant with a sale in it; every application step but the rejection. */
async function liveLife(store: MemoryEventStore): Promise<void> {
  const life = new LifecycleHistories(store);
  const take = (at: number, step: Parameters<typeof life.take>[2]) => life.take(MERCHANT, minute(at), step);
  await take(1, { step: 'start', applicationId: APPLICATION });
  const requiredActions = ['Upload a bank statement'];
  await take(2, { step: 'require-action', reason: 'It is missing.', requiredActions });
  await take(3, { step: 'upload-info' });
  await life.submit(minute(4), 'Retail');
  await life.submit(minute(4), 'Online');
  await take(5, { step: 'submit' });
  await appendSale(store, 1, MERCHANT, minute(6));
  await life.decide(2, 'Reject', minute(7), 'Too cheap.');
  await take(8, { step: 'change-status', status: 'UnderReview', reason: 'An underwriter reads it.' });
  await take(9, { step: 'approve' });
  await life.decide(1, 'Approve', minute(10));
}

const application = (status: string, more: object = {}) => ({
  merchantApplication: { id: APPLICATION, status, ...more },
});
const template = (version: number, more: object) => ({
  pricingTemplate: { id: `prt_01JQ000000000000000000000${version}`, ...more },
});

/** By type, with what the event is about, in the order of `event.sequence`. */
const EVENTS: readonly (readonly [type: string, at: number, content: object])[] = [
  ['merchant.application.started', 1, application('Started')],
  [
    'merchant.application.requires_action',
    2,
    application('RequiresAction', {
      reason: 'It is missing.',
      requiredActions: ['Upload a bank statement'],
    }),
  ],
  ['merchant.application.info_uploaded', 3, application('InfoUploaded')],
  ['merchant.application.submitted', 5, application('Submitted')],
  ['sale.completed', 6, { originalResponse: expect.any(Object) }],
  ['pricing_template.rejected', 7, template(2, { name: 'Online', status: 'Rejected', reason: 'Too cheap.' })],
  [
    'merchant.application.status_changed',
    8,
    application('UnderReview', { reason: 'An underwriter reads it.' }),
  ],
  ['merchant.approved', 9, application('Approved')],
  ['pricing_template.approved', 10, template(1, { name: 'Retail', status: 'Approved' })],
];

export function lifecycleContract(open: OpenDeliveries): void {
  describe('numbering of a merchant’s life cycle', () => {
    let place: DeliveriesUnderTest;
    let store: MemoryEventStore;
    let endpoints: EndpointHistories;

    beforeEach(async () => {
      place = await open();
      store = new MemoryEventStore();
      endpoints = new EndpointHistories(store);
    });
    afterEach(() => place.remove());

    /** In pages of this size; one consumer, or a new one for each page. */
    async function numbered(pageSize = 100, isRestarted = false): Promise<DeliveryStore> {
      const tables = await place.open();
      const consumer = numberingOf(store, tables);
      await numberAll(
        store,
        () => (isRestarted ? numberingOf(store, tables) : consumer),
        () => pageSize,
      );
      return tables;
    }

    it('each step and decision is an event of the managed endpoint, as it was then, in one sequence with sales', async () => {
      const managed = await endpoints.create(MERCHANT, minute(0));
      await liveLife(store);
      const [batch] = await claimAll(await numbered(), [managed]);
      const bodies = batch?.deliveries.map(({ body }) => JSON.parse(body) as object);
      expect(bodies).toEqual(
        EVENTS.map(([type, at, content], index) => ({
          event: {
            id: expect.stringMatching(/^evt_[0-9A-Z]{26}$/),
            ...{ type, timestamp: minute(at), merchantId: MERCHANT, sequence: index + 1 },
          },
          ...content,
        })),
      );
      expect(batch?.deliveries.map(({ type }) => type)).toEqual(EVENTS.map(([type]) => type));
    });

    it('a legacy endpoint gets none of them, whatever it names, and an event counts all the same', async () => {
      const lifecycle = ['*', 'merchant.approved', 'pricing_template.approved'];
      const legacy = await endpoints.create(MERCHANT, minute(0), { method: 'Legacy' });
      await endpoints.create(MERCHANT, minute(0), { method: 'Legacy', eventTypes: lifecycle });
      const one = await endpoints.create(MERCHANT, minute(0), { eventTypes: ['merchant.approved'] });
      await liveLife(store);
      const tables = await numbered();
      const typesOf = async (id: string) =>
        (await allDeliveries(tables, id)).map(({ eventType }) => eventType);
      expect(await typesOf(legacy)).toEqual(['sale.completed']);
      expect(await typesOf(one)).toEqual(['merchant.approved']);
      const [batch] = await claimAll(tables, [one]);
      expect(JSON.parse(batch?.deliveries[0]?.body ?? '')).toMatchObject({ event: { sequence: 8 } });
      expect(await tables.numbersOf([MERCHANT])).toMatchObject([{ sequence: EVENTS.length }]);
    });

    it('lost tables are made again with the same ids, numbers and bytes, in whatever pages', async () => {
      const ids = [
        await endpoints.create(MERCHANT, minute(0)),
        await endpoints.create(MERCHANT, minute(0), { method: 'Legacy' }),
      ];
      await liveLife(store);
      const once = await claimAll(await numbered(), ids);
      await place.lose();
      expect(await claimAll(await numbered(1, true), ids)).toEqual(once);
    });
  });
}
