import type { Attempt } from '../attempt/index.js';
import type { Progress, RecordedResponse } from '../payment/payment.state.js';
import type { Encrypted, PaymentMethodSnapshot } from '../shared/event.shapes.js';
import type { OperationId } from '../shared/ids.js';
import type { TokenRequested } from './token.events.js';

export type TokenState = { readonly status: 'None' } | Token;

/** `Pending`: the verification has no outcome yet. `Failed`: the verification was not approved. */
export type TokenStatus = 'Pending' | 'Failed' | 'Active' | 'Removed';

export interface Token extends Pick<
  TokenRequested,
  'merchantId' | 'currency' | 'channel' | 'terminalId' | 'form' | 'description' | 'accountHolderId'
> {
  readonly status: TokenStatus;
  /** `pmt_tkn_…`. */
  readonly id: string;
  /** Before creation the terminal or form, then the token with its last changes. */
  readonly paymentMethod: PaymentMethodSnapshot;
  /** Of the card verification. Merchant-initiated payments send it along. */
  readonly networkTransactionId?: string;
  /** In the order of their requests. The first one created the token. */
  readonly operations: readonly TokenOperation[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly removedAt?: string;
  readonly keysDestroyed: boolean;
}

export type TokenOperationKind = 'TokenCreate' | 'TokenUpdate' | 'TokenRemove';

export interface TokenOperation {
  readonly id: OperationId;
  readonly kind: TokenOperationKind;
  readonly commandIds: readonly string[];
  readonly referenceId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly progress: TokenProgress;
  readonly attempt?: VerificationAttempt;
  /** The answers to the attempts, newest first. Updates and removals have none. */
  readonly responses: readonly RecordedResponse[];
  /** As it was when the operation ended. Results do not show later changes of the token, except its removal. */
  readonly paymentMethod: PaymentMethodSnapshot;
  readonly accountHolderId?: string;
}

export interface VerificationAttempt extends Attempt {
  /** Of a submitted form: expiry and billing contact, sealed under a key of the attempt. */
  readonly personal?: Encrypted;
}

/** The status of an operation, as a payment's. `Approved` means completed; no money moves. */
export type TokenProgress = Exclude<Progress, { status: 'Processing' }>;

export const noToken: TokenState = { status: 'None' };

export function findTokenOperation(state: TokenState, id: OperationId): TokenOperation | undefined {
  return state.status === 'None' ? undefined : state.operations.find((operation) => operation.id === id);
}

export function findTokenOperationByCommandId(
  state: TokenState,
  commandId: string,
): TokenOperation | undefined {
  if (state.status === 'None') return undefined;
  return state.operations.find((operation) => operation.commandIds.includes(commandId));
}

/** Sealed expiry and billing contact, as last changed. */
export function sealedPersonalData(token: Token): Encrypted | undefined {
  return token.paymentMethod.personal;
}
