import { rejected, type HostedForm, type Merchant, type PaymentMethod } from '@tillstream/domain';
import type { Parts } from '../parts.js';
import { ANY_FORM, CARD_FORM, paymentMethodSnapshot } from '../payment-methods/payment-method.finder.js';
import { writeThrough } from '../read-model-write-through/write-through.js';
import { noProcessor, prepareNewPayment } from '../requests/new-payment.js';
import { openAndSend, refundsOff } from '../requests/open-payment.js';
import { claimedReference, handleFailureBeforeStored } from '../requests/request.failures.js';
import type { OperationResult, RequestContext, RequestRejection } from '../requests/request.types.js';
import { formChannel } from './form.channel.js';
import { resolveFormRequest } from './form.request.js';
import { newForm } from './form.settings.js';
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
  request: VirtualPaymentRequest,
): Promise<OperationResult> {
  const { merchant } = context;
  const { paymentMethodId, accountHolder, returnUrl, useJavaScriptCallback, formConfig, ...details } =
    request;
  const startedAt = parts.clock.monotonicNow();
  const reference = claimedReference(parts, context, request.referenceId);
  return handleFailureBeforeStored(parts, context, reference, async () => {
    const resolved = await resolveFormRequest(parts, merchant, kind === 'Sale' ? ANY_FORM : CARD_FORM, {
      paymentMethodId,
      formConfig,
      accountHolder: kind === 'Auth' ? undefined : accountHolder,
    });
    if (resolved.kind !== 'Found') return resolved;
    const { method, named } = resolved;
    const payment = prepareNewPayment(parts, context);
    const settings = { returnUrl, useJavaScriptCallback, formConfig };
    const created = newForm(parts, payment.operationId, method, settings);
    if ('code' in created) return rejected(created);
    const form = withoutThreeDs(kind, created);
    const rejection = rejectNotEnabled(parts, kind, merchant, method);
    if (rejection) return rejected(rejection);
    const holder = named && (await parts.holderRecords.ensure(named, payment.cause));
    if (holder === 'Contended') return { kind: 'Contended' };

    const opened = { payment, startedAt };
    const result = await openAndSend(parts, context, opened, {
      ...details,
      kind,
      merchantId: merchant.id,
      currency: method.currency,
      channel: formChannel(method.type),
      paymentMethod: paymentMethodSnapshot(method),
      ...(holder && { accountHolderId: holder.state.id }),
      form,
    });
    if (holder) await writeThrough(parts.readModels, holder);
    return result;
  });
}

/** A refund has no cardholder to authenticate, with any default of the form. */
function withoutThreeDs(kind: FormPaymentKind, form: HostedForm): HostedForm {
  return kind === 'UnreferencedRefund' ? { ...form, enable3DSecure: false } : form;
}

function rejectNotEnabled(
  { processors }: Pick<Parts, 'processors'>,
  kind: FormPaymentKind,
  { id: merchantId, unreferencedRefunds }: Merchant,
  { currency, type }: PaymentMethod,
): RequestRejection | undefined {
  if (kind === 'UnreferencedRefund' && !unreferencedRefunds.enabled) return refundsOff;
  return processors.route({ merchantId, channel: formChannel(type), currency }) ? undefined : noProcessor;
}
