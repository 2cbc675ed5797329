import type { EndPoint } from '@eventstore/db-client';
import { EventStoreError } from '@tillstream/event-store';
import { setTimeout as pause } from 'node:timers/promises';
import { withinDeadline, type CallWork } from './call.deadline.js';
import { DriverClient } from './driver.client.js';
import { CallFailed, classifyError, type Fault } from './error.mapping.js';
import type { StoreSettings } from './server.settings.js';

/** Both can be repeated unchanged, but the result of an append may stay unknown. */
export type CallPurpose = 'append' | 'read';

interface SharedClient {
  readonly client: DriverClient;
  /** Calls in flight. */
  calls: number;
}

type Outcome<T> = { readonly result: T } | { readonly fault: Fault };

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;
/** Attempts whose connection breaks. */
const BROKEN_ATTEMPTS_MAX = 3;

/**
 * The shared client for appends and single reads, connected to the leader. A client is retired if its connection failed or
 * a call got no answer. New calls then get a new client. Calls in flight may still finish on the retired client within their
 * deadlines; then it is closed.
 */
export class LeaderConnection {
  readonly #retired = new Set<SharedClient>();
  #current: SharedClient | undefined;
  /** The leader that a node named; undefined: the driver finds it through the address. */
  #leader: EndPoint | undefined;
  #isTroubled = false;
  #isClosed = false;

  constructor(private readonly settings: StoreSettings) {}

  /**
   * Runs a call within `deadlineMs`. Repeats it unchanged if the connection broke. If nothing was done, repeats it at the
   * leader, or in a cluster at any node that accepts it. Rejects with `CallFailed`, or with the `EventStoreError` that `work`
   * throws. An append that one attempt may have written stays `Lost`, except if a repeat conflicts.
   */
  async call<T>(deadlineMs: number, purpose: CallPurpose, work: CallWork<T>): Promise<T> {
    const end = performance.now() + deadlineMs;
    let lost: Fault | undefined;
    for (let attempts = 1, breaks = 0; ; attempts++) {
      const outcome = await this.#attempt(end, work);
      if ('result' in outcome) return outcome.result;
      const { fault } = outcome;
      if (fault.kind === 'Lost' && !fault.late) breaks += 1;
      if (fault.kind === 'Lost' && !fault.unsent && purpose === 'append') lost ??= fault;
      const waitMs =
        attempts === 1 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts, 10), LONGEST_PAUSE_MS);
      if (!this.#mayRepeat(fault, breaks) || performance.now() + waitMs >= end) {
        throw new CallFailed(faultOfAllAttempts(lost, fault));
      }
      if (waitMs > 0) await pause(waitMs);
    }
  }

  /** Closes every client: calls in flight fail. */
  close(): void {
    this.#isClosed = true;
    if (this.#current !== undefined) this.#retire(this.#current);
    for (const { client } of this.#retired) client.close();
  }

  async #attempt<T>(end: number, work: CallWork<T>): Promise<Outcome<T>> {
    if (this.#isClosed) return { fault: { kind: 'NotServed', reason: 'the store is closed' } };
    const lease = this.#lease();
    try {
      const result = await withinDeadline(lease.client, end, work);
      this.#noteAnswer(lease);
      return { result };
    } catch (error) {
      if (error instanceof EventStoreError) throw error;
      const fault = classifyError(error);
      this.#noteFault(lease, fault);
      return { fault };
    } finally {
      lease.calls -= 1;
      this.#closeIfIdle(lease);
    }
  }

  #mayRepeat(fault: Fault, breaks: number): boolean {
    if (this.#isClosed) return false;
    if (fault.kind === 'Lost') return !fault.late && breaks < BROKEN_ATTEMPTS_MAX;
    return fault.kind === 'NotLeader' || (fault.kind === 'NotServed' && this.settings.clustered);
  }

  #lease(): SharedClient {
    this.#current ??= { client: new DriverClient(this.settings, this.#leader, true), calls: 0 };
    this.#current.calls += 1;
    return this.#current;
  }

  #noteAnswer(lease: SharedClient): void {
    if (!this.#isTroubled || this.#retired.has(lease)) return;
    this.#isTroubled = false;
    this.settings.report('connected again');
  }

  /** Retires the client if it can't continue. */
  #noteFault(lease: SharedClient, fault: Fault): void {
    if (this.#retired.has(lease)) return;
    if (fault.kind === 'NotLeader') {
      this.#retire(lease);
      this.#leader = fault.leader;
    } else if (fault.kind === 'NotServed' || fault.kind === 'Lost') {
      this.#retire(lease);
      // The node may be gone for good.
      this.#leader = undefined;
      if (!this.#isTroubled && !this.#isClosed) this.settings.report(`${fault.reason}; connecting again`);
      this.#isTroubled = true;
    } else this.#noteAnswer(lease);
  }

  #retire(lease: SharedClient): void {
    if (lease === this.#current) this.#current = undefined;
    this.#retired.add(lease);
  }

  #closeIfIdle(lease: SharedClient): void {
    if (!this.#retired.has(lease) || lease.calls > 0) return;
    this.#retired.delete(lease);
    lease.client.close();
  }
}

/** The fault of the last attempt says nothing about an earlier one that was lost, unless it is a conflict. */
function faultOfAllAttempts(lost: Fault | undefined, last: Fault): Fault {
  if (lost !== undefined && last.kind !== 'Conflict') return lost;
  return last.kind === 'Lost' && last.unsent ? { kind: 'NotServed', reason: last.reason } : last;
}
