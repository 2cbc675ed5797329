import { RETURN_REASONS, type ReturnCode } from '../bank/return-codes.table.js';
import { integer, listOf, oneOf, oneOfList, shape, text, type Check } from './wire.checks.js';
import { hostAnswer } from './wire.schemas.js';
import { BANK_MESSAGES_MAX, type MessageCountLine, type MessagesLine } from './wire.shapes.js';

/* The schemas of the bank's messages. A check names the wrong field and never its value, which may be an account number. */

const kind = text(30);
const messageIds = listOf(text(100), BANK_MESSAGES_MAX);
const returnCodes = Object.keys(RETURN_REASONS) as ReturnCode[];

export const CLAIM_MESSAGES_BODY = shape({ messagesMax: integer(1, BANK_MESSAGES_MAX) });
export const SETTLE_MESSAGES_BODY = shape({ acknowledged: messageIds, refused: messageIds });

const message = shape({
  id: text(100),
  key: text(100),
  content: oneOf('kind', {
    Answered: shape({ kind, answer: hostAnswer }),
    Returned: shape({
      kind,
      returnId: text(100),
      code: oneOfList(returnCodes),
      reason: text(200),
      amount: integer(1, 999_999_999),
    }),
    NoticeOfChange: shape({ kind, code: text(10), corrected: shape({ accountNumber: text(40) }) }),
  }),
});

const lineOf =
  <Line>(check: Check) =>
  (value: unknown): value is Line =>
    check(value) === undefined;

export const isMessagesLine = lineOf<MessagesLine>(
  shape({ callId: text(100), messages: listOf(message, BANK_MESSAGES_MAX) }),
);
export const isMessageCountLine = lineOf<MessageCountLine>(
  shape({ callId: text(100), due: integer(0, Number.MAX_SAFE_INTEGER) }),
);
