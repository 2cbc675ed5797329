import { accepted, rejected, type Decision, type Rejected } from '../shared/aggregate.js';
import type { MerchantEvent } from './merchant.js';

export interface MerchantRejection {
  readonly code:
    | 'MerchantExists'
    | 'MerchantNotFound'
    | 'PaymentMethodExists'
    | 'PaymentMethodNotFound'
    | 'TooManyPaymentMethods'
    | 'TypeFixed'
    | 'FormSettingsUnfit'
    | 'DefaultDisabled'
    | 'ApiKeyNotFound'
    | 'TooManyApiKeys'
    | 'CurrencyRequired'
    | 'CurrencyNotOffered'
    | 'CurrencyUnfit'
    | 'CurrencyInUse';
  readonly message: string;
  /** The setting that is rejected, such as `formConfig.enable3DSecure`. */
  readonly setting?: string;
  /** The received and the allowed value. */
  readonly details?: string;
}

export type MerchantDecision = Decision<MerchantEvent, MerchantRejection>;

export const acceptedWith = (...events: MerchantEvent[]): MerchantDecision => accepted(events, undefined);

export function reject(
  code: MerchantRejection['code'],
  message: string,
  more: Pick<MerchantRejection, 'setting' | 'details'> = {},
): Rejected<MerchantRejection> {
  return rejected({ code, message, ...more });
}

export const merchantNotFound = (): MerchantDecision =>
  reject('MerchantNotFound', 'There is no such merchant.');

/** The fields of `change` whose comparable value differs from the one before. */
export function changedFields<Change extends object>(
  change: Change,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Partial<Change> {
  const differs = ([name, value]: [string, unknown]) => value !== undefined && before[name] !== after[name];
  return Object.fromEntries(Object.entries(change).filter(differs)) as Partial<Change>;
}
