import {
  openOperations,
  type BookedOperation,
  type ExpectedMovement,
  type PaymentBook,
} from '@tillstream/ledger';
import type { OperationId } from '@tillstream/domain';
import { money, type Findings } from './findings.js';
import type { FoundMovement } from './working.file.js';

/** What is compared with the books of processors. */
export interface ProcessorScope {
  /** Processors whose books were read. */
  readonly compared: ReadonlySet<string>;
  /** When the reading of the history began: real time, ms. What processors did later is not in that history. */
  readonly readAt: number;
  /** Service clock of the last event. */
  readonly serviceTime: string;
  /** Movements of processors whose books were not read. */
  readonly skipped: Map<string, number>;
}

interface MovementsOfPayment {
  readonly root: string;
  readonly book: PaymentBook | undefined;
  readonly moved: readonly ExpectedMovement[];
  readonly movements: readonly FoundMovement[];
}

/** The last inquiry about an operation that was not executed comes after 24 h (`docs/spec/unknown-outcomes.md#timing`). */
const LATE_INQUIRIES_MS = 25 * 3_600_000;

interface MovementParts {
  readonly findings: Findings;
  readonly processors: ProcessorScope;
}

/** Compares what the history says that processors did with what their books say. */
export function checkMovements(parts: MovementParts, of: MovementsOfPayment): void {
  const { findings, processors } = parts;
  const { book, moved, movements } = of;
  const expected = expectedByKey(findings, moved);
  const underWay = new Map<string, string>();
  for (const found of movements) {
    const one = expected.get(found.key);
    expected.delete(found.key);
    if (one) compareMovement(findings, book, one, found);
    else if (!isLater(processors, found)) addUnexpected(parts, of, found, underWay);
  }
  for (const one of expected.values()) addMissing(findings, processors, one, textOf(book, one));
  for (const operation of book ? openOperations(book) : []) {
    if (operation.processors.length > 0) addOpen(findings, operation, book?.currency ?? '', underWay);
  }
}

function expectedByKey(
  findings: Findings,
  moved: readonly ExpectedMovement[],
): Map<string, ExpectedMovement> {
  const expected = new Map<string, ExpectedMovement>();
  for (const one of moved) {
    if (expected.has(one.key))
      findings.add('processor', 'movement', one.key, { expected: 'once', found: 'twice in the history' });
    expected.set(one.key, one);
  }
  return expected;
}

function compareMovement(
  findings: Findings,
  book: PaymentBook | undefined,
  expected: ExpectedMovement,
  found: FoundMovement,
): void {
  const where = expected.processor === '' ? found.processor : expected.processor;
  findings.compare('processor', 'movement', found.key, [
    `${textOf(book, expected)} at ${where}`,
    `${textOf(book, found)} at ${found.processor}`,
  ]);
}

/** It came after the reading of the history began, or the bank's notice of it is under way. */
function isLater({ readAt }: ProcessorScope, { noticeUnderWay, at }: FoundMovement): boolean {
  return noticeUnderWay || at >= readAt;
}

function addUnexpected(
  { findings, processors }: MovementParts,
  { root, book }: MovementsOfPayment,
  found: FoundMovement,
  underWay: Map<string, string>,
): void {
  const operation = operationOfKey(book, found.key);
  if (operation && mayStillEnd(operation, processors.serviceTime)) {
    underWay.set(operation.id, textOf(book, found));
    return;
  }
  findings.add('processor', 'movement', found.key, {
    expected: book ? 'nothing by the history' : `a payment ${root} in the history`,
    found: `${textOf(book, found)} at ${found.processor}`,
  });
}

function textOf(
  book: PaymentBook | undefined,
  { kind, amount }: Pick<ExpectedMovement, 'kind' | 'amount'>,
): string {
  return `${kind} ${money(amount, book?.currency)}`;
}

function addMissing(
  findings: Findings,
  { compared, skipped }: ProcessorScope,
  { key, processor }: ExpectedMovement,
  text: string,
): void {
  if (compared.has(processor)) {
    findings.add('processor', 'movement', key, { expected: `${text} at ${processor}`, found: 'nothing' });
    return;
  }
  skipped.set(processor, (skipped.get(processor) ?? 0) + 1);
}

function addOpen(
  findings: Findings,
  { id: operationId, kind, requestedAmount: amount, requestedAt: since }: BookedOperation,
  currency: string,
  movements: ReadonlyMap<string, string>,
): void {
  const processor = movements.get(operationId) ?? 'nothing yet';
  findings.addOpen({ operationId, kind, amount, currency, since, processor });
}

/** The key of an attempt is `<operation id>.<number>`. */
function operationOfKey(book: PaymentBook | undefined, key: string): BookedOperation | undefined {
  return book?.operations.get(key.split('.')[0] as OperationId);
}

/** It has no outcome, or was closed as not executed and late inquiries go on. */
function mayStillEnd({ ended }: BookedOperation, serviceTime: string): boolean {
  if (ended === undefined) return true;
  const isClosed = ended.type === 'NotExecuted' || ended.type === 'Declined' || ended.type === 'NotSent';
  return isClosed && Date.parse(serviceTime) - Date.parse(ended.at) < LATE_INQUIRIES_MS;
}
