import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Backoff, errorMessage, WakeSignal } from '@tillstream/runtime';
import type { ClaimRequest, Finished, SendingQueue } from '../delivery.store.port.js';
import type { AttemptResult, ClaimedBatch, ClaimedDelivery, DeliveryEndpoint } from '../delivery.types.js';
import { attemptDelivery, type Attempted, type AttemptOptions } from './attempt.js';
import { TIME_LIMIT_MS } from './posted.delivery.js';
import { EndpointDisabler, type EndpointDisablerOptions } from './endpoint.disabler.js';
import { EndpointHealthReports, type EndpointHealthLog } from './endpoint.health.js';
import { defaultSendingLimits, SendingCapacity, type SendingLimits } from './sending.capacity.js';

export interface SenderLog {
  /** The deliveries can't be read or written. Called for the first of consecutive failures. */
  failing(reason: string): void;
  recovered(): void;
}

export interface SenderOptions extends AttemptOptions {
  readonly queue: SendingQueue;
  readonly disabling: EndpointDisablerOptions;
  readonly health: EndpointHealthLog;
  readonly log: SenderLog;
  /** Called after each attempt, also if its result can't be written. Must not throw. */
  readonly attempted?: (result: AttemptResult) => void;
  readonly limits?: SendingLimits;
}

/** Longest pause before due deliveries of other processes, and a moved clock, are noticed. */
const POLL_INTERVAL_MS = 200;
/** While deliveries are in flight, results of this time are written in one transaction. It does not delay the first ones. */
const GATHER_MS = 2;
/** Longer than an attempt can take, so that a claim ends only if its process has died or was paused. */
const CLAIM_LEASE_MS = 2 * TIME_LIMIT_MS;
/** A process that was paused after a claim sends nothing of it: another process may have claimed it meanwhile. */
const START_WITHIN_MS = CLAIM_LEASE_MS - TIME_LIMIT_MS - 1_000;
const ENDPOINTS_MAX = 64;

interface Claim {
  readonly token: string;
  /** Deliveries that were started and have no result yet. */
  readonly started: Set<string>;
  readonly endpoints: ReadonlyMap<string, DeliveryEndpoint>;
  results: AttemptResult[];
}

/**
 * Sends due deliveries. Rounds run one at a time: write the results of the last one, claim what is due, start it. Every
 * process may run one, because a delivery is sent under a claim, and its result is written under the claim's token. The
 * backlog stays in the store: in memory are the deliveries in flight, whose number is bounded.
 */
export class DeliverySender {
  readonly #capacity: SendingCapacity;
  readonly #signal = new WakeSignal();
  readonly #backoff = new Backoff({ firstPauseMs: 100, longestPauseMs: 5_000 });
  /** By token. */
  readonly #claims = new Map<string, Claim>();
  readonly #disabling: EndpointDisabler;
  readonly #health: EndpointHealthReports;
  readonly #attempts = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #isFailing = false;

  constructor(private readonly options: SenderOptions) {
    this.#capacity = new SendingCapacity(options.limits ?? defaultSendingLimits);
    this.#disabling = new EndpointDisabler(options.disabling);
    this.#health = new EndpointHealthReports(options.health);
  }

  /** Starts in the background. Call it once. */
  start(): void {
    this.#running = this.#run();
  }

  /** New deliveries were written: starts a round at once. */
  wake(): void {
    this.#signal.wake();
  }

  get inFlight(): number {
    return this.#capacity.inFlight;
  }

