import type { SerialisedAppend } from '@tillstream/event-store';
import { randomUUID } from 'node:crypto';
import {
  readCorrelationId,
  batchAppendRequest,
  parseAppendResponse,
  type BatchAppendReq,
  type BatchAppendResp,
  type Written,
} from './append.messages.js';
import { CallFailed, classifyError, reasonOf, type Fault } from '../connection/error.mapping.js';

/**
 * The server abandons an append at an instant by its own clock. That clock may be ahead of the clock of this process, and
 * the server must not abandon what it has just received. A timer of this process ends the wait.
 */
const CLOCK_SKEW_MS_MAX = 30_000;

/** The driver's call that carries all appends of a connection. */
export interface BatchCall {
  write(message: BatchAppendReq): boolean;
  on(event: 'data', listener: (answer: BatchAppendResp) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
}

interface PendingAppend {
  readonly stream: string;
  isSent: boolean;
  readonly resolve: (written: Written) => void;
  readonly reject: (error: unknown) => void;
}

interface SentAppend {
  /** Rejects with the driver's error that answers this append, or with `CallFailed` if the call broke. */
  readonly written: Promise<Written>;
  /** A late answer is discarded. */
  discard(): void;
  isSent(): boolean;
}

/**
 * Sends the appends of one connection as messages of one call, at a third of the cost of one call per append. The driver
 * does the same with one table of pending appends for the whole process: there an error of one connection rejects the
 * appends of all others, and an unexpected answer ends the process. Here each connection has its own table.
 */
export class BatchAppends {
  readonly #pending = new Map<string, PendingAppend>();
  #call: Promise<BatchCall> | undefined;
  /** A call that broke may still emit events, which are ignored. */
  #open: BatchCall | undefined;

  constructor(private readonly open: () => Promise<BatchCall>) {}

  /** @param deadlineMs the server's time limit; the caller has its own timer */
  send(append: SerialisedAppend, expected: number | 'none', deadlineMs: number): SentAppend {
    const id = randomUUID();
    const written = new Promise<Written>((resolve, reject) => {
      this.#pending.set(id, { stream: append.stream, isSent: false, resolve, reject });
    });
    const message = batchAppendRequest(id, append, expected, Date.now() + deadlineMs + CLOCK_SKEW_MS_MAX);
    let isSent = false;
    this.#opened().then(
      (call) => {
        const pending = this.#pending.get(id);
        // The caller discarded the append before it could be sent.
        if (pending === undefined) return;
        isSent = pending.isSent = true;
        call.write(message);
      },
      (error: unknown) => this.#take(id)?.reject(new CallFailed(asUnsent(classifyError(error)))),
    );
    return { written, discard: () => void this.#take(id), isSent: () => isSent };
  }

  #opened(): Promise<BatchCall> {
    this.#call ??= this.open().then(
      (call) => this.#listenTo(call),
      (error: unknown) => {
        this.#call = undefined;
        throw error;
      },
    );
    return this.#call;
  }

  #listenTo(call: BatchCall): BatchCall {
    this.#open = call;
    call.on('data', (answer) => this.#answer(answer));
    call.on('error', (error) => this.#break(call, classifyError(error)));
    call.on('end', () => this.#break(call, lostConnection('the server ended the call')));
    return call;
  }

  #answer(answer: BatchAppendResp): void {
    const id = readCorrelationId(answer);
    const pending = id === undefined ? undefined : this.#take(id);
    if (pending === undefined) return;
    try {
      pending.resolve(parseAppendResponse(answer, pending.stream));
    } catch (error) {
      pending.reject(error);
    }
  }

  /**
   * No pending append has an answer, so the result of each sent one is unknown. Even if the server denied access, this may
   * concern one append, and it may have written others before and not answered them yet.
   */
  #break(call: BatchCall, fault: Fault): void {
    if (call !== this.#open) return;
    this.#open = undefined;
    this.#call = undefined;
    const lost = lostConnection(reasonOf(fault));
    for (const { isSent, reject } of this.#pending.values()) {
      reject(new CallFailed(isSent ? lost : asUnsent(lost)));
    }
    this.#pending.clear();
  }

  #take(id: string): PendingAppend | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }
}

function lostConnection(reason: string): Fault {
  return { kind: 'Lost', reason, late: false };
}

function asUnsent(fault: Fault): Fault {
  return fault.kind === 'Lost' ? { ...fault, unsent: true } : fault;
}
