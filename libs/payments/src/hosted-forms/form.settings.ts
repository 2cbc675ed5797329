import type { HostedForm, OperationId, PaymentMethod } from '@tillstream/domain';
import { sha256 } from '../identifiers.js';
import { iso } from '../ports/clock.port.js';
import type { RequestRejection } from '../requests/request.types.js';
import type { Ports } from '../parts.js';
import type { FormConfigRequest } from './hosted-form.types.js';
import type { SessionIds } from './session-ids.js';

interface FormRequestSettings {
  readonly returnUrl?: string | undefined;
  readonly useJavaScriptCallback?: boolean | undefined;
  readonly formConfig?: FormConfigRequest | undefined;
}

/**
 * The form of a new operation: the request's settings, else the payment method's defaults, else `Full` and no 3-D Secure
 * (`docs/spec/hosted-form.md#form-settings`).
 */
export function newForm(
  { clock, timings, sessionIds }: Pick<Ports, 'clock' | 'timings' | 'sessionIds'>,
  operationId: OperationId,
  method: PaymentMethod,
  { returnUrl, useJavaScriptCallback = false, formConfig }: FormRequestSettings,
): HostedForm | RequestRejection {
  const defaults = method.formConfig ?? {};
  const isCardForm = method.type === 'Virtual';
  const sessionId = createSession(sessionIds, operationId);
  if (typeof sessionId !== 'string') return sessionId;
  return {
    sessionHash: sha256(sessionId),
    expiresAt: iso(clock.now() + timings.formLifetime),
    ...(returnUrl !== undefined && { returnUrl }),
    useJavaScriptCallback,
    billingInfoCaptureLevel:
      formConfig?.billingInfoCaptureLevel ?? defaults.billingInfoCaptureLevel ?? 'Full',
    enable3DSecure: isCardForm && (formConfig?.enable3DSecure ?? defaults.enable3DSecure ?? false),
    piiFields: formConfig?.piiFields ?? defaults.piiFields ?? [],
  };
}

/** A session id needs a key of the vault; the form can't be opened while the keys can't be read. */
function createSession(sessionIds: SessionIds, operationId: OperationId): string | RequestRejection {
  try {
    return sessionIds.create(operationId);
  } catch {
    return {
      code: 'SessionNotCreated',
      message: 'The session of the form could not be created. Nothing happened.',
    };
  }
}

/** The rejection of settings that the form's type does not have; they win over every other rejection (2000). */
export function rejectUnfitSettings(
  { type }: PaymentMethod,
  formConfig: FormConfigRequest | undefined,
): RequestRejection | undefined {
  if (type === 'Virtual' || !formConfig) return undefined;
  if (formConfig.billingInfoCaptureLevel === 'Minimal')
    return {
      code: 'FormSettingUnfit',
      message: 'A bank form needs the whole address.',
      details: 'received Minimal, allowed Full',
      setting: 'formConfig.billingInfoCaptureLevel',
    };
  if (formConfig.enable3DSecure)
    return {
      code: 'FormSettingUnfit',
      message: '3-D Secure is for card forms only.',
      details: 'received true, allowed false',
      setting: 'formConfig.enable3DSecure',
    };
  return undefined;
}
