import type { ResultCode } from '@tillstream/domain';
import type {
  AcquirerRequest,
  AnnulReaction,
  InquiryReaction,
  ResponseWithCredential,
} from '../acquirer/acquirer.types.js';
import type { BankMessage, DeliveredMessages } from '../bank/bank.types.js';
import type { CustomerAct, TerminalScreen } from '../terminals/customers.js';
import type { TerminalControlError } from '../sandbox.errors.js';
import type { GivenSettings, SimulatedTerminal } from '../terminals/terminals.js';
import type {
  AuthenticationReaction,
  CardAuthentication,
  Challenge,
  ChallengeReaction,
} from '../three-ds/three-ds.simulator.js';

/*
 * The messages between the service and a sandbox that is a process of its own, over HTTP. Requests are JSON objects by POST.
 * Each carries a call id, which every line of its response repeats: so a line never counts for another call, even if
 * something between the two mixes up connections.
 */

export const WIRE_PATHS = {
  /** Responds with lines of JSON, one for each reaction, perhaps none. */
  execute: '/v1/execute',
  /** Says whether `execute` would refuse the connection. Executes nothing. */
  refuses: '/v1/refuses',
  inquire: '/v1/inquire',
  annul: '/v1/annul',
  lastTransaction: '/v1/last-transaction',
  terminal: '/v1/terminal',
  setTerminal: '/v1/terminal/set',
  /** An action of the customer. */
  act: '/v1/terminal/act',
  screen: '/v1/terminal/screen',
  authenticate: '/v1/three-ds/authenticate',
  challengeResult: '/v1/three-ds/result',
  /** A challenge as its page shows it. */
  challenge: '/v1/three-ds/challenge',
  /** An answer of the cardholder. */
  answerChallenge: '/v1/three-ds/answer',
  /** Claims messages of the bank that are due. */
  claimMessages: '/v1/bank/claim',
  /** Says what became of claimed messages. */
  settleMessages: '/v1/bank/settle',
  /** Counts the messages of the bank that are due and not acknowledged. */
  countMessages: '/v1/bank/count',
  /** Identifies the sandbox. */
  about: '/v1/about',
  ledger: '/v1/ledger',
} as const;

export const WIRE_HEADERS = {
  callId: 'x-call-id',
  /** Of the service's clock, ms. The sandbox stores the largest one. */
  clockOffset: 'x-clock-offset',
} as const;

/** Of a request's body. */
export const REQUEST_BYTES_MAX = 16_384;
/** Of one line of a response. */
export const LINE_BYTES_MAX = 262_144;
/** Messages of the bank in one response: each has about 450 bytes. */
export const BANK_MESSAGES_MAX = 250;

/** How long the sandbox keeps a silent connection open. Longer than the wait for any terminal. */
export const SILENCE_MS_MAX = 300_000;

export interface ExecuteBody {
  readonly request: AcquirerRequest;
}

/** `account` left out, as by older services: any account. */
export type QueryBody = Pick<AcquirerRequest, 'key' | 'account'>;
export type LastTransactionBody = QueryBody & TerminalBody;

export interface TerminalBody {
  readonly terminalId: string;
}
export type SetTerminalBody = TerminalBody & GivenSettings;
export type ActBody = TerminalBody & { readonly act: CustomerAct };

export type AuthenticateBody = CardAuthentication;

export interface ChallengeBody {
  readonly challengeId: string;
}
export type ChallengeResultBody = ChallengeBody & Pick<CardAuthentication, 'key'>;
export type AnswerChallengeBody = ChallengeBody & { readonly code: string };

/** `HostSilent`: the host did not answer the terminal in time. A later response may follow in another line. */
export type ReportedReaction =
  | ({ readonly kind: 'Answered' } & ResponseWithCredential)
  | { readonly kind: 'TerminalEnded'; readonly resultCode: ResultCode }
  | { readonly kind: 'LinkLost' }
  | { readonly kind: 'HostSilent' };

interface Line {
  readonly callId: string;
}

/** A line of a response to `execute`. */
export interface ReactionLine extends Line {
  readonly key: string;
  readonly heard: ReportedReaction;
}

/** The whole response to a query about a key. For `NoAnswer` the sandbox closes the connection without a line. */
export interface QueryResultLine extends Line {
  readonly key: string;
  readonly found: Exclude<InquiryReaction, { kind: 'NoAnswer' }> | AnnulReaction;
}

/** With an HTTP status of 400 or more: nothing was executed, and nothing will be. */
export interface RefusedLine extends Line {
  readonly refused: string;
  /** Of a refused terminal setting or customer action. */
  readonly code?: TerminalControlError['code'];
}

export interface ClaimMessagesBody {
  /** 1 to `BANK_MESSAGES_MAX`. */
  readonly messagesMax: number;
}
export type SettleMessagesBody = DeliveredMessages;
export type MessagesLine = Line & { readonly messages: readonly BankMessage[] };
export type MessageCountLine = Line & { readonly due: number };

export type TerminalLine = Line & { readonly terminal: SimulatedTerminal };
export type ScreenLine = Line & { readonly screen: TerminalScreen };
export type ConnectionRefusalLine = Line & { readonly refuses: boolean };

export interface AuthenticationLine extends Line {
  readonly key: string;
  readonly authentication: AuthenticationReaction;
}

export interface ChallengeResultLine extends Line {
  readonly key: string;
  readonly result: ChallengeReaction;
}

/** Null: there is no such challenge. */
export type ChallengeLine = Line & { readonly challenge: Challenge | null };

/** Distinguishes the sandbox from other programs that listen on a port. */
export interface AboutLine extends Line {
  readonly service: 'tillstream-sandbox';
  readonly processorDeadlineMs: number;
  readonly clockOffsetMs: number;
}
