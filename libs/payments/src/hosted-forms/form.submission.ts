import { findMethodOf, isOpenAttempt, pick, type Encrypted, type SubmitForm } from '@tillstream/domain';
import { VaultError, type Vault } from '@tillstream/vault';
import { billingFields } from '../attempts/billing.details.js';
import type { SendResult } from '../attempts/attempt.sender.js';
import { planAttempt, type AttemptStart } from '../attempts/send-window.js';
import { newCommandId, sha256 } from '../identifiers.js';
import type { Parts } from '../parts.js';
import { iso } from '../ports/clock.port.js';
import { sendRequest, writeRequest, type CommandCause } from '../requests/request.writer.js';
import { attemptSubject, sealPersonal } from '../stored-cards/vault.codec.js';
import type { StreamEvent } from '../stream-repository/event-metadata.js';
import type { LoadedStream } from '../stream-repository/repositories.js';
import type { FormInStream, FormRejection } from './form.aggregates.js';
import { bankChannel, formChannel } from './form.channel.js';
import { sealedConsent } from './form.consent.js';
import { giveBackRefundLimit } from './form.end.js';
import { customer, endedIfExpired, formCause, openedForm, type FormOfSession } from './form.lookup.js';
import type { AdmitSubmission, FormCall, FormResult, FormSubmission } from './hosted-form.types.js';

/** Decides on the state alone: what is planned with it is never appended. */
const NO_ROUTE = { processor: '', account: '' };

export interface Submission extends FormCall {
  readonly submission: FormSubmission;
  readonly start: AttemptStart;
  readonly admit?: AdmitSubmission;
}

/**
 * One submission is one attempt: its request is durable before the processor is called. A repeated key
 * gives the outcome of its attempt and never makes a second one.
 */
export async function submitToForm<State, Event extends StreamEvent, Rejection extends FormRejection>(
  parts: Parts,
  session: FormOfSession<State, Event, Rejection>,
  { key, traceId, client, submission, start, admit }: Submission,
): Promise<FormResult> {
  const { aggregate, loaded, found, sessionId, merchant } = session;
  const { operationId, paymentMethod } = found;
  requireFitting(paymentMethod.type, submission);
  const route = parts.processors.route({
    merchantId: merchant.id,
    channel: formChannel(paymentMethod.type),
    currency: paymentMethod.currency,
  });
  const commandId = key === undefined ? newCommandId() : sha256(`${sessionId} ${key}`);
  const at = iso(parts.clock.now());
  const command = { at, operationId, commandId, attemptPlan: planAttempt(start, route ?? NO_ROUTE) };
  const planned = aggregate.submit(loaded.state, command);
  if (planned.kind === 'Rejected') return rejectedResult(planned.rejection);
  const cause = formCause({ merchant }, commandId, traceId);
  if (planned.events.length === 0) return formResult(parts, session, loaded, cause);
  if (!route) return { kind: 'NoProcessor' };
  if (!mayTakePayments(session)) return { kind: 'Disabled' };
  const attempt = { command, cause, traceId, client, submission, startedAt: start.startedAt };
  const send = (): Promise<FormResult> => sendSubmission(parts, session, attempt);
  return admit ? admit(send) : send();
}

/** Callers check it before. Without a bank account nothing would be authorized. @throws TypeError */
function requireFitting(
  type: FormInStream['paymentMethod']['type'],
  { card, bankAccount }: FormSubmission,
): void {
  const isBank = bankChannel(type) !== undefined;
  if ((isBank ? card : bankAccount) !== undefined || (isBank ? bankAccount : card) === undefined)
    throw new TypeError(`the submission does not fit a form of type ${type}`);
}

interface NewAttempt {
  readonly command: SubmitForm;
  readonly cause: CommandCause;
  readonly traceId: string;
  readonly client: FormCall['client'] | undefined;
  readonly submission: FormSubmission;
  readonly startedAt: number;
}

async function sendSubmission<State, Event extends StreamEvent, Rejection extends FormRejection>(
  parts: Parts,
  session: FormOfSession<State, Event, Rejection>,
  { command, cause, traceId, client, submission, startedAt }: NewAttempt,
): Promise<FormResult> {
  const { aggregate, loaded, found, merchant } = session;
  const number = (found.operation.attempt?.number ?? 0) + 1;
  const sealed = await sealForEvents(parts, session, { ...submission, client, number });
  if ('kind' in sealed) return sealed;
  const context = { merchant, actor: customer, traceId };
  const written = await writeRequest(
    parts,
    aggregate.sender.aggregate.repository,
    // The data is sealed for this attempt only: after a conflict another submission may have made it.
    { context, known: loaded, cause, ...(sealed.personal && { decisionsMax: 1 }) },
    (state) => aggregate.submit(state, { ...command, ...sealed }),
  );
  const secret = { ...pick(submission, 'card', 'bankAccount'), ...billingFields(submission) };
  const request = { merchant, cause, startedAt, secret };
  const result = await sendRequest(parts, written, request, {
    sender: aggregate.sender,
    toResult: (sent) => resultAfterSending(parts, session, { ...sent, number }, cause),
  });
  return result.kind === 'Rejected' ? rejectedResult(result.rejection) : result;
}

