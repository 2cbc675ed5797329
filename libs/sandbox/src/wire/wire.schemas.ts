import type { AvsResult, CardType, Channel, Currency, CvvResult, EntryMode } from '@tillstream/domain';
import type { CardOperation, FollowUpOperation, HostResponse } from '../acquirer/acquirer.types.js';
import type { TerminalControlError } from '../sandbox.errors.js';
import { TERMINAL_MODES } from '../terminals/terminals.js';
import {
  boolean,
  integer,
  oneOf,
  oneOfList,
  oneOfValues,
  orNull,
  shape,
  text,
  type Check,
} from './wire.checks.js';
import type {
  AboutLine,
  ConnectionRefusalLine,
  QueryResultLine,
  ReactionLine,
  RefusedLine,
  ScreenLine,
  TerminalLine,
} from './wire.shapes.js';

/*
 * The schemas of the messages. A check names the wrong field and never its value, which may be a card number. A value
 * outside its closed set makes a line invalid, because values become events.
 */

const id = text(100);
const cents = integer(0, 999_999_999);
const time = integer(0, Number.MAX_SAFE_INTEGER);
const kind = text(30);

const currency = oneOfValues<Currency>({ USD: true, CAD: true });
const cardOperation = oneOfValues<CardOperation>({
  Sale: true,
  Authorize: true,
  UnreferencedRefund: true,
  Verify: true,
});

const bankAccountType = oneOfValues<'Checking' | 'Savings'>({ Checking: true, Savings: true });

/* Bodies of requests. */

/** The amount of a verification is 0. The acquirer checks the amount further. */
const base = {
  key: id,
  merchantId: id,
  'account?': id,
  channel: oneOfValues<Channel>({
    CardPresent: true,
    CardNotPresent: true,
    Token: true,
    Ach: true,
    Eft: true,
  }),
  amount: cents,
  currency,
};
const cardRequest = shape({
  ...base,
  operation: cardOperation,
  'terminalId?': id,
  'card?': shape({ number: text(30), expDate: text(10), 'cvv?': text(10) }),
  'bankAccount?': shape({
    routingNumber: text(20),
    accountNumber: text(40),
    'accountType?': bankAccountType,
    'name?': text(200),
  }),
  'zipCode?': text(20),
  'networkTransactionId?': id,
});
const followUpRequest = shape({
  ...base,
  operation: oneOfValues<FollowUpOperation>({ Capture: true, Void: true, Refund: true, Reverse: true }),
  originalKey: id,
});

const request: Check = (value) => {
  const isFollowUp = typeof value === 'object' && value !== null && 'originalKey' in value;
  return isFollowUp ? followUpRequest(value) : cardRequest(value);
};

export const EXECUTE_BODY = shape({ request });
export const QUERY_BODY = shape({ key: id, 'account?': id });
export const LAST_TRANSACTION_BODY = shape({ key: id, 'account?': id, terminalId: id });
export const TERMINAL_BODY = shape({ terminalId: id });
export const SET_TERMINAL_BODY = shape({ terminalId: id, mode: text(30), card: orNull(text(30)) });
export const ACT_BODY = shape({
  terminalId: id,
  act: shape({ action: text(20), 'card?': text(30), 'pin?': text(20) }),
});
export const NO_BODY = shape({});

/* Lines of responses. */

