import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Holder, Merchant, Token } from '@tillstream/domain';
import { MemoryEventStore } from '@tillstream/event-store';
import type { List, ReadModels } from '../read-models.types.js';
import { seededChoice, MERCHANTS } from './random-decisions.testing.js';
import type { OpenLists } from './lists.under-test.js';
import { RandomHistories } from './random-histories.testing.js';

export function entityListsContract(openLists: OpenLists): void {
  describe('the lists of tokens, holders and payment methods', () => {
    const place = openLists();
    const states = new Map<string, unknown>();
    let models: ReadModels;

    beforeAll(async () => {
      const store = new MemoryEventStore();
      models = await place.open({ store });
      const lives = new RandomHistories(store, seededChoice(1957), {
        streams: 40,
        categories: ['token', 'token', 'token', 'holder', 'merchant'],
      });
      await lives.run(1_500, (one) => {
        states.set(one.stream, one.state);
        return models.writer.writeThrough(one.category, {
          stream: one.stream,
          state: one.state,
          events: one.appended,
        } as never);
      });
    }, 60_000);
    afterAll(async () => {
      await models.stop();
      await place.remove();
    });

    const of = <State>(category: string): State[] =>
      [...states].flatMap(([stream, state]) => (stream.startsWith(`${category}-`) ? [state as State] : []));
    const ids = ({ items }: List<{ readonly id: string }>): string[] => items.map(({ id }) => id).sort();
    const holderIds = (): string[] => [
      ...new Set(of<Token>('token').flatMap((one) => one.accountHolderId ?? [])),
    ];

    it.each([true, false])(
      'tokens of a holder, removed ones only when they are asked for (%s)',
      async (includeDeleted) => {
        for (const merchantId of MERCHANTS) {
          for (const accountHolderId of holderIds()) {
            const expected = of<Token>('token').filter(
              (one) =>
                one.merchantId === merchantId &&
                one.accountHolderId === accountHolderId &&
                (one.status === 'Active' || (includeDeleted && one.status === 'Removed')),
            );
            const request = { merchantId, accountHolderId, limit: 100, filters: { includeDeleted } };
            const found = await models.queries.tokens.list(request);
            expect(ids(found)).toEqual(expected.map(({ id }) => id).sort());
            for (const cardType of ['VISA', 'MASTERCARD']) {
              const filters = { includeDeleted, cardType: [cardType] };
              const ofCard = expected.filter(({ paymentMethod }) => paymentMethod.cardType === cardType);
              expect(ids(await models.queries.tokens.list({ ...request, filters }))).toEqual(
                ofCard.map(({ id }) => id).sort(),
              );
            }
          }
        }
      },
    );

    it('of a removed token nothing personal and no number is left, and its facts say when', async () => {
      const removed = of<Token>('token').filter(({ status }) => status === 'Removed');
      expect(removed.length).toBeGreaterThan(3);
      const facts = await models.queries.tokens.facts(removed.map(({ id }) => id));
      for (const { id, removedAt, channel, merchantId, accountHolderId } of removed) {
        expect(facts.get(id)).toEqual({ channel, dateDeleted: removedAt });
        if (accountHolderId === undefined) continue;
        const filters = { includeDeleted: true };
        const { items } = await models.queries.tokens.list({
          merchantId,
          accountHolderId,
          filters,
          limit: 100,
        });
        const item = items.find((one) => one.id === id);
        expect(item?.personal).toBeUndefined();
        expect(item?.body).not.toContain('4242');
      }
    });

    it('holders by the hash of their external id, or all of a merchant; erased ones are gone', async () => {
      for (const merchantId of MERCHANTS) {
        const active = of<Holder>('holder').filter(
          (one) => one.merchantId === merchantId && one.status === 'Active',
        );
        const all = await models.queries.holders.list({ merchantId, limit: 100 });
        expect(ids(all)).toEqual(active.map(({ id }) => id).sort());
        for (const item of all.items) {
          expect(item.personal).toEqual(active.find(({ id }) => id === item.id)?.personal);
        }
        const filters = { externalIdHash: ['hash-1'] };
        const named = active.filter(({ externalIdHash }) => externalIdHash === 'hash-1');
        expect(ids(await models.queries.holders.list({ merchantId, filters, limit: 100 }))).toEqual(
          named.map(({ id }) => id).sort(),
        );
      }
    });

    it('payment methods that are not disabled, with the default as it is now', async () => {
      const merchants = of<Merchant>('merchant');
      expect(merchants.length).toBeGreaterThan(10);
      for (const { id: merchantId, paymentMethods } of merchants) {
        const enabled = paymentMethods.filter(({ disabled }) => !disabled);
        const { items } = await models.queries.paymentMethods.list({ merchantId, limit: 100 });
        const defaults = new Map(
          items.map(({ id, body }) => [id, (JSON.parse(body) as { isDefault: boolean }).isDefault]),
        );
        expect(defaults).toEqual(new Map(enabled.map(({ id, isDefault }) => [id, isDefault])));
      }
    });

    it('says whose a payment method is, disabled or not', async () => {
      const merchants = of<Merchant>('merchant');
      for (const { id: merchantId, paymentMethods } of merchants) {
        for (const { id } of paymentMethods)
          expect(await models.queries.paymentMethods.merchantOf(id)).toBe(merchantId);
      }
      expect(await models.queries.paymentMethods.merchantOf('pmt_trm_nobody')).toBeUndefined();
    });

    it('merchants, all of them for operators, by status and as they are now', async () => {
      const merchants = of<Merchant>('merchant');
      const all = await models.queries.merchants.list({ limit: 100, includeTotal: true });
      expect(ids(all)).toEqual(merchants.map(({ id }) => id).sort());
      expect(all.total).toEqual({ count: merchants.length, isAtLeast: false });
      for (const { id, name, status, updatedAt } of merchants) {
        const item = all.items.find((one) => one.id === id);
        expect(JSON.parse(item?.body ?? '')).toMatchObject({ id, name, status, updatedAt });
      }
      const disabled = merchants.filter(({ status }) => status === 'Disabled');
      expect(disabled.length).toBeGreaterThan(0);
      const found = await models.queries.merchants.list({ limit: 100, filters: { status: ['Disabled'] } });
      expect(ids(found)).toEqual(disabled.map(({ id }) => id).sort());
    });

    it('merchants in pages, sorted by their last change', async () => {
      const expected = of<Merchant>('merchant')
        .map(({ id, updatedAt }) => ({ id, value: Date.parse(updatedAt) }))
        .sort((a, b) => a.value - b.value || (a.id < b.id ? -1 : 1));
      const seen: string[] = [];
      let after: List<unknown>['next'] = null;
      do {
        const request = { limit: 7, sort: { by: 'updatedAt', descending: false } } as const;
        const page: List<{ readonly id: string }> = await models.queries.merchants.list({
          ...request,
          ...(after && { after }),
        });
        seen.push(...page.items.map(({ id }) => id));
        after = page.next;
      } while (after);
      expect(seen).toEqual(expected.map(({ id }) => id));
    });
  });
}
