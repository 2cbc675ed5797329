import type {
  Currency,
  PaymentMethodAdded,
  PaymentMethodChanged,
  PaymentMethodType,
} from '@tillstream/domain';

export interface ChangeRequest {
  /** A change with the id of an earlier change has no effect. */
  readonly commandId?: string | undefined;
  /** 32 hex. */
  readonly traceId?: string | undefined;
}

export interface NewApiKey {
  readonly name: string;
  readonly readOnly: boolean;
  readonly mode: 'test' | 'live';
}

export interface IssuedKey {
  readonly keyId: string;
  readonly key: string;
  readonly name: string;
  readonly readOnly: boolean;
  readonly createdAt: string;
}

/** `currency` left out: the only one that the merchant and the type allow. */
export type NewPaymentMethod = Pick<
  PaymentMethodAdded,
  'type' | 'description' | 'isDefault' | 'formConfig' | 'allowedOrigins'
> & { readonly currency?: Currency };

/** A `type` other than the method's own is rejected. */
export type PaymentMethodChange = Omit<PaymentMethodChanged, 'at' | 'paymentMethodId'> & {
  readonly type?: PaymentMethodType;
};
