import {
  findByCommandId,
  findTokenOperationByCommandId,
  isPending,
  TOKEN_CATEGORY,
  type Operation,
  type TokenOperation,
} from '@tillstream/domain';
import type { PaymentRepository, TokenRepository } from '../stream-repository/stream-repositories.js';
import type { ReadModelWriter } from '../read-model-write-through/read-model-writer.port.js';
import type { OperationResult } from '../requests/request.types.js';
import { operationResult } from '../requests/request.writer.js';
import type { TokenResult } from '../stored-cards/stored-card.types.js';
import { writeThroughPayment, writeThroughToken } from '../read-model-write-through/write-through.js';
import type { TokenDetailsReader } from '../stored-cards/token-details.js';

/** What a command began, as its stream has it now. */
export interface ExistingOperation {
  /** Its outcome is not known yet. */
  readonly isPending: boolean;
  /** Real time, ms: somebody may be at it until then. Left out: nobody is. */
  readonly attemptEndsBy?: number;
  /** What history says of it; the read models have it then. */
  storedResult(): Promise<OperationResult | TokenResult>;
}

export interface ExistingOperationParts {
  readonly payments: PaymentRepository;
  readonly tokens: TokenRepository;
  readonly facts: TokenDetailsReader;
  readonly readModels: ReadModelWriter;
}

/** Of payments and of tokens: the stream says which. */
export async function findOperationOfCommand(
  { payments, tokens, facts, readModels }: ExistingOperationParts,
  stream: string,
  commandId: string,
): Promise<ExistingOperation | undefined> {
  if (stream.startsWith(`${TOKEN_CATEGORY}-`)) {
    const token = await tokens.load(stream);
    const operation = findTokenOperationByCommandId(token.state, commandId);
    return (
      operation &&
      existingOperation(operation, isUnknown(operation), async () => {
        await writeThroughToken(readModels, token);
        return facts.tokenResult(token, operation.id);
      })
    );
  }
  const payment = await payments.load(stream);
  const operation = findByCommandId(payment.state, commandId);
  return (
    operation &&
    existingOperation(operation, isPending(operation), async () => {
      await writeThroughPayment(readModels, payment);
      return operationResult(payment, operation.id);
    })
  );
}

/** Interrupted is an answer of its own: its caller was told, or died. */
function existingOperation(
  { progress, attempt: lastTry, createdAt }: Operation | TokenOperation,
  isStillPending: boolean,
  storedResult: ExistingOperation['storedResult'],
): ExistingOperation {
  return {
    isPending: isStillPending,
    ...(progress.status === 'InFlight' && { attemptEndsBy: Date.parse(lastTry?.answerBefore ?? createdAt) }),
    storedResult,
  };
}

function isUnknown({ progress }: TokenOperation): boolean {
  return ['AwaitingCustomer', 'InFlight', 'Interrupted'].includes(progress.status);
}
