import { formatDuration, formatCount } from '@tillstream/platform/command-line';
import { LAG_EVENTS_MAX } from '@tillstream/read-models';
import type { ServiceStatus } from './service.status.js';
import { isTrouble, type ListStatus, type StoresStatus } from './stores.status.js';

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
  const { service, events, lists, unknownOutcomes, batches, freeDiskBytes } = status;
  const problems: string[] = [];
  if (!service) problems.push('the address of the service is not known: give it with --url');
  else if (!service.reachable)
    problems.push(`the service can not be reached at ${service.url}: ${service.reasons.join('; ')}`);
  else if (!service.ready) problems.push(`the service is not ready: ${service.reasons.join('; ')}`);
  if (isOtherHistory(service, events)) {
    problems.push('the service has other events than DATA_DIR: the two do not belong together');
  }
  const parts = { events, lists, 'unknown outcomes': unknownOutcomes, batches, 'free disk': freeDiskBytes };
  const reported = new Set<string>();
  const nothingThere = isTrouble(events) && isTrouble(freeDiskBytes) ? freeDiskBytes.trouble : undefined;
  for (const [name, part] of Object.entries(parts)) {
    if (!isTrouble(part) || reported.has(part.trouble) || part.trouble === nothingThere) continue;
    reported.add(part.trouble);
    problems.push(`${name}: ${part.trouble.replace(/\.$/, '')}`);
  }
  if (!isTrouble(lists)) {
    for (const { name, status: state, reason } of lists) {
      if (state === 'Halted') problems.push(`the list ${name} has halted: ${reason ?? 'no reason given'}`);
    }
  }
  if (!isTrouble(unknownOutcomes) && unknownOutcomes.waitForOperator !== undefined) {
    const many = formatCount(unknownOutcomes.waitForOperator);
    problems.push(
      `the outcome of ${many} operations can not be found out: GET /admin/v1/unknown-outcomes lists them, an operator resolves them`,
    );
  }
  if (typeof freeDiskBytes === 'number' && freeDiskBytes < minFreeMb * BYTES_PER_MB) {
    problems.push(`less than MIN_FREE_DISK_MB ${minFreeMb} are free on the disk of DATA_DIR`);
  }
  return problems;
}

function isOtherHistory(service: Status['service'], events: Status['events']): boolean {
  const own = isTrouble(events) ? undefined : events.history;
  return own !== undefined && service?.history !== undefined && own !== service.history;
}

export function statusLines(status: Status, problems: readonly string[]): readonly string[] {
  const { service, events, lists, unknownOutcomes: unknown, batches, freeDiskBytes: free } = status;
  const rows: [string, string][] = [
    ['service', serviceText(service)],
    ...(service?.warnings ?? []).map((warning): [string, string] => ['', `look at: ${warning}`]),
    ['data', `${status.dataDir} (${status.mode}), its stores opened here for reading`],
    ['versions', versionsText(status)],
    [
      'events',
      isTrouble(events) ? unreadable(events) : `${events.name}, ${headText(events.head, events.isAtLeast)}`,
    ],
    ...(isTrouble(lists) ? [['lists', unreadable(lists)] as [string, string]] : lists.map(listRow)),
    ['unknown', isTrouble(unknown) ? unreadable(unknown) : unknownText(unknown)],
    [
      'batches',
      isTrouble(batches)
        ? unreadable(batches)
        : `${formatCount(batches.open)} open, ${formatCount(batches.closing)} closing`,
    ],
    ['disk', isTrouble(free) ? unreadable(free) : `${formatCount(free / BYTES_PER_MB)} MB free`],
  ];
  return [...rows.map(([name, text]) => `${name.padEnd(9)} ${text}`), ...verdictOf(service, problems)];
}

function verdictOf(service: ServiceStatus | undefined, problems: readonly string[]): string[] {
  if (problems.length > 0) return problems.map((problem) => `PROBLEM: ${problem}.`);
  const isWarned = (service?.warnings ?? []).length > 0;
  return [isWarned ? 'It works. Check the warnings above.' : 'All is well.'];
}

const unreadable = ({ trouble }: { readonly trouble: string }): string => `could not be read: ${trouble}`;

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

function headText(head: string | undefined, isAtLeast: true | undefined): string {
  if (head === undefined) return 'empty';
  return `last event at position ${head}${isAtLeast ? ' or later' : ''}`;
}

function listRow({ name, status, lagEvents, reason }: ListStatus, index: number): [string, string] {
  const more = lagEvents >= LAG_EVENTS_MAX ? ' or more' : '';
  const lag =
    lagEvents === 0
      ? 'up to date'
      : `${formatCount(lagEvents)}${more} ${lagEvents === 1 ? 'event' : 'events'} behind`;
  return [
    index === 0 ? 'lists' : '',
    `${name}: ${status}, ${lag}${reason === undefined ? '' : `: ${reason}`}`,
  ];
}

function unknownText({
  open,
  oldestAgeSeconds: age,
  notLookedAt,
}: {
  readonly open: number;
  readonly oldestAgeSeconds?: number;
  readonly notLookedAt: number;
}): string {
  const oldest = age === undefined ? '' : `, the oldest for ${formatDuration(age * 1000)}`;
  const behind = notLookedAt === 0 ? '' : `; ${formatCount(notLookedAt)} events not read yet by the resolver`;
  return `${formatCount(open)} operations of unknown outcome${oldest}${behind}`;
}
