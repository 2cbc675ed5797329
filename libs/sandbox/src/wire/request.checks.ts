import type { Channel, Currency } from '@tillstream/domain';
import type { CardOperation, FollowUpOperation } from '../acquirer/acquirer.types.js';
import { oneOfValues, integer, orNull, shape, text, type Check } from './wire.checks.js';

/* The bodies of requests. A check names the wrong field and never its value, which may be a card number. */

const channel = oneOfValues<Channel>({
  CardPresent: true,
  CardNotPresent: true,
  Token: true,
  Ach: true,
  Eft: true,
});
const currency = oneOfValues<Currency>({ USD: true, CAD: true });
const cardOperation = oneOfValues<CardOperation>({
  Sale: true,
  Authorize: true,
  UnreferencedRefund: true,
  Verify: true,
});
const followUpOperation = oneOfValues<FollowUpOperation>({
  Capture: true,
  Void: true,
  Refund: true,
  Reverse: true,
});

const id = text(100);
/** The amount of a verification is 0. The acquirer checks the amount further. */
const base = { key: id, merchantId: id, 'account?': id, channel, amount: integer(0, 999_999_999), currency };

const cardRequest = shape({
  ...base,
  operation: cardOperation,
  'terminalId?': id,
  'card?': shape({ number: text(30), expDate: text(10), 'cvv?': text(10) }),
  'zipCode?': text(20),
  'networkTransactionId?': id,
});
const followUpRequest = shape({ ...base, operation: followUpOperation, originalKey: id });

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
