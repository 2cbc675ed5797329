import { mkdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { formatCount } from '@tillstream/platform/command-line';
import { caller } from '../load/api.caller.js';
import type { BenchContext, Figure } from '../bench.types.js';
import { projectorBeside } from '../http/footprint.bench.js';
import {
  startApi,
  startDriver,
  USUAL_SETTINGS,
  type ApiService,
  type Driver,
} from '../services/http.services.js';
import { shopWithPayments, type Shop } from './large-batch.shop.js';
import type { Load, Traffic } from '../load/load.types.js';
import { residentBytes } from '../services/process.memory.js';
import { median } from '../report/rounds.statistics.js';
import { saleLoad, speedFigure, storedCards } from '../load/sale.load.js';

const CONNECTIONS = 50;
const TOKEN_SALE = '/v1/transactions/token-sale';
const WARM_UP_ROUNDS = 3;
const WINDOWS_ALONE = 3;
const LOOK_EVERY_MS = 250;
const READY_MAX_MS = 300_000;
const CLOSING_MAX_MS = 1_200_000;
const SETTINGS = { name: 'closing', settings: USUAL_SETTINGS } as const;
/** Sales in one window of time: in an open loop, then back to back. */
interface SalesWindow {
  readonly steady: Traffic;
  readonly backToBack: Traffic;
}

/** Another merchant sells while a large batch is closed and settled. */
export async function closingFigures({ folder, quick, progress }: BenchContext): Promise<Figure[]> {
  const [payments, ms] = quick ? [400, 250] : [100_000, 4_000];
  mkdirSync(folder, { recursive: true });
  progress(`writing ${formatCount(payments)} payments of a merchant`);
  const shop = await shopWithPayments(folder, SETTINGS, payments);
  const api = await startApi(folder, 0, SETTINGS);
  const driver = startDriver();
  try {
    await untilReady(api);
    const paymentMethodIds = await storedCards(api, CONNECTIONS);
    const methods = { path: TOKEN_SALE, apiKey: api.apiKey, paymentMethodIds };
    const sales = new SalesBeside(driver, saleLoad(api, methods, 'plain', ms));
    await sales.warmUp();
    const before = await sales.windows(WINDOWS_ALONE);
    const closing = new LargeClosing(api, shop, await projectorBeside(api));
    progress('closing the batch');
    const settled = closing.run();
    const during = await sales.windowsUntil(settled);
    const result = await settled;
    if (result.transactionCount !== payments)
      throw new Error(`${result.transactionCount} of ${payments} payments were settled`);
    progress('sales after the closing');
    const after = await sales.windows(WINDOWS_ALONE);
    return figures({ alone: [...before, ...after], during, payments, perSecond: sales.perSecond }, result);
  } finally {
    await Promise.all([driver.stop(), api.stop()]);
  }
}

/** Ready: the lists have all payments of the file. */
async function untilReady({ host, port }: ApiService): Promise<void> {
  const until = performance.now() + READY_MAX_MS;
  while ((await fetch(`http://${host}:${port}/health/ready`)).status !== 200) {
    if (performance.now() > until) throw new Error(`the service was not ready within ${READY_MAX_MS} ms`);
    await setTimeout(LOOK_EVERY_MS);
  }
}

class SalesBeside {
  perSecond = 0;

  constructor(
    private readonly driver: Driver,
    private readonly load: Load,
  ) {}

  /** The steady rate is half of the best rate back to back. */
  async warmUp(): Promise<void> {
    const rates: number[] = [];
    for (let round = 0; round < WARM_UP_ROUNDS; round++)
      rates.push((await this.driver.drive(this.load)).rate);
    this.perSecond = Math.max(1, Math.floor(Math.max(...rates) / 2));
  }

  async windows(count: number): Promise<readonly SalesWindow[]> {
    const windows: SalesWindow[] = [];
    while (windows.length < count) windows.push(await this.window());
    return windows;
  }

  /** The whole windows before `over`; the first in any case. */
  async windowsUntil(over: Promise<unknown>): Promise<readonly SalesWindow[]> {
    let isOver = false;
    const ended = over.finally(() => (isOver = true));
    // Its error is thrown to the caller, who waits for it too.
    ended.catch(() => undefined);
    const windows: SalesWindow[] = [];
    while (!isOver) {
      const one = await this.window();
      if (!isOver || windows.length === 0) windows.push(one);
    }
    return windows;
  }

  private async window(): Promise<SalesWindow> {
    const steady = await this.driver.drive({ ...this.load, perSecond: this.perSecond });
    return { steady, backToBack: await this.driver.drive(this.load) };
  }
}

interface ClosingResult {
  readonly seconds: number;
  readonly transactionCount: number;
  /** Resident memory of the settlement projector: before, and the most of it. */
  readonly bytesBefore: number;
  readonly bytesMost: number;
}

class LargeClosing {
  constructor(
    private readonly api: ApiService,
    private readonly shop: Shop,
    private readonly projector: number,
  ) {}

  /** Resolves when the settlement is in the list. */
  async run(): Promise<ClosingResult> {
    const { api, shop, projector } = this;
    const merchant = caller(api, shop.apiKey);
    const startedAt = performance.now();
    const bytesBefore = residentBytes(projector);
    let bytesMost = bytesBefore;
    const path = `/admin/v1/merchants/${shop.merchantId}/batches/close`;
    await caller(api, api.adminKey)(path, { currency: 'USD' });
    while (performance.now() - startedAt < CLOSING_MAX_MS) {
      bytesMost = Math.max(bytesMost, residentBytes(projector));
      const { data } = await merchant<{ readonly data: readonly { readonly transactionCount: number }[] }>(
        '/v1/settlements?limit=1',
      );
      const [settlement] = data;
      const seconds = (performance.now() - startedAt) / 1_000;
      if (settlement)
        return { seconds, transactionCount: settlement.transactionCount, bytesBefore, bytesMost };
      await setTimeout(LOOK_EVERY_MS);
    }
    throw new Error(`the batch was not settled within ${CLOSING_MAX_MS} ms`);
  }
}

interface Measured {
  readonly alone: readonly SalesWindow[];
  readonly during: readonly SalesWindow[];
  readonly payments: number;
  readonly perSecond: number;
}

function figures({ alone, during, payments, perSecond }: Measured, result: ClosingResult): Figure[] {
  const count = formatCount(payments);
  const quotient = (of: (one: SalesWindow) => Traffic) => {
    const usual = median(alone.map((one) => of(one).rate));
    const shares = during.map((one) => of(one).rate / usual);
    const [least, most] = [Math.min(...shares), Math.max(...shares)];
    return { value: median(shares), least, most, unit: '×' } as const;
  };
  const speed = (name: string, windows: readonly SalesWindow[], of: (one: SalesWindow) => Traffic): Figure =>
    speedFigure(
      name,
      windows.map((one) => of(one).rate),
      windows.map(of),
    );
  const steady = (one: SalesWindow): Traffic => one.steady;
  const backToBack = (one: SalesWindow): Traffic => one.backToBack;
  const megabytes = (bytes: number): number => bytes / 1e6;
  return [
    {
      name: `steady sales while ${count} payments are closed and settled : alone, ${perSecond}/s`,
      ...quotient(steady),
      meaning: 'The share of the sales of others that remains beside a large closing.',
      target: { kind: 'at least', value: 0.8 },
    },
    {
      name: `sales back to back while ${count} payments are closed and settled : alone`,
      ...quotient(backToBack),
      meaning: 'The same where the sales of others take all that the machine gives.',
    },
    {
      name: `closing and settling ${count} payments`,
      ...{ value: result.seconds, unit: 's' },
      detail: `${Math.round(payments / result.seconds)} payments/s, ${formatCount(Math.ceil(payments / 50))} pages`,
      meaning: 'From the command to the settlement in the list, while others sell all the time.',
    },
    {
      name: 'memory of the settlement projector at most, more than before',
      value: megabytes(result.bytesMost - result.bytesBefore),
      unit: 'MB',
      detail: `${Math.round(megabytes(result.bytesBefore))} MB before, ${Math.round(megabytes(result.bytesMost))} MB at most`,
      meaning: 'It holds one page of items, however large the batch is.',
    },
    speed('steady sales alone', alone, steady),
    speed('steady sales beside the closing', during, steady),
    speed('sales back to back alone', alone, backToBack),
    speed('sales back to back beside the closing', during, backToBack),
  ];
}
