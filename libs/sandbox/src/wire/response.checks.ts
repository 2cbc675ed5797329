import type { AvsResult, CardType, Currency, CvvResult, EntryMode } from '@tillstream/domain';
import type { CardOperation, HostResponse } from '../acquirer/acquirer.types.js';
import type { TerminalControlError } from '../sandbox.errors.js';
import type { TerminalMode } from '../terminals/terminals.js';
import { oneOfValues, boolean, integer, oneOf, orNull, shape, text, type Check } from './wire.checks.js';
import type {
  AboutLine,
  QueryResultLine,
  ReactionLine,
  RefusedLine,
  ConnectionRefusalLine,
  ScreenLine,
  TerminalLine,
} from './wire.shapes.js';

/* The lines of responses. A value outside its closed set makes a line invalid, because values become events. */

const currency = oneOfValues<Currency>({ USD: true, CAD: true });
const entryMode = oneOfValues<EntryMode>({
  Chip: true,
  Contactless: true,
  Swipe: true,
  Manual: true,
  Form: true,
  Stored: true,
});
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
const cvvResult = oneOfValues<CvvResult>({ M: true, N: true, P: true, S: true, U: true });
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
const operation = oneOfValues<CardOperation>({
  Sale: true,
  Authorize: true,
  UnreferencedRefund: true,
  Verify: true,
});
const outcome = oneOfValues<HostResponse['outcome']>({
  Approved: true,
  Declined: true,
  BatchClosed: true,
  CustomerCancelled: true,
  TookTooLong: true,
});

const id = text(100);
const cents = integer(0, 999_999_999);
const time = integer(0, Number.MAX_SAFE_INTEGER);
const kind = text(30);

const hostAnswer = shape({
  outcome,
  approvedAmount: cents,
  hostCode: text(10),
  hostText: text(200),
  gatewayTransactionId: text(200),
  'authCode?': text(20),
  'networkTransactionId?': id,
  'terminalId?': id,
  'entryMode?': entryMode,
  'card?': shape({
    cardType,
    maskedNumber: text(30),
    'fundingType?': oneOfValues<'Credit' | 'Debit'>({ Credit: true, Debit: true }),
    'aid?': text(40),
    'tvr?': text(40),
  }),
  'avsResult?': avsResult,
  'cvvResult?': cvvResult,
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

const mode = oneOfValues<TerminalMode>({
  Auto: true,
  Manual: true,
  Offline: true,
  LowBattery: true,
  LostLink: true,
});
const terminal = shape({
  id,
  mode,
  card: orNull(text(30)),
  waiting: orNull(shape({ transactionId: id, amount: cents, currency })),
});
const shown = { kind, transactionId: id, operation, amount: cents, currency };
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

const callId = id;
const lineOf =
  <Line>(check: Check) =>
  (value: unknown): value is Line =>
    check(value) === undefined;

export const isReactionLine = lineOf<ReactionLine>(shape({ callId, key: id, heard: reportedReaction }));
export const isQueryResultLine = lineOf<QueryResultLine>(shape({ callId, key: id, found }));
export const isRefusedLine = lineOf<RefusedLine>(shape({ callId, refused: text(500), 'code?': refusalCode }));
export const isConnectionRefusalLine = lineOf<ConnectionRefusalLine>(shape({ callId, refuses: boolean }));
export const isTerminalLine = lineOf<TerminalLine>(shape({ callId, terminal }));
export const isScreenLine = lineOf<ScreenLine>(shape({ callId, screen }));
export const isAboutLine = lineOf<AboutLine>(
  shape({
    callId,
    service: oneOfValues<AboutLine['service']>({ 'tillstream-sandbox': true }),
    processorDeadlineMs: integer(1, Number.MAX_SAFE_INTEGER),
    clockOffsetMs: time,
  }),
);
