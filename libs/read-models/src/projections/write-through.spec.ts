import {
  addPaymentMethod,
  changeMerchant,
  changePaymentMethod,
  createMerchant,
  evolveMerchant,
  noMerchant,
  type MerchantDecision,
  type MerchantState,
} from '@tillstream/domain';
import type { WrittenEvent } from '../read-models.types.js';
import type { TableRow } from './table.shape.js';
import { RowWriteThrough, type RowSet } from './write-through.js';

const at = '2026-03-01T12:00:00.000Z';
const log = { info: () => undefined, warn: () => undefined, failed: () => undefined };

/** A merchant whose every change is written through. */
class WrittenMerchant {
  readonly sent: (readonly RowSet[])[] = [];
  private state: MerchantState = noMerchant;
  private readonly events: WrittenEvent[] = [];
  private readonly rows = new RowWriteThrough(
    { write: (sets) => Promise.resolve((this.sent.push(sets), [])) },
    log,
  );

  /** The ids of the payment methods whose rows the change sends. */
  async change(decide: (state: MerchantState) => MerchantDecision): Promise<string[]> {
    const decision = decide(this.state);
    if (decision.kind === 'Rejected') throw new Error(decision.rejection.message);
    for (const event of decision.events) {
      this.state = evolveMerchant(this.state, event);
      this.events.push({ ...event, data: event.data as never, revision: this.events.length });
    }
    await this.rows.writeThrough('merchant', {
      stream: 'merchant-mer_1',
      state: this.state,
      events: [...this.events],
    });
    return this.lastRows()
      .map(({ id }) => id)
      .toSorted();
  }

  lastRows(): readonly TableRow[] {
    const sets = this.sent.at(-1) ?? [];
    return sets.flatMap(({ projection, rows }) => (projection === 'payment_methods' ? rows : []));
  }

  add(paymentMethodId: string, isDefault = false): Promise<string[]> {
    return this.change((state) =>
      addPaymentMethod(state, { at, paymentMethodId, type: 'Physical', currency: 'USD', isDefault }),
    );
  }
}

describe('The write-through of a merchant with many terminals', () => {
  let merchant: WrittenMerchant;
  beforeEach(async () => {
    merchant = new WrittenMerchant();
    await merchant.change((state) =>
      createMerchant(state, {
        ...{ at, merchantId: 'mer_1', name: 'Maple', currencies: ['USD'], timeZone: 'America/New_York' },
        ...{ cutOff: '22:00', locale: 'en-US', fundingType: 'Net', managedWebhooks: false },
        unreferencedRefunds: { enabled: false },
      }),
    );
    for (let count = 0; count < 30; count++) await merchant.add(`t${count}`, count === 0);
  });

  it('sends the terminal that was added or changed', async () => {
    expect(await merchant.add('new')).toEqual(['new']);
    const renamed = await merchant.change((state) =>
      changePaymentMethod(state, { at, paymentMethodId: 't7', description: 'Bar' }),
    );
    expect(renamed).toEqual(['t7']);
  });

  it('sends a new default and the one that it replaced', async () => {
    const makeDefault = (paymentMethodId: string) =>
      merchant.change((state) => changePaymentMethod(state, { at, paymentMethodId, isDefault: true }));
    expect(await makeDefault('t9')).toEqual(['t0', 't9']);
    expect(await merchant.add('new', true)).toEqual(['new', 't9']);
    const isDefault = merchant
      .lastRows()
      .map(({ id, body }) => [id, String(body).includes('"isDefault":true')]);
    expect(isDefault).toEqual([
      ['new', true],
      ['t9', false],
    ]);
  });

  it('sends no terminal if only the merchant changed', async () => {
    const changed = await merchant.change((state) => changeMerchant(state, { at, name: 'Oak' }));
    expect(changed).toEqual([]);
  });
});
