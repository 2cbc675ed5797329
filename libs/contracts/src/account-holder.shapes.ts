import type { BillingContact } from './payment-method.shapes.js';

/** An account holder, for its merchant (`docs/spec/payment-methods.md#account-holders`). */
export interface AccountHolder {
  id: string;
  externalId?: string;
  name?: string;
  email?: string;
  phone?: string;
  billingContact?: BillingContact;
  createdAt: string;
  updatedAt: string;
}
