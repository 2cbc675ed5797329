import type { Channel, Currency } from '../shared/codes.js';
import type { Decision } from '../shared/decision.js';
import type { OperationId } from '../shared/ids.js';
import type { HostedForm, OutcomeSource } from '../payment/payment.events.js';
import type { Encrypted, PaymentMethodSnapshot } from '../shared/event.shapes.js';
import type { AttemptPlan } from '../attempt/index.js';
import type { AttemptResponse } from '../payment/attempt.response.js';
import type { TokenEvent } from './token.events.js';

/** The value is the operation that was requested or ended, by this command or, without events, by an earlier one with the same `commandId`. */
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
  /** A step of the protocol that the state does not allow. */
  | 'StepOutOfOrder';

export interface TokenRejection {
  readonly code: TokenErrorCode;
  /** A sentence for a developer. */
  readonly message: string;
  readonly details?: string;
}

interface TokenCommand {
  readonly at: string;
  readonly commandId: string;
  /** Absent: derived from the operation's id. */
  readonly referenceId?: string;
}

export interface RequestToken extends TokenCommand {
  readonly root: string;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly currency: Currency;
  readonly paymentMethod: PaymentMethodSnapshot;
  readonly terminalId?: string;
  readonly description?: string;
  readonly accountHolderId?: string;
  /** Either `form`, which waits for its customer, or `attemptPlan`, for a verification at once. */
  readonly form?: HostedForm;
  readonly attemptPlan?: AttemptPlan;
}

export interface UpdateToken extends TokenCommand {
  readonly description?: string;
  readonly accountHolderId?: string;
  /** The complete personal data after the change, sealed. */
  readonly personal?: Encrypted;
  /** The change names an expiry. */
  readonly changesExpiry: boolean;
}

export interface RemoveToken extends TokenCommand {
  readonly erasedHolderId?: string;
}

export interface VerificationCommand {
  readonly at: string;
  readonly operationId: OperationId;
  readonly try: number;
}

export interface RecordVerification extends VerificationCommand {
  readonly source: OutcomeSource;
  readonly reason?: string;
  readonly answer: AttemptResponse;
  readonly receiptLines: readonly string[];
  /** Of an approval: sealed expiry and billing contact. The vault has the card before this command. */
  readonly personal?: Encrypted;
  /** Of an approved bank account, masked. */
  readonly accountNumber?: string;
}
