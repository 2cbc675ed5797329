import { findMethodOf, rejected, type Merchant, type PaymentMethod } from '@tillstream/domain';
import type { HolderReference } from '../account-holders/account-holders.js';
import { noSuchHolder } from '../account-holders/holder-records.js';
import type { Parts } from '../parts.js';
import {
  findPaymentMethod,
  isCheckedBeforeHolder,
  type PaymentMethodNeed,
} from '../payment-methods/payment-method.finder.js';
import { rejectUnfitSettings } from './form.settings.js';
import type { FormConfigRequest } from './hosted-form.types.js';

interface NamedInRequest {
  readonly paymentMethodId?: string | undefined;
  readonly formConfig?: FormConfigRequest | undefined;
  readonly accountHolder?: HolderReference | undefined;
}

/**
 * Finds the form and the account holder that a request names. The first rule that rejects decides the answer
 * (`docs/spec/errors.md#which-answer-wins`).
 */
export async function resolveFormRequest(
  parts: Parts,
  merchant: Merchant,
  need: PaymentMethodNeed,
  { paymentMethodId, formConfig, accountHolder }: NamedInRequest,
) {
  const method = await findPaymentMethod(parts, merchant, need, paymentMethodId);
  const isFound = !('code' in method);
  const named = isFound ? method : findMethodOf(merchant, paymentMethodId ?? '');
  const unfit = named && rejectUnfitSettings(named, formConfig);
  if (unfit) return rejected(unfit);
  if (!isFound && isCheckedBeforeHolder(method)) return rejected(method);
  const holder = accountHolder && (await parts.holderRecords.findByReference(merchant.id, accountHolder));
  if (accountHolder && !holder) return noSuchHolder;
  return isFound ? found(method, holder) : rejected(method);
}

function found<Holder>(method: PaymentMethod, named: Holder) {
  return { kind: 'Found', method, named } as const;
}
