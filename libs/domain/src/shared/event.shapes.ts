import type { AccountType, CardType, Currency, ThreeDsStatus } from './codes.js';
import type { OperationId } from './ids.js';

/* Parts that several events share. Storage: these shapes never change (docs/adr/0014). */

export interface Event<Type extends string, Data> {
  readonly type: Type;
  readonly data: Data;
}

/** Ciphertext of personal data. An erasure destroys the key; the event stays as it is. */
export interface Encrypted {
  readonly keyId: string;
  readonly iv: string;
  readonly ciphertext: string;
}

/** The payment method at the time of the event. Never contains a card number or an expiry in clear. */
export interface PaymentMethodSnapshot {
  readonly id: string;
  readonly type: 'Physical' | 'Virtual' | 'VirtualAch' | 'VirtualEft' | 'Token';
  readonly currency: Currency;
  readonly description?: string;
  readonly cardType?: CardType;
  readonly maskedCardNumber?: string;
  readonly accountType?: AccountType;
  /** Masked. */
  readonly accountNumber?: string;
  /** Billing contact and card expiry. */
  readonly personal?: Encrypted;
}

export interface OperationEventData {
  readonly at: string;
  readonly operationId: OperationId;
}

export interface CommandEventData extends OperationEventData {
  /** The id of the command. A repeated command finds its operation by it. */
  readonly commandId: string;
}

export interface ThreeDsFacts {
  readonly status: ThreeDsStatus;
  readonly cavv?: string;
  readonly eci?: string;
  readonly xid?: string;
  readonly dsTransId?: string;
  readonly threeDReasonId?: string;
  readonly threeDReason?: string;
}