/**
 * The result of the call that sent attempt `number`. If its outcome could not be stored, only this call knows that it is
 * unknown.
 */
export async function resultAfterSending<State, Event extends StreamEvent, Rejection extends FormRejection>(
  parts: Parts,
  session: FormOfSession<State, Event, Rejection>,
  { kind, loaded, number }: SendResult<State> & { readonly number: number },
  cause: CommandCause,
): Promise<FormResult> {
  const { operationId, operation } = session.aggregate.find(loaded.state) ?? session.found;
  const isUnknown = kind === 'Interrupted' && isOpenAttempt(operation, number);
  return isUnknown ? { kind, operationId } : formResult(parts, session, loaded, cause);
}

/** The result of a call by the history after it. */
export async function formResult<State, Event extends StreamEvent, Rejection extends FormRejection>(
  parts: Parts,
  session: FormOfSession<State, Event, Rejection>,
  loaded: LoadedStream<State>,
  cause: CommandCause,
): Promise<FormResult> {
  const after = { ...session, loaded, found: session.aggregate.find(loaded.state) ?? session.found };
  const ended = await endedIfExpired(parts, after);
  const { found } = ended;
  const { operationId } = found;
  switch (found.operation.progress.status) {
    case 'InFlight':
      return { kind: 'SubmissionInFlight' };
    case 'Interrupted':
      return { kind: 'Interrupted', operationId };
    case 'NotSent':
      await giveBackRefundLimit(parts, session.merchant, found, cause);
      return { kind: 'NotSent', operationId };
    default:
      await giveBackRefundLimit(parts, session.merchant, found, cause);
      return { kind: 'Answered', opened: openedForm(parts, ended) };
  }
}

export function rejectedResult({ code }: FormRejection): FormResult {
  switch (code) {
    case 'SubmissionInFlight':
      return { kind: 'SubmissionInFlight' };
    case 'FormExpired':
      return { kind: 'Expired' };
    default:
      return { kind: 'Spent' };
  }
}

/** False while the merchant, the form's payment method or its operation is disabled. */
export function mayTakePayments<State, Event extends StreamEvent, Rejection extends FormRejection>({
  merchant,
  found,
}: FormOfSession<State, Event, Rejection>): boolean {
  const method = findMethodOf(merchant, found.paymentMethod.id);
  const isRefund = found.operation.kind === 'UnreferencedRefund';
  const isEnabled = !isRefund || merchant.unreferencedRefunds.enabled;
  return merchant.status === 'Active' && isEnabled && method !== undefined && !method.disabled;
}

interface SentSubmission extends FormSubmission {
  readonly client: FormCall['client'] | undefined;
  /** Of its attempt. */
  readonly number: number;
}

/**
 * What the events of a submission have sealed: the consent to debits of a bank account, and, of a card or bank account that
 * will be stored, its expiry, holder and billing contact, so that the resolver can finish the token without this process.
 */
async function sealForEvents<State, Event extends StreamEvent, Rejection extends FormRejection>(
  { vault, log }: Pick<Parts, 'vault' | 'log'>,
  { found, merchant }: FormOfSession<State, Event, Rejection>,
  submission: SentSubmission,
): Promise<Pick<SubmitForm, 'personal' | 'consent'> | { readonly kind: 'Contended' | 'CardNotStored' }> {
  try {
    const personal = await sealForToken(vault, found, submission);
    const consent = await sealedConsent(vault, found, merchant, submission);
    return { ...(personal && { personal }), ...(consent && { consent }) };
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    log.error('card-not-kept', { operationId: found.operationId, reason: error.code });
    // The keys of an attempt are destroyed after its outcome: another submission made this attempt.
    return { kind: error.code === 'Destroyed' ? 'Contended' : 'CardNotStored' };
  }
}

async function sealForToken(
  vault: Vault,
  { subject }: FormInStream,
  { card, bankAccount, billingContact, number }: SentSubmission,
): Promise<Encrypted | undefined> {
  if (subject.kind !== 'Token') return undefined;
  const personal = {
    ...(card && { cardExpDate: card.expDate }),
    ...(bankAccount && { accountName: bankAccount.name }),
    ...(billingContact && { billingContact }),
  };
  return sealPersonal(vault, attemptSubject(subject.token.id, number), personal);
}
