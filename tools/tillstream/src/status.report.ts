import { formatDuration, formatCount } from '@tillstream/platform/command-line';
import { LAG_EVENTS_MAX } from '@tillstream/read-models';
import type { ServiceStatus } from './service.status.js';
import {
  isTrouble,
  type EventsStatus,
  type ListStatus,
  type StoresStatus,
  type Trouble,
  type UnknownOutcomesStatus,
} from './stores.status.js';

const BYTES_PER_MB = 1_048_576;

export interface Status extends StoresStatus {
  readonly dataDir: string;
  readonly mode: string;
  /** The version of this program. */
  readonly version: string;
  readonly node: string;
  /** Absent if its address is not known. */
  readonly service?: ServiceStatus;
}

/** Problems that an operator has to solve, a sentence each. The service resolves unknown outcomes until it gives up. */
export function problemsOf(status: Status, minFreeMb: number): readonly string[] {
  return [...serviceProblems(status), ...unreadableParts(status), ...storeProblems(status, minFreeMb)];
}

function serviceProblems({ service, events }: Status): string[] {
  if (!service) return ['the address of the service is not known: give it with --url'];
  const { url, reachable, ready, history } = service;
  const reasons = service.reasons.join('; ');
  if (!reachable) return [`the service can not be reached at ${url}: ${reasons}`];
  const problems = ready ? [] : [`the service is not ready: ${reasons}`];
  const own = isTrouble(events) ? undefined : events.history;
  if (own !== undefined && history !== undefined && own !== history)
    problems.push('the service has other events than DATA_DIR: the two do not belong together');
  return problems;
}

/** Names each trouble once. Without a data directory, the trouble of the disk is that of the events. */
function unreadableParts(status: Status): string[] {
  const { events, lists, consumers, unknownOutcomes, batches, freeDiskBytes: disk } = status;
  const parts = { events, lists, consumers, 'unknown outcomes': unknownOutcomes, batches, 'free disk': disk };
  const reported = new Set(isTrouble(events) && isTrouble(disk) ? [disk.trouble] : []);
  return Object.entries(parts).flatMap(([name, part]) => {
    if (!isTrouble(part) || reported.has(part.trouble)) return [];
    reported.add(part.trouble);
    return [`${name}: ${part.trouble.replace(/\.$/, '')}`];
  });
}

function storeProblems(
  { lists, consumers, unknownOutcomes, freeDiskBytes }: Status,
  minFreeMb: number,
): string[] {
  const problems = [...haltedIn(lists, 'the list '), ...haltedIn(consumers, '')];
  if (!isTrouble(unknownOutcomes) && unknownOutcomes.waitForOperator !== undefined) {
    const many = formatCount(unknownOutcomes.waitForOperator);
    problems.push(
      `the outcome of ${many} operations can not be found out: GET /admin/v1/unknown-outcomes lists them, an operator resolves them`,
    );
  }
  if (typeof freeDiskBytes === 'number' && freeDiskBytes < minFreeMb * BYTES_PER_MB)
    problems.push(`less than MIN_FREE_DISK_MB ${minFreeMb} are free on the disk of DATA_DIR`);
  return problems;
}

function haltedIn(part: readonly ListStatus[] | Trouble, kind: string): string[] {
  const halted = isTrouble(part) ? [] : part.filter(({ status }) => status === 'Halted');
  return halted.map(({ name, reason }) => `${kind}${name} has halted: ${reason ?? 'no reason given'}`);
}

type Row = readonly [name: string, text: string];

export function statusLines(status: Status, problems: readonly string[]): readonly string[] {
  const { service, events, unknownOutcomes, batches, freeDiskBytes } = status;
  const rows: readonly Row[] = [
    ['service', serviceText(service)],
    ...(service?.warnings ?? []).map((warning): Row => ['', `look at: ${warning}`]),
    ['data', `${status.dataDir} (${status.mode}), its stores opened here for reading`],
    ['versions', versionsText(status)],
    ['events', textOf(events, eventsText)],
    ...listRows('lists', status.lists),
    ...listRows('others', status.consumers),
    ['unknown', textOf(unknownOutcomes, unknownText)],
    [
      'batches',
      textOf(batches, ({ open, closing }) => `${formatCount(open)} open, ${formatCount(closing)} closing`),
    ],
    ['disk', textOf(freeDiskBytes, (bytes) => `${formatCount(bytes / BYTES_PER_MB)} MB free`)],
  ];
  return [...rows.map(([name, text]) => `${name.padEnd(9)} ${text}`), ...verdictOf(service, problems)];
}

const unreadable = ({ trouble }: Trouble): string => `could not be read: ${trouble}`;

function textOf<Part>(part: Part | Trouble, text: (part: Part) => string): string {
  return isTrouble(part) ? unreadable(part) : text(part);
}

function verdictOf(service: ServiceStatus | undefined, problems: readonly string[]): string[] {
  if (problems.length > 0) return problems.map((problem) => `PROBLEM: ${problem}.`);
  const isWarned = (service?.warnings ?? []).length > 0;
  return [isWarned ? 'It works. Check the warnings above.' : 'All is well.'];
}

function serviceText(service: ServiceStatus | undefined): string {
  if (!service) return 'its address is not known; only the data directory was read';
  const { url, reachable, ready } = service;
  if (!reachable) return `not reachable at ${url}; only the data directory was read`;
  return `${ready ? 'ready' : 'NOT READY'} at ${url}`;
}

function versionsText({ version, node, service }: Status): string {
  const own = `this program ${version} on Node ${node}`;
  const running = service?.version === undefined ? '' : `, the service ${service.version}`;
  return `${own}${running}${service?.apiVersion === undefined ? '' : `, API ${service.apiVersion}`}`;
}

function eventsText({ name, head, isAtLeast }: EventsStatus): string {
  if (head === undefined) return `${name}, empty`;
  return `${name}, last event at position ${head}${isAtLeast ? ' or later' : ''}`;
}

function listRows(title: string, part: readonly ListStatus[] | Trouble): readonly Row[] {
  if (isTrouble(part)) return [[title, unreadable(part)]];
  return part.map((list, index) => listRow(list, index === 0 ? title : ''));
}

function listRow({ name, status, lagEvents, reason }: ListStatus, title: string): Row {
  const more = lagEvents >= LAG_EVENTS_MAX ? ' or more' : '';
  const behind = `${formatCount(lagEvents)}${more} ${lagEvents === 1 ? 'event' : 'events'} behind`;
  const why = reason === undefined ? '' : `: ${reason}`;
  return [title, `${name}: ${status}, ${lagEvents === 0 ? 'up to date' : behind}${why}`];
}

function unknownText({ open, oldestAgeSeconds: age, notLookedAt }: UnknownOutcomesStatus): string {
  const oldest = age === undefined ? '' : `, the oldest for ${formatDuration(age * 1000)}`;
  const behind = notLookedAt === 0 ? '' : `; ${formatCount(notLookedAt)} events not read yet by the resolver`;
  return `${formatCount(open)} operations of unknown outcome${oldest}${behind}`;
}
