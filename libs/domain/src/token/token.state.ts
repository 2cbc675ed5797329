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

/** `Pending`: the verification has no outcome yet. `Failed`: the verification was not approved. */
export type TokenStatus = 'Pending' | 'Failed' | 'Active' | 'Removed';

export interface Token {
  readonly status: TokenStatus;
  /** `pmt_tkn_…`. */
  readonly id: string;
  readonly merchantId: string;
  readonly currency: Currency;
  /** The way the card was taken. Billing contacts of cards from a terminal are never shown. */
  readonly channel: Channel;
  readonly terminalId?: string;
  readonly form?: HostedForm;
  /** Before creation the terminal or form, then the token with its last changes. */
  readonly paymentMethod: PaymentMethodSnapshot;
  readonly description?: string;
  readonly accountHolderId?: string;
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
  readonly attempt?: Attempt;
  /** The answers to the attempts, newest first. Updates and removals have none. */
  readonly responses: readonly RecordedResponse[];
  /** As it was when the operation ended. Results do not show later changes of the token, except its removal. */
  readonly paymentMethod: PaymentMethodSnapshot;
  readonly accountHolderId?: string;
}

/** The status of an operation, as a payment's. `Approved` means completed; no money moves. */
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

/** Sealed expiry and billing contact, as last changed. */
export function sealedPersonalData(token: Token): Encrypted | undefined {
  return token.paymentMethod.personal;
}
