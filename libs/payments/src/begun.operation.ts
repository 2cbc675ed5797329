import {
  findByCommandId,
  findTokenOperationByCommandId,
  isPending,
  TOKEN_CATEGORY,
  type Operation,
  type TokenOperation,
} from '@tillstream/domain';
import type { PaymentJournal, TokenJournal } from './journals.js';
import type { ReadModelWriter } from './read-model.port.js';
import type { OperationResult } from './request.types.js';
import { resultOf } from './requesting.js';
import type { TokenResult } from './stored-card.types.js';
import { tellOfPayment, tellOfToken } from './telling.js';
import type { TokenFactsReader } from './token.facts.js';

/** What a command began, as its stream has it now. */
export interface BegunOperation {
  /** Its outcome is not known yet. */
  readonly isPending: boolean;
  /** Real time, ms: somebody may be at it until then. Left out: nobody is. */
  readonly inHandUntil?: number;
  /** What history says of it; the read models have it then. */
  answer(): Promise<OperationResult | TokenResult>;
}

export interface BegunParts {
  readonly journal: PaymentJournal;
  readonly tokens: TokenJournal;
  readonly facts: TokenFactsReader;
  readonly readModels: ReadModelWriter;
}

/** Of payments and of tokens: the stream says which. */
export async function findBegun(
  { journal, tokens, facts, readModels }: BegunParts,
  stream: string,
  commandId: string,
): Promise<BegunOperation | undefined> {
  if (stream.startsWith(`${TOKEN_CATEGORY}-`)) {
    const token = await tokens.load(stream);
    const operation = findTokenOperationByCommandId(token.state, commandId);
    return (
      operation &&
      begun(operation, isUnknown(operation), async () => {
        await tellOfToken(readModels, token);
        return facts.result(token, operation.id);
      })
    );
  }
  const payment = await journal.load(stream);
  const operation = findByCommandId(payment.state, commandId);
  return (
    operation &&
    begun(operation, isPending(operation), async () => {
      await tellOfPayment(readModels, payment);
      return resultOf(payment, operation.id);
    })
  );
}

/** Interrupted is an answer of its own: its caller was told, or died. */
function begun(
  { progress, attempt: lastTry, createdAt }: Operation | TokenOperation,
  isStillPending: boolean,
  answer: BegunOperation['answer'],
): BegunOperation {
  return {
    isPending: isStillPending,
    ...(progress.status === 'InFlight' && { inHandUntil: Date.parse(lastTry?.answerBefore ?? createdAt) }),
    answer,
  };
}

function isUnknown({ progress }: TokenOperation): boolean {
  return ['AwaitingCustomer', 'InFlight', 'Interrupted'].includes(progress.status);
}
