import { inquireNow } from './forced.inquiry.js';
import { resolveAsSaid } from './operators.word.js';
import { listUnknown, summary } from './unknown-outcomes.list.js';
import type { UnknownOutcomesParts } from './unknown-outcomes.parts.js';
import type { UnknownOutcomes } from './unknown-outcomes.types.js';

export function unknownOutcomes(parts: UnknownOutcomesParts): UnknownOutcomes {
  return {
    list: (request) => listUnknown(parts, request),
    inquire: (operator, transactionId) => inquireNow(parts, operator, transactionId),
    resolve: (operator, transactionId, word, commandId) =>
      resolveAsSaid(parts, operator, transactionId, word, commandId),
    summary: () => summary(parts),
  };
}
