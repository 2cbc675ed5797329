import { ErrorType, type EndPoint } from '@eventstore/db-client';
import { EventStoreError } from '@tillstream/event-store';

/** What an error of the driver means for the call that had it. */
export type Fault =
  /** The stream's last revision is another. */
  | { readonly kind: 'Conflict'; readonly actual: number | 'none' }
  /** Nothing was done; that node can do it. */
  | { readonly kind: 'NotLeader'; readonly leader: EndPoint; readonly reason: string }
  | { readonly kind: 'NoStream' }
  /** Nothing was done, and never will be: the stream was deleted, the append is too large. */
  | { readonly kind: 'Refused'; readonly code: 'Invalid' | 'TooLarge'; readonly reason: string }
  /** Nothing was done, and repeating at once would not help: no access. */
  | { readonly kind: 'Denied'; readonly reason: string }
  /** Nothing was done: it never left this process, or the server says that it serves nobody now. */
  | { readonly kind: 'NotServed'; readonly reason: string }
  /**
   * It can't be told what was done. `late`: because no answer came in time. `asUnsent`: what was to be done was not sent
   * yet, so it was not done.
   */
  | { readonly kind: 'Lost'; readonly reason: string; readonly late: boolean; readonly unsent?: true };

const LONGEST_REASON = 200;

/** Said by gRPC of a call that no connection took. */
const NEVER_SENT =
  /No connection established|Name resolution failed|waiting for (name resolution|metadata filters|LB pick)|Channel (closed before call started|has been shut down)|the connection was closed|Failed to discover/i;
/** Said by the server of a call that it did not look at. */
const NOT_HANDLED =
  /Server Is Not Ready|No leader info available|Server Is Too Busy|Stream refused by server/i;

/** gRPC status codes by which a server refuses a call before it does anything. */
const DENIED_STATUSES = new Set([7, 16]);
const NEVER_DONE_STATUSES = new Set([3, 12]);

export function classifyError(error: unknown): Fault {
  const { type, code, message } = errorParts(error);
  switch (type) {
    case ErrorType.WRONG_EXPECTED_VERSION:
      return { kind: 'Conflict', actual: actualRevision(error) };
    case ErrorType.NOT_LEADER: {
      const { leader } = error as { readonly leader: EndPoint };
      return { kind: 'NotLeader', leader, reason: `${leader.address}:${leader.port} leads` };
    }
    case ErrorType.STREAM_NOT_FOUND:
      return { kind: 'NoStream' };
    case ErrorType.STREAM_DELETED:
      return { kind: 'Refused', code: 'Invalid', reason: 'the stream was deleted for good' };
    case ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED:
      return { kind: 'Refused', code: 'TooLarge', reason: 'the append is larger than the server allows' };
    case ErrorType.ACCESS_DENIED:
      return { kind: 'Denied', reason: 'the server denies access: check user and password of its address' };
    default: {
      const reason = errorReason(type, message);
      if (code !== undefined && DENIED_STATUSES.has(code)) return { kind: 'Denied', reason };
      const notDone = NEVER_SENT.test(message) || NOT_HANDLED.test(message);
      if (notDone || (code !== undefined && NEVER_DONE_STATUSES.has(code)))
        return { kind: 'NotServed', reason };
      return { kind: 'Lost', reason, late: type === ErrorType.DEADLINE_EXCEEDED };
    }
  }
}

/** An error for the caller, of an append or of a call that only reads. */
export function toEventStoreError(fault: Fault, server: string, call: 'append' | 'read'): EventStoreError {
  const say = (what: string): string => `EventStoreDB (${server}): ${what}`;
  switch (fault.kind) {
    case 'Refused':
      return new EventStoreError(fault.code, say(fault.reason));
    case 'Lost':
      return call === 'append'
        ? new EventStoreError(
            'Unknown',
            say(`it can't be told whether the append was written: ${fault.reason}`),
          )
        : new EventStoreError('Unavailable', say(fault.reason));
    case 'Conflict':
    case 'NoStream':
      return new EventStoreError('Unavailable', say('an answer that does not fit the call'));
    case 'NotLeader':
    case 'Denied':
    case 'NotServed':
      return new EventStoreError('Unavailable', say(fault.reason));
  }
}

/** One line of what an error says. The driver's messages hold hosts and ports, never credentials. */
export function singleLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, LONGEST_REASON);
}

/** Of errors of the driver, raw errors of gRPC, and whatever else may come. */
function errorParts(error: unknown): { type: string | undefined; code: number | undefined; message: string } {
  if (!(error instanceof Error)) return { type: undefined, code: undefined, message: String(error) };
  const { type, code, message } = error as { type?: unknown; code?: unknown; message: string };
  return {
    type: typeof type === 'string' ? type : undefined,
    code: typeof code === 'number' ? code : undefined,
    message,
  };
}

function errorReason(type: string | undefined, message: string): string {
  const line = singleLine(message.replace(/ ?Resolution note:.*$/s, '').replace(/ \(\d{4}-[^)]*Z\)/g, ''));
  return line === '' ? (type ?? 'an error without a message') : line;
}

function actualRevision(error: unknown): number | 'none' {
  const { actualVersion } = error as { readonly actualVersion?: bigint | 'no_stream' };
  return typeof actualVersion === 'bigint' && actualVersion >= 0n ? Number(actualVersion) : 'none';
}
