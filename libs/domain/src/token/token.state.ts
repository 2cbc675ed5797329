import type { Attempt } from '../attempt/index.js';
import type { Channel, Currency, ResponseCode, ResultCode } from '../shared/codes.js';
import type { OperationId } from '../shared/ids.js';
import type { HostedForm } from '../payment/payment.events.js';
import type { Encrypted, PaymentMethodSnapshot } from '../shared/event.shapes.js';
import type { Progress, RecordedResponse } from '../payment/payment.state.js';

export type TokenState = NoToken | Token;

export interface NoToken {
  readonly status: 'None';
}

/** `Pending`: its check has no outcome yet. `Failed`: it never came to be. */
export type TokenStatus = 'Pending' | 'Failed' | 'Active' | 'Removed';

export interface Token {
  readonly status: TokenStatus;
  /** `pmt_tkn_…`. */
  readonly id: string;
  readonly merchantId: string;
  readonly currency: Currency;
  /** How it was made: billing contacts of cards taken at a terminal are never shown. */
  readonly channel: Channel;
  readonly terminalId?: string;
  readonly form?: HostedForm;
  /** The terminal or form until it was made, then the token as it is now. */
  readonly paymentMethod: PaymentMethodSnapshot;
  readonly description?: string;
  readonly accountHolderId?: string;
  /** Of the first transaction with the card, its check: sent along by merchant-initiated payments. */
  readonly networkTransactionId?: string;
  /** In the order of their requests; the first made the token. */
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
  readonly attempt?: Attempt;
  /** What was heard of its tries, newest first; none on updates and removals. */
  readonly responses: readonly RecordedResponse[];
  /** As it was when the operation ended: later changes of the token don't show on it, but its removal does. */
  readonly paymentMethod: PaymentMethodSnapshot;
  readonly accountHolderId?: string;
}

/** Where an operation stands, in the words of a payment's. `Approved` is done; no money is in it. */
export type TokenProgress =
  | Extract<
      Progress,
      {
        readonly status:
          'AwaitingCustomer' | 'InFlight' | 'Interrupted' | 'Approved' | 'NotExecuted' | 'NotSent';
      }
    >
  | { readonly status: 'Declined'; readonly resultCode: ResultCode }
  | {
      readonly status: 'Cancelled';
      readonly resultCode: ResultCode;
      readonly responseCode?: ResponseCode;
      readonly hostText?: string;
    };

export const noToken: NoToken = { status: 'None' };

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

/** What of a token is sealed now: its expiry, and its billing contact. */
export function sealedPersonalData(token: Token): Encrypted | undefined {
  return token.paymentMethod.personal;
}
