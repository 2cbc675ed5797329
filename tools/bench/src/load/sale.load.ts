import type { BenchContext, Figure } from '../bench.types.js';
import type { ApiService, Service } from '../services/http.services.js';
import type { Load, Traffic } from './load.types.js';
import { interleaved, median, type Rounds } from '../report/rounds.statistics.js';

/** Optional parts of a request, each of which costs time. */
export const VARIANTS = {
  plain: {
    label: 'sale',
    meaning:
      'The share of the speed of HTTP that remains with two durable appends, the simulated acquirer and the log.',
    adds: { withReferenceId: false, withIdempotencyKey: false },
  },
  reference: {
    label: 'sale with referenceId',
    meaning: 'One more durable append before the request: the claim of the reference.',
    adds: { withReferenceId: true, withIdempotencyKey: false },
  },
  key: {
    label: 'sale with Idempotency-Key',
    meaning:
      'The reservation is written in the commit of the request; the encrypted response is one more row.',
    adds: { withReferenceId: false, withIdempotencyKey: true },
  },
  both: {
    label: 'sale with both',
    meaning: 'Three durable appends and the stored response.',
    adds: { withReferenceId: true, withIdempotencyKey: true },
  },
} as const;

export type Variant = keyof typeof VARIANTS;
export const VARIANT_NAMES = Object.keys(VARIANTS) as Variant[];

export function saleLoad(
  { host, port }: Pick<Service, 'host' | 'port'>,
  methods: Pick<Load, 'path' | 'apiKey' | 'paymentMethodIds'>,
  variant: Variant,
  ms: number,
): Load {
  return { host, port, ...methods, ms, ...VARIANTS[variant].adds };
}

export interface Measured<Side extends string> {
  readonly rates: Rounds<Side>;
  readonly traffic: Readonly<Record<Side, readonly Traffic[]>>;
}

/** Drives the loads in turn, as `interleaved` does. */
export async function measureInTurn<Side extends string>(
  rounds: number,
  loads: Readonly<Record<Side, () => Traffic | Promise<Traffic>>>,
  progress: BenchContext['progress'],
): Promise<Measured<Side>> {
  const sides = Object.keys(loads) as Side[];
  const bySide = <Value>(of: (side: Side) => Value): Record<Side, Value> =>
    Object.fromEntries(sides.map((side) => [side, of(side)])) as Record<Side, Value>;
  const traffic = bySide((): Traffic[] => []);
  const measure = bySide((side) => async () => {
    const now = await loads[side]();
    traffic[side].push(now);
    return now.rate;
  });
  const rates = await interleaved<Side>(rounds, measure, progress);
  // The first one is of the warm-up round.
  return { rates, traffic: bySide((side) => traffic[side].slice(1)) };
}

/** A response of the API, which the bare handler sends too. */
export async function sampleResponse(api: ApiService, path: string, body: object): Promise<object> {
  return postJson(api, path, { amount: 1250, ...body });
}

/** Stores cards at the merchant's default terminal. Returns the ids of their tokens. */
export async function storedCards(api: ApiService, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let card = 0; card < count; card++) {
    const stored = await postJson<{ paymentMethod: { id: string } }>(api, '/v1/payment-methods/physical', {});
    ids.push(stored.paymentMethod.id);
  }
  return ids;
}

export async function postJson<Answer extends object>(
  { host, port, apiKey }: ApiService,
  path: string,
  body: object,
): Promise<Answer> {
  const response = await fetch(`http://${host}:${port}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${text.slice(0, 500)}`);
  return JSON.parse(text) as Answer;
}

/** @param traffic of the same rounds as the rates */
export function speedFigure(name: string, rates: readonly number[], traffic: readonly Traffic[]): Figure {
  const p50 = median(traffic.map((round) => round.p50)).toFixed(1);
  const p99 = median(traffic.map((round) => round.p99)).toFixed(1);
  const refused = refusedText(traffic);
  return {
    name,
    value: median(rates),
    unit: '/s',
    detail: `p50 ${p50} ms, p99 ${p99} ms${refused}`,
    meaning: 'Answered sales, and how long one takes.',
  };
}

export function refusedText(traffic: readonly Traffic[]): string {
  const refused = traffic.reduce((sum, round) => sum + round.refused, 0);
  return refused === 0 ? '' : `, ${refused} refused`;
}
