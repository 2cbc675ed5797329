import type { AccountType, CardType, Currency, ThreeDsStatus } from './codes.js';
import type { OperationId } from './ids.js';

/* Parts that several events share. Storage: these shapes never change (docs/adr/0014). */

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

/* The plaintext of `Encrypted`, as JSON. Storage: fields may be added, and no field ever changes its meaning. */

/** Strings as the customer or the merchant gave them (`docs/spec/payment-methods.md#billing-contact`). */
export interface BillingContact {
  readonly name?: string;
  readonly countryCode?: string;
  readonly zipCode?: string;
  readonly address?: string;
  readonly state?: string;
  readonly city?: string;
  readonly address2?: string;
}

/** Of a stored card or bank account. */
export interface TokenPersonal {
  /** MMYY; a bank account has none. */
  readonly cardExpDate?: string;
  readonly billingContact?: BillingContact;
  /** Of a bank account: its holder, as the customer entered it. */
  readonly accountName?: string;
}

/** The proof of a bank account's authorization: who gave it, from where, and for which account. */
export interface ConsentPersonal {
  /** The holder of the account, as the customer entered it. */
  readonly name: string;
  /** Masked. */
  readonly accountNumber: string;
  readonly accountType?: AccountType;
  /** Of the customer's browser; an unknown address is left out. */
  readonly ip?: string;
  readonly userAgent?: string;
}

/** Of an account holder. */
export interface HolderPersonal {
  /** The merchant's own name for the holder. */
  readonly externalId?: string;
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly billingContact?: BillingContact;
}
