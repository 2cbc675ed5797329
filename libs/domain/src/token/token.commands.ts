import type { AttemptPlan, RecordAttemptResponse } from '../attempt/index.js';
import type { FormErrorCode } from '../hosted-form/index.js';
import type { Decision } from '../shared/aggregate.js';
import type { Encrypted } from '../shared/event.shapes.js';
import type { OperationId } from '../shared/ids.js';
import type { TokenEvent, TokenRemoved, TokenRequested, TokenUpdated } from './token.events.js';

/** The data of the event, without the fields that follow from the id of the operation. */
type TokenCommand<Data extends TokenRemoved> = Omit<Data, 'operationId' | 'referenceId'> &
  Partial<Pick<Data, 'referenceId'>>;

export interface RequestToken extends Omit<TokenCommand<TokenRequested>, 'tokenId'> {
  readonly root: string;
  /** For a verification at once. Absent with a `form`, which waits for its customer. */
  readonly attemptPlan?: AttemptPlan;
}

export interface UpdateToken extends TokenCommand<TokenUpdated> {
  /** The change names an expiry. */
  readonly changesExpiry: boolean;
}

export type RemoveToken = TokenCommand<TokenRemoved>;

export interface RecordVerification extends RecordAttemptResponse {
  /** Of an approval: sealed expiry and billing contact. The vault has the card before this command. */
  readonly personal?: Encrypted;
  /** Of an approved bank account, masked. */
  readonly accountNumber?: string;
}

/** The value is the operation of this command or, without events, of an earlier one with the same `commandId`. */
export type TokenDecision = Decision<TokenEvent, TokenRejection, OperationId>;

export type TokenErrorCode =
  /** The token never existed, was removed, or its verification failed. */
  | 'TokenNotFound'
  /** The verification has no outcome yet. */
  | 'TokenNotFinished'
  /** A bank account has no expiry. */
  | 'ExpiryOfBankAccount'
  /** The stream has no operation number left for clients. */
  | 'TooManyOperations'
  /** The token exists: a stream is opened once. */
  | 'AlreadyRequested'
  | FormErrorCode;

export interface TokenRejection {
  readonly code: TokenErrorCode;
  /** A sentence for a developer. */
  readonly message: string;
  readonly details?: string;
}
