import { rejected, type Merchant, type PaymentMethod } from '@tillstream/domain';
import { noSuchHolder } from '../account-holders/holder-records.js';
import type { Parts } from '../parts.js';
import {
  ANY_FORM,
  CARD_FORM,
  findPaymentMethod,
  isCheckedBeforeHolder,
  paymentMethodSnapshot,
} from '../payment-methods/payment-method.finder.js';
import { writeThrough } from '../read-model-write-through/write-through.js';
import { noProcessor, prepareNewPayment } from '../requests/new-payment.js';
import { openAndSend, refundsOff } from '../requests/open-payment.js';
import { claimedReference, handleFailureBeforeStored } from '../requests/request.failures.js';
import type { OperationResult, RequestContext, RequestRejection } from '../requests/request.types.js';
import { newForm, rejectUnavailable, rejectUnfitSettings } from './form.settings.js';
import type { VirtualPaymentRequest } from './hosted-form.types.js';

type FormPaymentKind = 'Sale' | 'Auth' | 'UnreferencedRefund';

/**
 * Opens the form of a sale, authorization or unreferenced refund. Nothing is sent yet: each submission of the form is an
 * attempt of its own.
 */
export async function openFormPayment(
  parts: Parts,
  kind: FormPaymentKind,
  context: RequestContext,
  { paymentMethodId, accountHolder, ...request }: VirtualPaymentRequest,
): Promise<OperationResult> {
  const { merchant } = context;
  const startedAt = parts.clock.monotonicNow();
  const reference = claimedReference(parts, context, request.referenceId);
  return handleFailureBeforeStored(parts, context, reference, async () => {
    const need = kind === 'Sale' ? ANY_FORM : CARD_FORM;
    const method = await findPaymentMethod(parts, merchant, need, paymentMethodId);
    const unfit = 'code' in method ? undefined : rejectUnfitSettings(method, request.formConfig);
    if (unfit) return rejected(unfit);
    if ('code' in method && isCheckedBeforeHolder(method)) return rejected(method);
    const reference = kind === 'Auth' ? undefined : accountHolder;
    const named = reference && (await parts.holderRecords.findByReference(merchant.id, reference));
    if (reference && !named) return noSuchHolder;
    if ('code' in method) return rejected(method);

    const payment = prepareNewPayment(parts, context);
    const { returnUrl, useJavaScriptCallback, formConfig, ...details } = request;
    const settings = {
      ...(returnUrl !== undefined && { returnUrl }),
      ...(useJavaScriptCallback !== undefined && { useJavaScriptCallback }),
      ...(formConfig && { formConfig }),
    };
    const opened = newForm(parts, payment.operationId, method, settings);
    // A refund has no cardholder to authenticate.
    const form = kind === 'UnreferencedRefund' ? { ...opened, enable3DSecure: false } : opened;
    const rejection = rejectUnavailable(method, form) ?? rejectNotEnabled(parts, kind, merchant, method);
    if (rejection) return rejected(rejection);
    const holder = named && (await parts.holderRecords.ensure(named, payment.cause));
    if (holder === 'Contended') return { kind: 'Contended' };

    const result = await openAndSend(
      parts,
      context,
      { payment, startedAt },
      {
        ...details,
        kind,
        merchantId: merchant.id,
        currency: method.currency,
        channel: 'CardNotPresent',
        paymentMethod: paymentMethodSnapshot(method),
        ...(holder && { accountHolderId: holder.state.id }),
        form,
      },
    );
    if (holder) await writeThrough(parts.readModels, holder);
    return result;
  });
}

function rejectNotEnabled(
  { processors }: Pick<Parts, 'processors'>,
  kind: FormPaymentKind,
  { id: merchantId, unreferencedRefunds }: Merchant,
  { currency }: PaymentMethod,
): RequestRejection | undefined {
  if (kind === 'UnreferencedRefund' && !unreferencedRefunds.enabled) return refundsOff;
  return processors.route({ merchantId, channel: 'CardNotPresent', currency }) ? undefined : noProcessor;
}
