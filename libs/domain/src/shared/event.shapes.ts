import type { AccountType, CardType, Currency, ThreeDsStatus } from './codes.js';
import type { OperationId } from './ids.js';

/* Parts that several events share. Storage, as all of payment.events.ts. */

export interface Event<Type extends string, Data> {
  readonly type: Type;
  readonly data: Data;
}

/** Ciphertext of personal data under a key that erasure destroys: history keeps its shape without the person. */
export interface Encrypted {
  readonly keyId: string;
  readonly iv: string;
  readonly ciphertext: string;
}

/** The payment method as it was at that moment. Never a card number or an expiry in the clear. */
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
  /** Made before the request is decided: deciding it again finds this operation instead of beginning another. */
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
