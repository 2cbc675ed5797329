import { inquireNow } from './forced-inquiry.js';
import { resolveManually } from './manual-resolution.js';
import { listUnknown, summarizeUnknown } from './unknown-outcomes.list.js';
import type { UnknownOutcomesParts } from './unknown-outcomes.parts.js';
import type { UnknownOutcomes } from './unknown-outcomes.types.js';

export function createUnknownOutcomes(parts: UnknownOutcomesParts): UnknownOutcomes {
  return {
    list: (request) => listUnknown(parts, request),
    inquire: (operator, transactionId) => inquireNow(parts, operator, transactionId),
    resolve: (operator, transactionId, resolution, commandId) =>
      resolveManually(parts, operator, {
        transactionId,
        resolution,
        ...(commandId !== undefined && { commandId }),
      }),
    summary: () => summarizeUnknown(parts),
  };
}
