import { ErrorType, type EndPoint } from '@eventstore/db-client';
import { EventStoreError } from '@tillstream/event-store';

/** What an error of the driver means for its call. */
export type Fault =
  /** The stream has another last revision. */
  | { readonly kind: 'Conflict'; readonly actual: number | 'none' }
  /** Nothing was done; the leader can do it. */
  | { readonly kind: 'NotLeader'; readonly leader: EndPoint; readonly reason: string }
  | { readonly kind: 'NoStream' }
  /** Nothing was done, and a repeat fails too: the stream was deleted, the append is too large. */
  | { readonly kind: 'Refused'; readonly code: 'Invalid' | 'TooLarge'; readonly reason: string }
  /** Nothing was done, and an immediate repeat fails too: no access. */
  | { readonly kind: 'Denied'; readonly reason: string }
  /** Nothing was done: the call was not sent, or the server accepts no calls now. */
  | { readonly kind: 'NotServed'; readonly reason: string }
  /**
   * It is unknown whether the call was executed. `late`: the deadline passed without an answer. `unsent`: the append was
   * not sent, so it was not executed.
   */
  | { readonly kind: 'Lost'; readonly reason: string; readonly late: boolean; readonly unsent?: true };

/** The call ended without a result. */
export class CallFailed extends Error {
  constructor(readonly fault: Fault) {
    super(fault.kind);
  }
}

const REASON_LENGTH_MAX = 200;

/** Messages of gRPC for a call that was never sent. */
const NEVER_SENT =
  /No connection established|Name resolution failed|waiting for (name resolution|metadata filters|LB pick)|Channel (closed before call started|has been shut down)|the connection was closed|Failed to discover/i;
/** Messages of the server for a call that it did not execute. */
const NOT_HANDLED =
  /Server Is Not Ready|No leader info available|Server Is Too Busy|Stream refused by server/i;

/** gRPC status codes with which a server refuses a call before it does anything. */
const DENIED_STATUSES = new Set([7, 16]);
const NEVER_DONE_STATUSES = new Set([3, 12]);

/** What this file reads of an error of the driver or of gRPC. */
interface DriverError {
  readonly type?: string;
  /** The status of gRPC. */
  readonly code?: number;
  readonly message?: string;
  readonly leader: EndPoint;
  readonly actualVersion?: bigint | 'no_stream';
}

/** The fault of an error of the driver, of gRPC, or of `withinDeadline`. */
export function classifyError(error: unknown): Fault {
  if (error instanceof CallFailed) return error.fault;
  const { type, code = -1, message = String(error), leader, actualVersion } = (error ?? {}) as DriverError;
  switch (type) {
    case ErrorType.WRONG_EXPECTED_VERSION: {
      const hasEvents = typeof actualVersion === 'bigint' && actualVersion >= 0n;
      return { kind: 'Conflict', actual: hasEvents ? Number(actualVersion) : 'none' };
    }
    case ErrorType.NOT_LEADER:
      return { kind: 'NotLeader', leader, reason: `${leader.address}:${leader.port} leads` };
    case ErrorType.STREAM_NOT_FOUND:
      return { kind: 'NoStream' };
    case ErrorType.STREAM_DELETED:
      return { kind: 'Refused', code: 'Invalid', reason: 'the stream was deleted for good' };
    case ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED:
      return { kind: 'Refused', code: 'TooLarge', reason: 'the append is larger than the server allows' };
    case ErrorType.ACCESS_DENIED:
      return { kind: 'Denied', reason: 'the server denies access: check user and password of its address' };
    default: {
      const reason = singleLine(message) || (type ?? 'an error without a message');
      if (DENIED_STATUSES.has(code)) return { kind: 'Denied', reason };
      if (NEVER_SENT.test(message) || NOT_HANDLED.test(message) || NEVER_DONE_STATUSES.has(code)) {
        return { kind: 'NotServed', reason };
      }
      return { kind: 'Lost', reason, late: type === ErrorType.DEADLINE_EXCEEDED };
    }
  }
}

/** The error of a call for the caller of the store. */
export function toEventStoreError(fault: Fault, server: string, call: 'append' | 'read'): EventStoreError {
  const prefix = `EventStoreDB (${server}): `;
  const reason = 'reason' in fault ? fault.reason : 'the answer does not fit the call';
  if (fault.kind === 'Lost' && call === 'append') {
    return new EventStoreError('Unknown', `${prefix}it is unknown whether the append was written: ${reason}`);
  }
  return new EventStoreError(fault.kind === 'Refused' ? fault.code : 'Unavailable', prefix + reason);
}

export function reasonOf(fault: Fault): string {
  return 'reason' in fault ? fault.reason : fault.kind;
}

/** One line without the driver's notes and times. The driver's messages have hosts and ports, never credentials. */
function singleLine(message: string): string {
  const text = message.replace(/ ?Resolution note:.*$/s, '').replace(/ \(\d{4}-[^)]*Z\)/g, '');
  return text.replace(/\s+/g, ' ').trim().slice(0, REASON_LENGTH_MAX);
}
