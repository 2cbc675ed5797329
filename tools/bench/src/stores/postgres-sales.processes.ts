import { randomBytes } from 'node:crypto';
import type { PostgresServer } from '@tillstream/postgres-driver/testing';
import type { BenchContext, Figure } from '../bench.types.js';
import { limitText, whileWatched, type BusyCores, type Groups } from '../services/busy.cores.js';
import { startDouble } from '../services/event-server.js';
import {
  startApi,
  startDriver,
  startSandbox,
  type ApiService,
  type Driver,
} from '../services/http.services.js';
import type { Traffic } from '../load/load.types.js';
import { median, ratio } from '../report/rounds.statistics.js';
import { measureInTurn, saleLoad, speedFigure, type Measured } from '../load/sale.load.js';

/* Sales over HTTP at one API process and at two, which share an event store and a database. */

const CONNECTIONS = 50;
const SALE = '/v1/transactions/physical-sale';
const API = 'API';
type Side = 'one' | 'two';

/** @param postgres a running server, on which this makes a database */
export async function processFigures(
  postgres: PostgresServer,
  { folder, quick, progress }: BenchContext,
): Promise<readonly Figure[]> {
  const [ms, rounds] = quick ? [300, 1] : [2_500, 9];
  const running: { stop(): Promise<void> }[] = [];
  const started = <Running extends { stop(): Promise<void> }>(one: Running): Running => {
    running.push(one);
    return one;
  };
  try {
    const events = started(await startDouble());
    const secret = randomBytes(32).toString('hex');
    const sandbox = started(await startSandbox(folder, secret));
    const { url } = await postgres.newDatabase();
    const settings = {
      ...largeProfile(events.url, url),
      ...{
        SANDBOX: 'network',
        SANDBOX_URL: `http://${sandbox.host}:${sandbox.port}`,
        SANDBOX_SECRET: secret,
      },
    };
    const start = async (name: string) => started(await startApi(folder, CONNECTIONS, { name, settings }));
    // One after the other: the first makes the demo merchant.
    const apis = [await start('first'), await start('second')] as const;
    const drivers = [started(startDriver()), started(startDriver())] as const;
    const groups: Groups = {
      [API]: apis.map(({ pid }) => pid),
      'the double of EventStoreDB': [events.pid ?? 0],
      PostgreSQL: [postgres.pid],
      'the acquirer': [sandbox.pid],
      'the load drivers': drivers.map(({ pid }) => pid),
    };
    const busy: Record<Side, BusyCores[]> = { one: [], two: [] };
    const watched = (side: Side, drive: () => Promise<Traffic>) => async () => {
      const { value, busy: used } = await whileWatched(groups, drive);
      busy[side].push(used);
      return value;
    };
    const measured = await measureInTurn<Side>(
      rounds,
      {
        one: watched('one', () => sell(drivers[0], apis[0], { from: 0, to: CONNECTIONS, ms })),
        two: watched('two', async () =>
          together(
            await Promise.all([
              sell(drivers[0], apis[0], { from: 0, to: CONNECTIONS / 2, ms }),
              sell(drivers[1], apis[1], { from: CONNECTIONS / 2, to: CONNECTIONS, ms }),
            ]),
          ),
        ),
      },
      progress,
    );
    return figures(measured, busy);
  } finally {
    for (const one of running.reverse()) await one.stop();
  }
}

/** Events in EventStoreDB and everything else in PostgreSQL, as on several machines. Only sales run. */
function largeProfile(eventStoreDbUrl: string, databaseUrl: string): Readonly<Record<string, string>> {
  const newKey = (): string => randomBytes(32).toString('base64');
  return {
    ...{ EVENT_STORE: 'eventstoredb', EVENTSTOREDB_URL: eventStoreDbUrl },
    ...{ SHARED_STORE: 'postgres', DATABASE_URL: databaseUrl, DATABASE_TLS: 'off' },
    // The database shares the machine with everything else.
    ...{ DATABASE_CONNECT_MS: '10000', DATABASE_STATEMENT_MS: '10000' },
    ...{ IDEMPOTENCY_ANSWER_KEY: newKey(), VAULT_MASTER_KEY: newKey() },
    ...{ SETTLEMENT_PROJECTOR: 'elsewhere', WEBHOOK_DISPATCHER: 'elsewhere', LOG_LEVEL: 'info' },
  };
}

/** Sells on the terminals `from` (inclusive) to `to` (exclusive), each on a connection of its own. */
function sell(
  driver: Driver,
  api: ApiService,
  { from, to, ms }: { readonly from: number; readonly to: number; readonly ms: number },
): Promise<Traffic> {
  const paymentMethodIds = api.terminals.slice(from, to);
  if (paymentMethodIds.length < to - from)
    throw new Error('a terminal serves one sale at a time: there are too few');
  return driver.drive(saleLoad(api, { path: SALE, apiKey: api.apiKey, paymentMethodIds }, 'plain', ms));
}

/** Rates add up; of the latencies the worse counts. */
function together(parts: readonly Traffic[]): Traffic {
  const sum = (of: (part: Traffic) => number) => parts.reduce((total, part) => total + of(part), 0);
  const worst = (of: (part: Traffic) => number) => Math.max(...parts.map(of));
  return {
    rate: sum(({ rate }) => rate),
    refused: sum(({ refused }) => refused),
    p50: worst(({ p50 }) => p50),
    p99: worst(({ p99 }) => p99),
    lateP99: worst(({ lateP99 }) => lateP99),
  };
}

function figures(
  { rates, traffic }: Measured<Side>,
  busy: Readonly<Record<Side, readonly BusyCores[]>>,
): Figure[] {
  const speed = (side: Side, name: string, processes: number): Figure => ({
    ...speedFigure(name, rates[side], traffic[side]),
    meaning: `Answered sales over HTTP. ${limitText(medians(busy[side].slice(1)), { name: API, processes })}`,
  });
  return [
    {
      name: 'sales over HTTP, 2 API processes : 1',
      ...ratio(rates.two, rates.one),
      meaning: 'What a second process gains on the same machine, which all processes share.',
    },
    speed('one', 'sales over HTTP, 1 API process', 1),
    speed('two', 'sales over HTTP, 2 API processes', 2),
  ];
}

/** The first measurement is of the warm-up round. */
function medians(rounds: readonly BusyCores[]): BusyCores {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name] ?? 0))]));
}
