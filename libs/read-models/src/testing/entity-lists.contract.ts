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
      const histories = new RandomHistories(store, seededChoice(1957), {
        streams: 40,
        categories: ['token', 'token', 'token', 'holder', 'merchant'],
      });
      await histories.run(1_500, (append) => {
        states.set(append.stream, append.state);
        return models.writer.writeThrough(append.category, {
          stream: append.stream,
          state: append.state,
          events: append.appended,
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
      'lists the tokens of a holder, and removed ones only with includeDeleted (%s)',
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

    it('keeps no personal data and no number of a removed token, and its facts say when it was removed', async () => {
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

    it('lists all holders of a merchant, or those with an external id hash, without erased ones', async () => {
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

    it('lists enabled payment methods with the current default', async () => {
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

    it('finds the merchant of a payment method, enabled or disabled', async () => {
      const merchants = of<Merchant>('merchant');
      for (const { id: merchantId, paymentMethods } of merchants) {
        for (const { id } of paymentMethods)
          expect(await models.queries.paymentMethods.merchantOf(id)).toBe(merchantId);
      }
      expect(await models.queries.paymentMethods.merchantOf('pmt_trm_unknown')).toBeUndefined();
    });

    it('finds nothing by a text with a NUL character, which no row has', async () => {
      const [merchantId, text] = [MERCHANTS[0], 'a\u0000b'];
      const { transactions, tokens, holders, paymentMethods, settlements } = models.queries;
      const filters = [{ id: [text] }, { referenceId: [text] }, { orderNumber: [text] }];
      for (const chosen of filters) {
        const found = await transactions.list({ merchantId, filters: chosen, limit: 1, includeTotal: true });
        expect(found).toEqual({ items: [], next: null, total: { count: 0, isAtLeast: false } });
      }
      expect(ids(await tokens.list({ merchantId, accountHolderId: text, limit: 1 }))).toEqual([]);
      const byHash = { merchantId, filters: { externalIdHash: [text] }, limit: 1 };
      expect(ids(await holders.list(byHash))).toEqual([]);
      expect(await tokens.facts([text])).toEqual(new Map());
      expect(await paymentMethods.merchantOf(text)).toBeUndefined();
      expect(await settlements.find(merchantId, text)).toBeUndefined();
    });

    it('lists all merchants for operators, by status and with their current state', async () => {
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

    it('lists merchants in pages, sorted by their last change', async () => {
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
