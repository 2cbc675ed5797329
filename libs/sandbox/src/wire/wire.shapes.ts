import type { ResultCode } from '@tillstream/domain';
import type {
  AcquirerRequest,
  AnnulReaction,
  InquiryReaction,
  ResponseWithCredential,
} from '../acquirer/acquirer.types.js';
import type { CustomerAct, TerminalScreen } from '../terminals/customer.types.js';
import type { TerminalControlError } from '../sandbox.errors.js';
import type { SimulatedTerminal } from '../terminals/terminals.js';

/*
 * What service and sandbox say to one another over HTTP, where the sandbox is a process of its own. Requests are JSON
 * objects by POST. Each carries a call id, which every line of its answer repeats: a line that belongs to another call (a
 * connection that was confused by something in between) can't be taken for this one's.
 */

export const WIRE_PATHS = {
  /** Answers with lines of JSON, the first when there is something to say, perhaps never. */
  execute: '/v1/execute',
  /** Whether `execute` would refuse the connection. Executes nothing. */
  refuses: '/v1/refuses',
  inquire: '/v1/inquire',
  annul: '/v1/annul',
  lastTransaction: '/v1/last-transaction',
  terminal: '/v1/terminal',
  setTerminal: '/v1/terminal/set',
  /** What a customer does there. */
  act: '/v1/terminal/act',
  /** What they see. */
  screen: '/v1/terminal/screen',
  /** Says who it is. With the wrong secret it is refused as everything else. */
  about: '/v1/about',
  ledger: '/v1/ledger',
} as const;

export const WIRE_HEADERS = {
  callId: 'x-call-id',
  /** Of the service's clock, ms: the sandbox keeps the largest that it has heard. */
  clockOffset: 'x-clock-offset',
} as const;

/** Of a request's body. */
export const REQUEST_BYTES_MAX = 16_384;
/** Of one line of an answer. */
export const LINE_BYTES_MAX = 65_536;

/** How long the sandbox keeps a connection on which it has nothing to say, ms. Longer than any terminal is waited for. */
export const SILENCE_MS_MAX = 300_000;

export interface ExecuteBody {
  readonly request: AcquirerRequest;
}

export interface QueryBody {
  readonly key: string;
  /** Left out, by services of before: any. */
  readonly account?: string;
}

export interface LastTransactionBody extends QueryBody {
  readonly terminalId: string;
}

/**
 * What is heard of a request. `HostSilent`: a terminal says that its host did not answer in time; what the host said
 * later may follow in another line.
 */
export type ReportedReaction =
  | ({ readonly kind: 'Answered' } & ResponseWithCredential)
  | { readonly kind: 'TerminalEnded'; readonly resultCode: ResultCode }
  | { readonly kind: 'LinkLost' }
  | { readonly kind: 'HostSilent' };

/** A line of an answer to `execute`. */
export interface ReactionLine {
  readonly callId: string;
  readonly key: string;
  readonly heard: ReportedReaction;
}

/** The whole answer to a question about a key. Where the world gives none the connection is closed without. */
export interface QueryResultLine {
  readonly callId: string;
  readonly key: string;
  readonly found: Exclude<InquiryReaction, { kind: 'NoAnswer' }> | AnnulReaction;
}

/** With a status of 400 or more: it is certain that nothing was executed, and nothing will be. */
export interface RefusedLine {
  readonly callId: string;
  readonly refused: string;
  /** Where it is the world's own refusal. */
  readonly code?: TerminalControlError['code'];
}

export interface TerminalBody {
  readonly terminalId: string;
}

export interface SetTerminalBody extends TerminalBody {
  readonly mode: string;
  readonly card: string | null;
}

export interface ActBody extends TerminalBody {
  readonly act: CustomerAct;
}

export interface TerminalLine {
  readonly callId: string;
  readonly terminal: SimulatedTerminal;
}

export interface ScreenLine {
  readonly callId: string;
  readonly screen: TerminalScreen;
}

export interface ConnectionRefusalLine {
  readonly callId: string;
  readonly refuses: boolean;
}

/** Who answers: tells the sandbox from anything else that listens on a port. */
export interface AboutLine {
  readonly callId: string;
  readonly service: 'tillstream-sandbox';
  readonly processorDeadlineMs: number;
  readonly clockOffsetMs: number;
}
