import type { AttemptOutcome } from '../attempt/index.js';
import { ResponseCode, type ResultCode } from '../shared/codes.js';

/** The form of a payment or of a stored card. Storage: this shape never changes (docs/adr/0014). */
export interface HostedForm {
  /** SHA-256 of the session id, hex; the id itself is a credential. */
  readonly sessionHash: string;
  readonly expiresAt: string;
  readonly returnUrl?: string;
  readonly useJavaScriptCallback: boolean;
  readonly billingInfoCaptureLevel: 'Minimal' | 'Full';
  readonly enable3DSecure: boolean;
  readonly piiFields: readonly ('Email' | 'Phone')[];
}

/** The last declined submission ends a hosted form (`docs/spec/hosted-form.md#session`). */
export const MAX_FORM_ATTEMPTS = 5;

/** True if this failed attempt leaves the form open for another one. An operator's decision about an attempt ends it. */
export function leavesFormOpen({ try: number, source }: Pick<AttemptOutcome, 'try' | 'source'>): boolean {
  return number < MAX_FORM_ATTEMPTS && source !== 'Operator';
}

/** `docs/spec/transactions.md#endings`: 3-D Secure, then gateway, then no token, then the issuer. */
export function formResultCode({ threeDs, responseCode }: AttemptOutcome): ResultCode {
  if (threeDs?.status === 'Failed') return 6800;
  if (threeDs?.status === 'Unavailable') return 6801;
  if (threeDs?.status === 'NotEnrolled') return 6802;
  if (responseCode === ResponseCode.Unknown) return 6902;
  return responseCode > ResponseCode.PolicyViolation ? 6901 : 6900;
}
