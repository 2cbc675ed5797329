import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openSqliteEventStore } from '@tillstream/event-store-sqlite';
import type { Position } from '@tillstream/event-store';
import { caller } from '../load/api.caller.js';
import type { BenchContext, Figure } from '../bench.types.js';
import { startApi, startDriver, USUAL_SETTINGS, type ApiService } from '../services/http.services.js';
import { percentile } from '../report/rounds.statistics.js';
import { postJson, saleLoad, storedCards } from '../load/sale.load.js';

const CONNECTIONS = 50;
const TOKEN_SALE = '/v1/transactions/token-sale';
const WARM_UP_ROUNDS = 3;
const SALE_EVERY_MS = 30;
const CLOSING_EVERY_MS = 100;
/** Pause between two looks at a list. */
const LOOK_EVERY_MS = 15;
const LAST_LOOKS_MS = 2_000;
const LAG_MAX_MS = 200;
const LISTS = ['/v1/settlements', '/v1/settlements/transactions', '/v1/fee-charges'] as const;

type ListPath = (typeof LISTS)[number];

interface Item {
  readonly id: string;
  readonly settlementId?: string | null;
  readonly settlement?: { readonly id: string };
}

/** How late lists show sales and settlements while others sell and batches close. */
export async function lagFigures({ folder, quick, progress }: BenchContext): Promise<Figure[]> {
  const [perSecond, ms] = quick ? [50, 3_000] : [500, 40_000];
  const api = await startApi(folder, 0, { name: 'lag', settings: USUAL_SETTINGS });
  const driver = startDriver();
  const watch = new LagWatch(api);
  let sold: number;
  try {
    const paymentMethodIds = await storedCards(api, CONNECTIONS);
    const methods = { path: TOKEN_SALE, apiKey: api.apiKey, paymentMethodIds };
    const load = saleLoad(api, methods, 'plain', ms);
    for (let round = 0; round < WARM_UP_ROUNDS; round++) await driver.drive({ ...load, ms: ms / 16 });
    progress(`lag of lists at ${perSecond} payments a second`);
    const watching = watch.start();
    sold = (await driver.drive({ ...load, perSecond })).rate;
    await watch.stop();
    await watching;
  } finally {
    await Promise.all([driver.stop(), api.stop()]);
  }
  const lags = await watch.settlementLags(join(folder, 'lag-data', 'events.db'));
  const rate = `${Math.round(sold)} sales/s answered`;
  return [
    lagFigure(
      '/transactions',
      watch.saleLags,
      `From the answer of a sale to the answer of the list that has it; ${rate}.`,
    ),
    ...LISTS.map((path) =>
      lagFigure(
        path.slice('/v1'.length),
        lags[path],
        `From the time in the event to the answer of the list that shows it first; of another merchant, whose batch is closed again and again; ${rate}.`,
      ),
    ),
  ];
}

function lagFigure(path: string, lags: readonly number[], meaning: string): Figure {
  const median = Math.round(percentile(lags, 0.5));
  return {
    ...{ name: `lag of ${path}, p99`, value: percentile(lags, 0.99), unit: 'ms', meaning },
    detail: `median ${median} ms, ${lags.length} looked for`,
    target: { kind: 'at most', value: LAG_MAX_MS },
  };
}

/** Sells, closes batches, and looks at the lists as a merchant does. */
class LagWatch {
  readonly saleLags: number[] = [];
  /** Real time of the first answer that showed a settlement, ms. */
  private readonly seenAt: Record<ListPath, Map<string, number>> = {
    '/v1/settlements': new Map(),
    '/v1/settlements/transactions': new Map(),
    '/v1/fee-charges': new Map(),
  };
  private closing: Promise<void> = Promise.resolve();
  /** Of the shop whose settlements are looked for. */
  private merchantId = '';
  private isClosing = true;
  private isLooking = true;

  constructor(private readonly api: ApiService) {}

  async start(): Promise<void> {
    const [tokenId = ''] = await storedCards(this.api, 1);
    const shop = await openSmallShop(this.api);
    this.merchantId = shop.merchantId;
    this.closing = this.closeBatches(shop);
    const looks = LISTS.map((path) => this.look(path, shop.apiKey));
    await Promise.all([this.closing, this.sell(tokenId), ...looks]);
  }

  /** The lists are watched for a moment longer than the last closing takes. */
  async stop(): Promise<void> {
    this.isClosing = false;
    await this.closing;
    await setTimeout(LAST_LOOKS_MS);
    this.isLooking = false;
  }

