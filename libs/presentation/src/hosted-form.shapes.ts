import {
  resultText,
  type FormProgress,
  type FormSession,
  type FormLink,
  type TransactionResult,
} from '@tillstream/contracts';
import { MAX_FORM_ATTEMPTS, type HostedForm, type Merchant, type OperationId } from '@tillstream/domain';
import type { PresentedResult } from './transaction.result.js';

/* What a hosted form shows (`docs/spec/hosted-form.md`). */

/** A form, and the result of its operation. */
export interface PresentedForm {
  readonly result: PresentedResult;
  readonly form: HostedForm;
  /** Of an open 3-D Secure challenge. */
  readonly challengeExpiresAt?: string;
}

export interface PresentedSession extends PresentedForm {
  readonly merchant: Pick<Merchant, 'name' | 'locale'>;
  readonly paymentMethodType: FormSession['paymentMethodType'];
  readonly allowedOrigins: readonly string[];
  /** Of a bank form. */
  readonly authorization?: {
    readonly version: string;
    readonly texts: { readonly en: string; readonly fr: string };
  };
  /** The service's time, RFC 3339. */
  readonly now: string;
}

/** The response to a submission or cancellation. */
export function formProgress({ result, form, challengeExpiresAt }: PresentedForm): FormProgress {
  const { id: transactionId, referenceId, status, resultCode, transactionResponses: responses } = result;
  const responseCode = responses[0]?.responseCode;
  const isOver = status !== 'Pending' && status !== 'Interrupted';
  const { returnUrl } = form;
  const outcome = {
    transactionId,
    referenceId,
    status,
    resultCode,
    ...(responseCode !== undefined && { responseCode }),
  };
  return {
    ...outcome,
    resultText: resultText(resultCode),
    triesLeft: status === 'Pending' ? MAX_FORM_ATTEMPTS - responses.length : 0,
    ...(result.threeDsChallenge && {
      threeDsChallenge: {
        ...result.threeDsChallenge,
        ...(challengeExpiresAt && { expiresAt: challengeExpiresAt }),
      },
    }),
    ...(isOver && returnUrl !== undefined && { redirectUrl: withReturnParameters(returnUrl, outcome) }),
  };
}

/** What the page shows of a session. */
export function formSession(session: PresentedSession): FormSession {
  const { result, form, merchant, paymentMethodType, allowedOrigins, authorization, now } = session;
  const { billingInfoCaptureLevel, enable3DSecure, piiFields, useJavaScriptCallback, expiresAt } = form;
  return {
    ...formProgress(session),
    type: result.type as FormSession['type'],
    merchantName: merchant.name,
    ...(result.amount !== undefined && { amount: result.amount }),
    currency: result.currency,
    paymentMethodType,
    locale: merchant.locale,
    formConfig: { billingInfoCaptureLevel, enable3DSecure, piiFields: [...piiFields] },
    ...(authorization && { authorization: { ...authorization, texts: { ...authorization.texts } } }),
    useJavaScriptCallback,
    messageOrigins: messageOrigins(form, allowedOrigins),
    expiresAt,
    now,
  };
}

/** The result without the link of its form, as operators see it. */
export function withoutForm({ form: _form, ...result }: PresentedResult): TransactionResult {
  return result;
}

/** Adds the link of a pending form. `sessionIdOf` is undefined for a session whose key is not configured any more. */
export function withFormLink(
  result: PresentedResult,
  sessionIdOf: (operationId: OperationId, sessionHash: string) => string | undefined,
  publicOrigin: string,
): TransactionResult {
  const { id, form } = result;
  const sessionId = form && sessionIdOf(id as OperationId, form.sessionHash);
  if (!form || sessionId === undefined) return withChallengeLink(withoutForm(result), publicOrigin);
  const link: FormLink = { url: `${publicOrigin}/pay/${sessionId}`, sessionId, expiresAt: form.expiresAt };
  // It keeps the place of the field that it replaces.
  return { ...withChallengeLink(result, publicOrigin), form: link };
}

/** Makes the path of a challenge's page an address. An issuer's page has one already. */
export function withChallengeLink<Result extends Pick<TransactionResult, 'threeDsChallenge'>>(
  result: Result,
  publicOrigin: string,
): Result {
  const { threeDsChallenge: challenge } = result;
  if (!challenge?.redirectUrl.startsWith('/')) return result;
  return { ...result, threeDsChallenge: { ...challenge, redirectUrl: publicOrigin + challenge.redirectUrl } };
}

/** The registered origins and that of `returnUrl` (`docs/spec/hosted-form.md#messages-to-the-parent-window`). */
function messageOrigins({ returnUrl }: HostedForm, allowedOrigins: readonly string[]): string[] {
  const own = returnUrl === undefined ? [] : [new URL(returnUrl).origin];
  return [...new Set([...own, ...allowedOrigins])];
}

/** `returnUrl` with the five parameters added to its own query (`docs/spec/hosted-form.md#return-parameters`). */
function withReturnParameters(returnUrl: string, outcome: Readonly<Record<string, string | number>>): string {
  const url = new URL(returnUrl);
  for (const [name, value] of Object.entries(outcome)) url.searchParams.set(name, String(value));
  return url.href;
}
