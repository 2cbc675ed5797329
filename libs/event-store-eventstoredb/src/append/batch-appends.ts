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
import { CallFailed } from '../connection/call.deadline.js';
import { classifyError, type Fault } from '../connection/error.mapping.js';

/**
 * The server gives an append up at an instant by its own clock, which may be ahead of ours: it must not give up what it
 * has only just received. Our own timer ends the wait.
 */
const CLOCK_SKEW_MS_MAX = 30_000;

/** The one call on which all appends of a connection travel, as the driver opens it. */
export interface BatchCall {
  write(message: BatchAppendReq): boolean;
  on(event: 'data', listener: (answer: BatchAppendResp) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
}

interface PendingAppend {
  readonly stream: string;
  /** It has left for the server. */
  sent: boolean;
  readonly resolve: (written: Written) => void;
  readonly reject: (error: unknown) => void;
}

export interface SentAppend {
  /** Rejects with the driver's error that answers this append, or with `CallFailed` when the call broke. */
  readonly written: Promise<Written>;
  /** The answer, should it still come, is for nobody. */
  discard(): void;
  /** Whether it has left for the server. */
  isSent(): boolean;
}

/**
 * The appends of one connection, as messages of one call: a third of what a call for each would cost. The driver does
 * the same, but keeps what it waits for in one table of the whole process, where an error of one connection rejects the
 * appends of every other and an answer that nobody waits for ends the process. Here each connection has its own.
 */
export class BatchAppends {
  readonly #waiting = new Map<string, PendingAppend>();
  #call: Promise<BatchCall> | undefined;
  /** The one whose answers count: one that broke may still be heard of. */
  #open: BatchCall | undefined;

  constructor(private readonly open: () => Promise<BatchCall>) {}

  /** @param deadlineMs how long the server may take; who asks has a timer of its own. */
  send(append: SerialisedAppend, expected: number | 'none', deadlineMs: number): SentAppend {
    const id = randomUUID();
    const written = new Promise<Written>((resolve, reject) => {
      this.#waiting.set(id, { stream: append.stream, sent: false, resolve, reject });
    });
    const message = batchAppendRequest(id, append, expected, Date.now() + deadlineMs + CLOCK_SKEW_MS_MAX);
    let sent = false;
    this.#opened().then(
      (call) => {
        const waiting = this.#waiting.get(id);
        // Given up before it could be sent.
        if (waiting === undefined) return;
        sent = waiting.sent = true;
        call.write(message);
      },
      (error: unknown) => this.#take(id)?.reject(new CallFailed(asUnsent(classifyError(error)))),
    );
    return { written, discard: () => void this.#take(id), isSent: () => sent };
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
    call.on('error', (error) => this.#broke(call, classifyError(error)));
    call.on('end', () =>
      this.#broke(call, { kind: 'Lost', reason: 'the server ended the call', late: false }),
    );
    return call;
  }

  #answer(answer: BatchAppendResp): void {
    const id = readCorrelationId(answer);
    const waiting = id === undefined ? undefined : this.#take(id);
    if (waiting === undefined) return;
    try {
      waiting.resolve(parseAppendResponse(answer, waiting.stream));
    } catch (error) {
      waiting.reject(error);
    }
  }

  /**
   * None that waited has an answer, so of each that was sent it can't be told: what the server says of the call as a
   * whole, be it that it denies access, may be about one append, with others written before it and not yet answered.
   */
  #broke(call: BatchCall, fault: Fault): void {
    if (call !== this.#open) return;
    this.#open = undefined;
    this.#call = undefined;
    const lost: Fault = { kind: 'Lost', reason: 'reason' in fault ? fault.reason : fault.kind, late: false };
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const one of waiting) one.reject(new CallFailed(one.sent ? lost : asUnsent(lost)));
  }

  #take(id: string): PendingAppend | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}

function asUnsent(fault: Fault): Fault {
  return fault.kind === 'Lost' ? { ...fault, unsent: true } : fault;
}
