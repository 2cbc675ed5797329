// The driver's messages are CommonJS modules without named exports for Node: each is imported as a whole.
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js';
import streamMessages from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { unpackToCommandError } from '@eventstore/db-client/dist/streams/appendToStream/unpackError.js';
import { parseUUID } from '@eventstore/db-client/dist/utils/grpcUUID.js';
import type { SerialisedAppend, SerialisedEvent } from '@tillstream/event-store';
import timestampMessages from 'google-protobuf/google/protobuf/timestamp_pb.js';
import { randomUUID } from 'node:crypto';
import { CallFailed, classifyError, reasonOf, type Fault } from '../connection/error.mapping.js';
import type { LogPosition } from '../read/log.event.js';

/**
 * The server abandons an append at an instant by its own clock. That clock may be ahead of the clock of this process, and
 * the server must not abandon what it has just received. A timer of this process ends the wait.
 */
const CLOCK_SKEW_MS_MAX = 30_000;
const utf8 = new TextEncoder();

interface Written {
  readonly revision: number;
  readonly position: LogPosition;
}

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

/** One append as one message, with its checked and hashed texts. The server abandons it at `deadline` (ms since 1970). */
function batchAppendRequest(
  correlationId: string,
  { stream, events }: Pick<SerialisedAppend, 'stream' | 'events'>,
  expected: number | 'none',
  deadline: number,
): BatchAppendReq {
  const options = new streamMessages.BatchAppendReq.Options();
  options.setStreamIdentifier(new sharedMessages.StreamIdentifier().setStreamName(utf8.encode(stream)));
  options.setDeadline(timestampMessages.Timestamp.fromDate(new Date(deadline)));
  if (expected === 'none') options.setNoStream(new sharedMessages.Empty());
  else options.setStreamPosition(String(expected));
  return new streamMessages.BatchAppendReq()
    .setCorrelationId(new sharedMessages.UUID().setString(correlationId))
    .setOptions(options)
    .setProposedMessagesList(events.map(proposedMessage))
    .setIsFinal(true);
}

function proposedMessage({ id, type, data, metadata }: SerialisedEvent) {
  const message = new streamMessages.BatchAppendReq.ProposedMessage();
  message.setId(new sharedMessages.UUID().setString(id));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message.setData(utf8.encode(data)).setCustomMetadata(utf8.encode(metadata));
}

/** The id of the append that was answered; undefined if the answer has none. */
function readCorrelationId(answer: BatchAppendResp): string | undefined {
  const id = answer.getCorrelationId();
  return id && parseUUID(id);
}

/** The result of an append. Throws the driver's error if the server refused it. */
function parseAppendResponse(answer: BatchAppendResp, stream: string): Written {
  const error = answer.getError();
  if (error !== undefined) throw unpackToCommandError(error, stream);
  const success = answer.getSuccess();
  const position = success?.getPosition();
  if (success === undefined || position === undefined) {
    throw new Error('the server answered without a position');
  }
  const commit = BigInt(position.getCommitPosition());
  const prepare = BigInt(position.getPreparePosition());
  return { revision: Number(success.getCurrentRevision()), position: { commit, prepare } };
}
