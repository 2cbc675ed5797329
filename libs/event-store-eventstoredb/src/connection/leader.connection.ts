import type { EndPoint } from '@eventstore/db-client';
import { EventStoreError } from '@tillstream/event-store';
import { setTimeout as pause } from 'node:timers/promises';
import { CallFailed, withinDeadline, type CallAttempt } from './call.deadline.js';
import { DriverClient } from './driver.client.js';
import { classifyError, type Fault } from './error.mapping.js';
import type { OperatorReport } from './operator.report.js';
import type { ServerSettings } from './server.settings.js';

/** What a call does: after both it can be repeated as it is, but of an append it may stay unknown what it did. */
export type CallPurpose = 'append' | 'read';

interface SharedClient {
  readonly client: DriverClient;
  /** On it at the moment. */
  calls: number;
  retired: boolean;
}

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;
/** Tries on connections that break. */
const BROKEN_ATTEMPTS_MAX = 3;

/**
 * The shared client for appends and single reads, connected to the leader. A client whose connection failed, or that
 * left a call without an answer, is retired: new calls get a new one, calls in flight may still finish within their own
 * deadlines, then it is closed.
 */
export class LeaderConnection {
  readonly #retired = new Set<SharedClient>();
  #current: SharedClient | undefined;
  /** Where the leader was said to be; undefined: the address tells. */
  #leader: EndPoint | undefined;
  #troubled = false;
  #closed = false;

  constructor(
    readonly server: ServerSettings,
    private readonly report: OperatorReport,
  ) {}

  /**
   * Runs a call for at most so many ms. Where its connection broke it tries again, as it is; where nothing was done, it
   * tries again until then at the node that leads, or, in a cluster, at whichever node serves. Rejects with `CallFailed`,
   * or with the `EventStoreError` that `attempt` throws. An append that may have been written once is `Lost` from then
   * on, whatever its repeats are told, but for a conflict.
   */
  async call<T>(
    deadlineMs: number,
    purpose: CallPurpose,
    attempt: (turn: CallAttempt) => Promise<T>,
  ): Promise<T> {
    const end = performance.now() + deadlineMs;
    let lost: Fault | undefined;
    for (let tries = 1, breaks = 0; ; tries++) {
      const lease = this.#lease();
      let fault: Fault;
      try {
        const result = await withinDeadline(lease.client, end, attempt);
        this.#answered(lease);
        return result;
      } catch (error) {
        if (error instanceof EventStoreError) throw error;
        fault = error instanceof CallFailed ? error.fault : classifyError(error);
        this.#judge(lease, fault);
      } finally {
        lease.calls -= 1;
        this.#closeIfIdle(lease);
      }
      if (purpose === 'append' && fault.kind === 'Lost' && !fault.unsent) lost ??= fault;
      const broke = fault.kind === 'Lost' && !fault.late && ++breaks < BROKEN_ATTEMPTS_MAX;
      const elsewhere = fault.kind === 'NotLeader' || (fault.kind === 'NotServed' && this.server.clustered);
      const wait = tries === 1 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries, 10), LONGEST_PAUSE_MS);
      if (!(broke || elsewhere) || this.#closed || performance.now() + wait >= end)
        throw new CallFailed(faultOfAllAttempts(lost, fault));
      if (wait > 0) await pause(wait);
    }
  }

  /** Closes every client: calls in flight fail. */
  close(): void {
    this.#closed = true;
    if (this.#current !== undefined) this.#retire(this.#current);
    for (const { client } of this.#retired) client.close();
    this.#retired.clear();
  }

  #lease(): SharedClient {
    if (this.#closed) throw new CallFailed({ kind: 'NotServed', reason: 'the store is closed' });
    this.#current ??= { client: new DriverClient(this.server, this.#leader, true), calls: 0, retired: false };
    this.#current.calls += 1;
    return this.#current;
  }

  /** Whether the client can go on. */
  #judge(lease: SharedClient, fault: Fault): void {
    if (lease.retired) return;
    switch (fault.kind) {
      case 'NotLeader':
        this.#retire(lease);
        this.#leader = fault.leader;
        return;
      case 'NotServed':
      case 'Lost':
        this.#retire(lease);
        // That node may be gone for good.
        this.#leader = undefined;
        if (!this.#troubled && !this.#closed) this.report(`${fault.reason}; connecting anew`);
        this.#troubled = true;
        return;
      case 'Conflict':
      case 'NoStream':
      case 'Refused':
      case 'Denied':
        this.#answered(lease);
    }
  }

  #answered(lease: SharedClient): void {
    if (!this.#troubled || lease.retired) return;
    this.#troubled = false;
    this.report('connected again');
  }

  #retire(lease: SharedClient): void {
    if (lease === this.#current) this.#current = undefined;
    lease.retired = true;
    this.#retired.add(lease);
  }

  #closeIfIdle(lease: SharedClient): void {
    if (!lease.retired || lease.calls > 0) return;
    this.#retired.delete(lease);
    lease.client.close();
  }
}

/** What the last try was told says nothing of one before it that was lost, unless it is a conflict. */
function faultOfAllAttempts(lost: Fault | undefined, last: Fault): Fault {
  if (lost !== undefined && last.kind !== 'Conflict') return lost;
  return last.kind === 'Lost' && last.unsent ? { kind: 'NotServed', reason: last.reason } : last;
}
