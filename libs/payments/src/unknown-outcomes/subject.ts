import {
  isDeferred,
  hasUnknownOutcome,
  parseOperationId,
  type Cents,
  type Currency,
  type OperationId,
  type OperationKind,
  type Progress,
} from '@tillstream/domain';
import { metadataOf } from '../event-metadata.js';
import { load, type Case, type ResolveParts } from '../resolver/case.js';
import { loadToken, type TokenCase } from '../resolver/token.case.js';
import type { Known } from './unknown-outcomes.types.js';

/** An operation that an operator speaks of, on a payment or on a stored card. */
export type Subject =
  ({ readonly category: 'payment' } & Case) | ({ readonly category: 'token' } & TokenCase);

/** The service's own operations too: their outcome can be unknown as any other's. */
export async function findSubject(parts: ResolveParts, transactionId: string): Promise<Subject | undefined> {
  const address = parseOperationId(transactionId);
  if (!address) return undefined;
  const id = transactionId as OperationId;
  if (address.category === 'payment') {
    const found = await load(parts, id);
    return found && { category: 'payment', ...found };
  }
  const found = await loadToken(parts, id);
  return found && { category: 'token', ...found };
}

export function isUnknownSubject({ operation }: Subject): boolean {
  return operation.attempt !== undefined && hasUnknownOutcome(operation);
}

/** Its outcome is unknown, or was promised for later. Of the latter operators see only what is not asked for any more. */
export function isOpenSubject(subject: Subject): boolean {
  return isUnknownSubject(subject) || isDeferred(subject.operation);
}

/** Of both alike. */
export function factsOfSubject(subject: Subject): {
  readonly type: OperationKind | 'TokenCreate';
  readonly amount?: Cents;
  readonly currency: Currency;
} {
  if (subject.category === 'token') return { type: 'TokenCreate', currency: subject.token.currency };
  const { kind: type, amount } = subject.operation;
  return { type, amount, currency: subject.payment.currency };
}

export function knownOf(subject: Subject): Known {
  const operationId = subject.operation.id;
  return subject.category === 'payment'
    ? { payment: subject.payment, operationId }
    : { token: subject.token, operationId };
}

/** Something that this command led to is in its history. */
export function wasDoneUnder({ loaded }: Subject, commandId: string): boolean {
  return loaded.history.some((recorded) => metadataOf(recorded).causationId === commandId);
}

/** For an operator: why there is nothing to resolve. */
export function whatIsKnown({ operation: { progress, responses } }: Subject): string {
  const code = responses[0]?.outcome.responseCode;
  return WORDS[progress.status](code);
}

type Word = (responseCode: number | undefined) => string;
const WORDS: Readonly<Record<Progress['status'], Word>> = {
  AwaitingCustomer: () => 'it waits for its customer, and nothing is under way',
  ChallengeOpen: () => 'its customer is being authenticated, and nothing is under way',
  InFlight: () => 'it is on its way',
  Interrupted: () => 'it is unknown',
  Processing: () => 'the bank has it, and its answer is still to come',
  Approved: (code) => `it was approved (response code ${code ?? 1})`,
  Declined: (code) => `it was declined (response code ${code ?? 10})`,
  Cancelled: () => 'it was cancelled, and no money moved',
  FormExpired: () => 'its form expired, and no money moved',
  NotExecuted: () => 'it did not happen (response code 50), and no money moved',
  NotSent: () => 'it was never sent, and no money moved',
};