  /** By list, of each settlement whose first page is in the file. One that no look has shown is infinitely late. */
  async settlementLags(file: string): Promise<Record<ListPath, number[]>> {
    const lags: Record<ListPath, number[]> = {
      '/v1/settlements': [],
      '/v1/settlements/transactions': [],
      '/v1/fee-charges': [],
    };
    const add = (path: ListPath, settlementId: string, at: number): void => {
      lags[path].push((this.seenAt[path].get(settlementId) ?? Number.POSITIVE_INFINITY) - at);
    };
    for (const { type, settlementId, merchantId, page, at } of await settlementEvents(file)) {
      if (merchantId !== this.merchantId) continue;
      if (type === 'SettlementCreated') add('/v1/settlements', settlementId, at);
      if (type !== 'PageSettled' || page !== 1) continue;
      add('/v1/settlements/transactions', settlementId, at);
      add('/v1/fee-charges', settlementId, at);
    }
    return lags;
  }

  /** Another merchant sells a little and closes its batch, again and again. */
  private async closeBatches({ merchantId, apiKey, terminalId }: SmallShop): Promise<void> {
    const operator = caller(this.api, this.api.adminKey);
    const merchant = caller(this.api, apiKey);
    while (this.isClosing) {
      for (const amount of [1_000, 2_000])
        await merchant('/v1/transactions/physical-sale', { amount, paymentMethodId: terminalId });
      await operator(`/admin/v1/merchants/${merchantId}/batches/close`, { currency: 'USD' });
      await setTimeout(CLOSING_EVERY_MS);
    }
  }

  private async sell(paymentMethodId: string): Promise<void> {
    const merchant = caller(this.api, this.api.apiKey);
    while (this.isClosing) {
      const { id } = await postJson<{ id: string }>(this.api, TOKEN_SALE, { paymentMethodId, amount: 1_000 });
      const answeredAt = performance.now();
      const isListed = async (): Promise<boolean> => {
        const { data } = await merchant<{ readonly data: readonly unknown[] }>(`/v1/transactions?id=${id}`);
        return data.length > 0;
      };
      while (!(await isListed()));
      this.saleLags.push(performance.now() - answeredAt);
      await setTimeout(SALE_EVERY_MS);
    }
  }

  private async look(path: ListPath, apiKey: string): Promise<void> {
    const merchant = caller(this.api, apiKey);
    const seen = this.seenAt[path];
    while (this.isLooking) {
      const { data } = await merchant<{ readonly data: readonly Item[] }>(`${path}?limit=1`);
      const [newest] = data;
      const settlementId = newest?.settlement?.id ?? newest?.settlementId ?? newest?.id;
      if (settlementId !== undefined && !seen.has(settlementId)) seen.set(settlementId, Date.now());
      await setTimeout(LOOK_EVERY_MS);
    }
  }
}

interface SmallShop {
  readonly merchantId: string;
  readonly apiKey: string;
  readonly terminalId: string;
}

async function openSmallShop(api: ApiService): Promise<SmallShop> {
  const operator = caller(api, api.adminKey);
  const { id: merchantId } = await operator<{ id: string }>('/admin/v1/merchants', { name: 'Small shop' });
  const own = `/admin/v1/merchants/${merchantId}`;
  const { key: apiKey } = await operator<{ key: string }>(`${own}/api-keys`, { name: 'bench' });
  const { id: terminalId } = await operator<{ id: string }>(`${own}/terminals`, { currency: 'USD' });
  const rules = [{ feeType: 'Markup', rateBps: 30, fixedAmount: 10 }];
  const template = await operator<{ id: string }>(`${own}/pricing-templates`, { name: 'Standard', rules });
  await operator(`/admin/v1/pricing-templates/${template.id}/approve`, {});
  return { merchantId, apiKey, terminalId };
}

async function settlementEvents(file: string) {
  const store = await openSqliteEventStore({ file, readOnly: true });
  const found: { type: string; settlementId: string; merchantId: unknown; page: unknown; at: number }[] = [];
  try {
    let after: Position | undefined;
    for (let end = false; !end;) {
      const categories = ['settlement', 'settlementpage'];
      const page = await store.readAll({ ...(after && { after }), categories });
      for (const { type, stream, data, metadata } of page.events) {
        const [, id = ''] = /-(\w{26})/.exec(stream) ?? [];
        const at = Date.parse(String(metadata['realTime']));
        const { merchantId } = metadata;
        found.push({ type, settlementId: `stl_${id}`, merchantId, page: data['page'], at });
      }
      after = page.next;
      ({ end } = page);
    }
    return found;
  } finally {
    await store.close();
  }
}
