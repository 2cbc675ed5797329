import {
  findMethodOf,
  streamOfOperation,
  streamOfTokenOperation,
  type Merchant,
  type OperationId,
} from '@tillstream/domain';
import { streamCategory } from '@tillstream/event-store';
import { newCommandId } from '../identifiers.js';
import type { Parts } from '../parts.js';
import { iso } from '../ports/clock.port.js';
import type { Actor } from '../requests/request.types.js';
import type { CommandCause } from '../requests/request.writer.js';
import type { StreamEvent } from '../stream-repository/event-metadata.js';
import type { LoadedStream } from '../stream-repository/repositories.js';
import {
  formOfPayment,
  formOfToken,
  type FormAggregate,
  type FormInStream,
  type FormRejection,
} from './form.aggregates.js';
import { authorizationOf } from './form.consent.js';
import { endForm } from './form.end.js';
import type { OpenedForm } from './hosted-form.types.js';
import { isSession, streamOfSession } from './session-ids.js';

/** The form of a session, with its aggregate and merchant. */
export interface FormOfSession<State, Event extends StreamEvent, Rejection extends FormRejection> {
  readonly aggregate: FormAggregate<State, Event, Rejection>;
  readonly loaded: LoadedStream<State>;
  readonly found: FormInStream;
  readonly sessionId: string;
  readonly merchant: Merchant;
}

/** A step for the form of a payment and of a card alike. */
export type FormStep<Result> = <State, Event extends StreamEvent, Rejection extends FormRejection>(
  session: FormOfSession<State, Event, Rejection>,
) => Promise<Result>;

export const customer: Actor = { type: 'Customer', name: 'hosted form' };

/** The cause of the events of a customer's command. */
export function formCause(
  { merchant }: { readonly merchant: Merchant },
  commandId: string,
  traceId?: string,
): CommandCause {
  return {
    merchantId: merchant.id,
    actor: customer,
    causationId: commandId,
    ...(traceId !== undefined && { traceId }),
  };
}

/** Undefined: no form has this session id. A form whose time has passed is ended first. @throws EventStoreError */
export function withFormOfSession<Result>(
  parts: Parts,
  sessionId: string,
  step: FormStep<Result>,
): Promise<Result | undefined> {
  const stream = streamOfSession(sessionId);
  const idOf = ({ form }: FormInStream) => (isSession(sessionId, form.sessionHash) ? sessionId : undefined);
  return stream === undefined ? Promise.resolve(undefined) : withForm(parts, stream, idOf, step);
}

/** Undefined: no form opened the operation, or the key of its session is not configured any more. */
export function withFormOfOperation<Result>(
  parts: Parts,
  operationId: OperationId,
  step: FormStep<Result>,
): Promise<Result | undefined> {
  const stream = streamOfOperation(operationId) ?? streamOfTokenOperation(operationId);
  const idOf = ({ form }: FormInStream) => parts.sessionIds.find(operationId, form.sessionHash);
  return stream === undefined ? Promise.resolve(undefined) : withForm(parts, stream, idOf, step);
}

type SessionIdOf = (found: FormInStream) => string | undefined;

function withForm<Result>(
  parts: Parts,
  stream: string,
  sessionIdOf: SessionIdOf,
  step: FormStep<Result>,
): Promise<Result | undefined> {
  return streamCategory(stream) === 'payment'
    ? withFormIn(parts, formOfPayment(parts), { stream, sessionIdOf }, step)
    : withFormIn(parts, formOfToken(parts), { stream, sessionIdOf }, step);
}

async function withFormIn<State, Event extends StreamEvent, Rejection extends FormRejection, Result>(
  parts: Parts,
  aggregate: FormAggregate<State, Event, Rejection>,
  { stream, sessionIdOf }: { readonly stream: string; readonly sessionIdOf: SessionIdOf },
  step: FormStep<Result>,
): Promise<Result | undefined> {
  const loaded = await aggregate.sender.aggregate.repository.load(stream);
  const found = aggregate.find(loaded.state);
  const sessionId = found && sessionIdOf(found);
  if (!found || sessionId === undefined) return undefined;
  const merchant = await parts.authentication.findMerchant(found.merchantId);
  return merchant && step(await endedIfExpired(parts, { aggregate, loaded, found, sessionId, merchant }));
}

/** Every call sees a form as ended as soon as its time has passed, also before the resolver has ended it. */
export async function endedIfExpired<State, Event extends StreamEvent, Rejection extends FormRejection>(
  parts: Parts,
  session: FormOfSession<State, Event, Rejection>,
): Promise<FormOfSession<State, Event, Rejection>> {
  const { aggregate, found, loaded, merchant } = session;
  const isOpen = found.operation.progress.status === 'AwaitingCustomer';
  if (!isOpen || iso(parts.clock.now()) < found.form.expiresAt) return session;
  const cause = formCause({ merchant }, newCommandId());
  const ended = await endForm(parts, aggregate, { loaded, found, merchant, cause }, aggregate.expire);
  return ended.kind === 'Written' ? { ...session, ...ended } : session;
}

/** The form as it is now, for its page. */
export function openedForm<State, Event extends StreamEvent, Rejection extends FormRejection>(
  { clock }: Pick<Parts, 'clock'>,
  { found, sessionId, merchant }: FormOfSession<State, Event, Rejection>,
): OpenedForm {
  const { form, paymentMethod, subject } = found;
  const method = findMethodOf(merchant, paymentMethod.id);
  const authorization = authorizationOf(found, merchant);
  return {
    sessionId,
    merchant,
    form,
    paymentMethod,
    allowedOrigins: method?.allowedOrigins ?? [],
    subject,
    ...(authorization && { authorization }),
    now: iso(clock.now()),
  };
}
