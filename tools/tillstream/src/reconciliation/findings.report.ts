import {
  isDifference,
  type FindingKind,
  type KnownOutcome,
  type ReconciliationCounts,
  type ReconciliationFinding,
} from '@tillstream/payments';
import { formatCount } from '@tillstream/platform/command-line';
import type { ProcessorRecords } from '@tillstream/processors';

/** Counts of all findings, also of those that are not named. */
export class FindingSums {
  readonly byKind = new Map<FindingKind, number>();
  broughtIn = 0;
  differences = 0;

  add(finding: ReconciliationFinding): void {
    this.byKind.set(finding.kind, (this.byKind.get(finding.kind) ?? 0) + 1);
    if (finding.broughtIn === 'Written') this.broughtIn += 1;
    if (isDifference(finding)) this.differences += 1;
  }
}

const TITLES: Readonly<Record<FindingKind, string>> = {
  MissingInHistory: 'not in the history',
  MissingAtProcessor: 'not in the file',
  Differs: 'differs',
  CardLost: 'card lost',
  NoOutcome: 'no outcome yet',
};

/** One line for an operator. */
export function findingText(finding: ReconciliationFinding): string {
  const { kind, key, operation, merchantId, history, processor, broughtIn, refusal } = finding;
  const what = `${TITLES[kind]}: ${operation} ${key} of ${merchantId}`;
  const sides = `processor ${sideText(processor, finding)}, history ${sideText(history, finding)}`;
  const result =
    broughtIn === undefined
      ? ''
      : `; ${broughtIn === 'Written' ? 'brought in' : `NOT brought in: ${refusal}`}`;
  return `${what}, ${sides}${result}`;
}

function sideText(known: KnownOutcome | undefined, { currency }: ReconciliationFinding): string {
  if (!known) return 'nothing';
  return known.amount === 0
    ? known.outcome
    : `${known.outcome} ${money(known.amount)}${currency ? ` ${currency}` : ''}`;
}

/** 1234 cents are `12.34`. */
function money(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const COLUMNS = [
  'kind',
  'key',
  'operation',
  'merchantId',
  'currency',
  'amount',
  'at',
  'processorOutcome',
  'processorAmount',
  'historyOutcome',
  'historyAmount',
  'broughtIn',
  'refusal',
];

/** RFC 4180: a header and a row for each finding. Amounts are cents. */
export function findingsCsv(findings: readonly ReconciliationFinding[]): string[] {
  return [COLUMNS.join(','), ...findings.map((finding) => cellsOf(finding).map(csvCell).join(','))];
}

function cellsOf(finding: ReconciliationFinding): readonly (string | number)[] {
  const { kind, key, operation, merchantId, currency, amount, at, history, processor, broughtIn, refusal } =
    finding;
  return [
    ...[kind, key, operation, merchantId, currency ?? '', amount, at],
    ...[processor?.outcome ?? '', processor?.amount ?? '', history?.outcome ?? '', history?.amount ?? ''],
    ...[broughtIn ?? '', refusal ?? ''],
  ];
}

function csvCell(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function summaryLines(
  { from, to }: Pick<ProcessorRecords, 'from' | 'to'>,
  { records, outcomes }: ReconciliationCounts,
  { byKind, broughtIn, differences }: FindingSums,
): string[] {
  const count = (kind: FindingKind): string => formatCount(byKind.get(kind) ?? 0);
  return [
    `Compared ${formatCount(records)} records of the processor, ${new Date(from).toISOString()} to ${new Date(to).toISOString()}, with ${formatCount(outcomes)} outcomes of the history in that time.`,
    `Not in the history ${count('MissingInHistory')} (${formatCount(broughtIn)} brought in), not in the file ${count('MissingAtProcessor')}, different ${count('Differs')}, cards lost ${count('CardLost')}. Without an outcome yet ${count('NoOutcome')}: the service finds them.`,
    differences === 0 ? 'No difference is left.' : `${formatCount(differences)} differences are left.`,
  ];
}