  /**
   * Claims nothing more, and waits up to `withinMs` for what is in flight. Attempts that take longer are sent again by
   * another process. Never rejects.
   */
  async stop(withinMs: number): Promise<void> {
    this.#stopping.abort();
    this.#signal.wake();
    await this.#running;
    this.#health.stop();
    const waited = new AbortController();
    const late = sleep(withinMs, undefined, { signal: waited.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.#attempts), late]);
    waited.abort();
    try {
      await this.#finishAndClaim([]);
      await this.#releaseStarted();
    } catch {
      // The claims end by themselves, and the attempts are repeated.
    }
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#signal.reset();
      try {
        const isMore = await this.#round();
        this.#reportRecovery();
        if (isMore) continue;
        await this.#signal.wait(await this.#pauseMs());
        if (this.#capacity.inFlight > 0) await sleep(GATHER_MS);
      } catch (error) {
        if (!this.#isFailing) this.options.log.failing(errorMessage(error));
        this.#isFailing = true;
        const pauseMs = this.#backoff.next();
        await sleep(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      }
    }
  }

  #reportRecovery(): void {
    this.#backoff.reset();
    if (this.#isFailing) this.options.log.recovered();
    this.#isFailing = false;
  }

  /** Whether more may be due at once. */
  async #round(): Promise<boolean> {
    const { queue } = this.options;
    const canStart = !this.#stopping.signal.aborted && this.#capacity.free > 0;
    const due = canStart ? await queue.dueEndpoints(this.#clocks(), ENDPOINTS_MAX, this.#excluded()) : [];
    const claimedAt = performance.now();
    const now = this.#clocks();
    const requests = this.#capacity
      .shares(due)
      .map((share) => ({ ...share, token: randomUUID(), now, leaseMs: CLAIM_LEASE_MS }));
    const claimed = await this.#finishAndClaim(requests);
    let started = 0;
    for (const [index, { token }] of requests.entries()) {
      const realMs = this.options.clock.realNow() - now.real;
      const isLate = Math.max(performance.now() - claimedAt, realMs) > START_WITHIN_MS;
      started += await this.#startClaim(token, claimed[index] ?? [], isLate);
    }
    return started > 0;
  }

  #excluded(): ReadonlySet<string> {
    const excluded = this.#capacity.full();
    for (const id of this.#disabling.recent()) excluded.add(id);
    return excluded;
  }

  /** Returns the number of started deliveries. */
  async #startClaim(token: string, batches: readonly ClaimedBatch[], isLate: boolean): Promise<number> {
    const endpoints = new Map(batches.map(({ endpoint }) => [endpoint.id, endpoint]));
    const claim: Claim = { token, started: new Set(), endpoints, results: [] };
    const unsent = batches.flatMap((batch) => (isLate ? batch.deliveries : this.#startBatch(claim, batch)));
    if (claim.started.size > 0) this.#claims.set(token, claim);
    const ids = unsent.map(({ deliveryId }) => deliveryId);
    const started = claim.started.size;
    if (ids.length > 0) await this.options.queue.release(token, ids);
    return started;
  }

  /** Starts deliveries in their order. Returns those for which there is no place. */
  #startBatch(claim: Claim, { endpoint, deliveries }: ClaimedBatch): readonly ClaimedDelivery[] {
    const places = this.#capacity.take(endpoint.id, endpoint.merchantId, deliveries.length);
    for (const delivery of deliveries.slice(0, places)) {
      claim.started.add(delivery.deliveryId);
      const attempt = this.#attempt(claim, endpoint, delivery);
      this.#attempts.add(attempt);
      void attempt.finally(() => this.#attempts.delete(attempt));
    }
    return deliveries.slice(places);
  }

  /** Never rejects. */
  async #attempt(claim: Claim, endpoint: DeliveryEndpoint, delivery: ClaimedDelivery): Promise<void> {
    const attempted = await attemptDelivery(this.options, endpoint, delivery);
    this.#capacity.giveBack(endpoint.id, attempted.durationMs);
    const result = await this.#finalResult(endpoint, attempted);
    this.options.attempted?.(result);
    claim.results.push(result);
    claim.started.delete(delivery.deliveryId);
    this.#signal.wake();
  }

  /** An endpoint that is gone is disabled before the result is written, so that nothing is tried again. */
  async #finalResult(endpoint: DeliveryEndpoint, { result, isGone }: Attempted): Promise<AttemptResult> {
    if (!isGone || !(await this.#disabling.disable(endpoint, 'Gone'))) return result;
    return result.outcome.kind === 'Failed' ? { ...result, outcome: { kind: 'Exhausted' } } : result;
  }

  /** Writes the results that came since the last call, and claims, in one transaction. */
  async #finishAndClaim(requests: readonly ClaimRequest[]): Promise<readonly (readonly ClaimedBatch[])[]> {
    const finished = [...this.#claims.values()].filter(({ results }) => results.length > 0);
    if (finished.length === 0 && requests.length === 0) return [];
    const results = finished.map(({ token, results: ofClaim }) => ({ token, results: ofClaim }));
    for (const claim of finished) claim.results = [];
    try {
      const written = await this.options.queue.finishAndClaim(results, requests);
      for (const [index, claim] of finished.entries()) {
        const one = written.finished[index];
        if (one) this.#checkHealth(claim, one);
        if (claim.started.size === 0 && claim.results.length === 0) this.#claims.delete(claim.token);
      }
      return written.claimed;
    } catch (error) {
      for (const [index, claim] of finished.entries())
        claim.results = [...(results[index]?.results ?? []), ...claim.results];
      throw error;
    }
  }

  /** In the background: no other delivery waits for the history. */
  #checkHealth({ endpoints }: Claim, { failingSince, health }: Finished): void {
    const now = this.options.clock.now();
    for (const [id, since] of failingSince) {
      const endpoint = endpoints.get(id);
      if (!endpoint) continue;
      for (const change of health.get(id) ?? []) this.#health.changed(endpoint, change);
      if (since !== undefined) void this.#disabling.checkFailing(endpoint, since, now);
    }
  }

  async #releaseStarted(): Promise<void> {
    for (const { token, started } of this.#claims.values())
      if (started.size > 0) await this.options.queue.release(token, [...started]);
  }

  #clocks(): { readonly service: number; readonly real: number } {
    const { clock } = this.options;
    return { service: clock.now(), real: clock.realNow() };
  }

  async #pauseMs(): Promise<number> {
    const nextDueAt = await this.options.queue.nextDueAt();
    if (nextDueAt === undefined) return POLL_INTERVAL_MS;
    // What is due already has no place, and waits for a result.
    const untilDue = nextDueAt - this.options.clock.now();
    return untilDue <= 0 ? POLL_INTERVAL_MS : Math.min(untilDue, POLL_INTERVAL_MS);
  }
}