const cardType = oneOfValues<CardType>({
  UNKNOWN: true,
  DEBIT: true,
  VISA: true,
  MASTERCARD: true,
  AMEX: true,
  DINERS: true,
  DISCOVER: true,
  JCB: true,
  UNIONPAY: true,
  MAESTRO: true,
  GIFT: true,
  CASH: true,
  EBT: true,
  INTERAC: true,
  OTHER: true,
});
const avsResult = oneOfValues<AvsResult>({
  A: true,
  E: true,
  N: true,
  R: true,
  S: true,
  U: true,
  G: true,
  W: true,
  X: true,
  Y: true,
  Z: true,
});
export const hostAnswer = shape({
  outcome: oneOfValues<HostResponse['outcome']>({
    Approved: true,
    Declined: true,
    Submitted: true,
    BatchClosed: true,
    CustomerCancelled: true,
    TookTooLong: true,
  }),
  approvedAmount: cents,
  hostCode: text(10),
  hostText: text(200),
  gatewayTransactionId: text(200),
  'authCode?': text(20),
  'networkTransactionId?': id,
  'terminalId?': id,
  'entryMode?': oneOfValues<EntryMode>({
    Chip: true,
    Contactless: true,
    Swipe: true,
    Manual: true,
    Form: true,
    Stored: true,
  }),
  'card?': shape({
    cardType,
    maskedNumber: text(30),
    'fundingType?': oneOfValues<'Credit' | 'Debit'>({ Credit: true, Debit: true }),
    'aid?': text(40),
    'tvr?': text(40),
  }),
  'bankAccount?': shape({ maskedNumber: text(40), 'accountType?': bankAccountType }),
  'avsResult?': avsResult,
  'cvvResult?': oneOfValues<CvvResult>({ M: true, N: true, P: true, S: true, U: true }),
});
const responseWithCredential = shape({
  kind,
  answer: hostAnswer,
  'credential?': shape({ number: text(30), expDate: text(10) }),
});
const kindOnly = shape({ kind });

const reportedReaction = oneOf('kind', {
  Answered: responseWithCredential,
  TerminalEnded: shape({ kind, resultCode: integer(0, 99_999) }),
  LinkLost: kindOnly,
  HostSilent: kindOnly,
});
const found = oneOf('kind', {
  Found: responseWithCredential,
  NotFound: kindOnly,
  StillRunning: kindOnly,
  Annulled: kindOnly,
  AlreadyExecuted: responseWithCredential,
});

const terminal = shape({
  id,
  mode: oneOfList(TERMINAL_MODES),
  card: orNull(text(30)),
  waiting: orNull(shape({ transactionId: id, amount: cents, currency })),
});
const shown = { kind, transactionId: id, operation: cardOperation, amount: cents, currency };
const screen = oneOf('kind', {
  Idle: kindOnly,
  AwaitsCard: shape({ ...shown, endsAt: time }),
  AwaitsPin: shape({ ...shown, endsAt: time }),
  Processing: shape(shown),
  Ended: shape({
    ...shown,
    at: time,
    'answer?': hostAnswer,
    'resultCode?': integer(0, 99_999),
    'takenBack?': boolean,
  }),
});
const refusalCode = oneOfValues<TerminalControlError['code']>({
  UnknownMode: true,
  UnknownCard: true,
  NobodyWaits: true,
});

const lineOf =
  <Line>(check: Check) =>
  (value: unknown): value is Line =>
    check(value) === undefined;

export const isReactionLine = lineOf<ReactionLine>(shape({ callId: id, key: id, heard: reportedReaction }));
export const isQueryResultLine = lineOf<QueryResultLine>(shape({ callId: id, key: id, found }));
export const isRefusedLine = lineOf<RefusedLine>(
  shape({ callId: id, refused: text(500), 'code?': refusalCode }),
);
export const isConnectionRefusalLine = lineOf<ConnectionRefusalLine>(shape({ callId: id, refuses: boolean }));
export const isTerminalLine = lineOf<TerminalLine>(shape({ callId: id, terminal }));
export const isScreenLine = lineOf<ScreenLine>(shape({ callId: id, screen }));
export const isAboutLine = lineOf<AboutLine>(
  shape({
    callId: id,
    service: oneOfValues<AboutLine['service']>({ 'tillstream-sandbox': true }),
    processorDeadlineMs: integer(1, Number.MAX_SAFE_INTEGER),
    clockOffsetMs: time,
  }),
);
