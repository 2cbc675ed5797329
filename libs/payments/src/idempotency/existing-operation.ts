import {
  findByCommandId,
  findTokenOperationByCommandId,
  hasUnknownOutcome,
  isPending,
  TOKEN_CATEGORY,
  type Operation,
  type TokenOperation,
} from '@tillstream/domain';
import { writeThrough } from '../read-model-write-through/write-through.js';
import type { OperationResult } from '../requests/request.types.js';
import { operationResult } from '../requests/request.writer.js';
import type { TokenResult } from '../stored-cards/stored-card.types.js';
import type { Parts } from '../parts.js';

/** The operation of a command, as its stream has it now. */
export interface ExistingOperation {
  readonly isPending: boolean;
  /** Real time, ms: the request may run until then. Left out: it does not run. */
  readonly attemptEndsBy?: number;
  /** The result that history gives. Writes the read models first. */
  storedResult(): Promise<OperationResult | TokenResult>;
}

/** Finds an operation of a payment or a token by its command. */
export async function findOperationOfCommand(
  {
    payments,
    tokens,
    tokenDetails,
    readModels,
  }: Pick<Parts, 'payments' | 'tokens' | 'tokenDetails' | 'readModels'>,
  stream: string,
  commandId: string,
): Promise<ExistingOperation | undefined> {
  if (stream.startsWith(`${TOKEN_CATEGORY}-`)) {
    const token = await tokens.load(stream);
    const operation = findTokenOperationByCommandId(token.state, commandId);
    return (
      operation &&
      existingOperation(operation, isTokenOperationPending(operation), async () => {
        await writeThrough(readModels, token);
        return tokenDetails.tokenResult(token, operation.id);
      })
    );
  }
  const payment = await payments.load(stream);
  const operation = findByCommandId(payment.state, commandId);
  return (
    operation &&
    existingOperation(operation, isPending(operation), async () => {
      await writeThrough(readModels, payment);
      return operationResult(payment, operation.id);
    })
  );
}

/** An `Interrupted` operation has no running request: its client got that response, or its process ended. */
function existingOperation(
  { progress, attempt, createdAt }: Operation | TokenOperation,
  isStillPending: boolean,
  storedResult: ExistingOperation['storedResult'],
): ExistingOperation {
  return {
    isPending: isStillPending,
    ...(progress.status === 'InFlight' && { attemptEndsBy: Date.parse(attempt?.answerBefore ?? createdAt) }),
    storedResult,
  };
}

function isTokenOperationPending(operation: TokenOperation): boolean {
  return operation.progress.status === 'AwaitingCustomer' || hasUnknownOutcome(operation);
}
