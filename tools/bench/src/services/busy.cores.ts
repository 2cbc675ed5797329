import { availableParallelism } from 'node:os';
import { processorSeconds } from './process.time.js';

/** Processes by what they are, as in the text. */
export type Groups = Readonly<Record<string, readonly number[]>>;

/** Cores that each group kept busy, on average. */
export type BusyCores = Readonly<Record<string, number>>;

/** From this share on a core or a thread counts as fully used. */
const FULL = 0.9;

export async function whileWatched<T>(
  groups: Groups,
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly busy: BusyCores }> {
  const [before, startedAt] = [secondsOf(groups), performance.now()];
  const value = await work();
  const [after, seconds] = [secondsOf(groups), (performance.now() - startedAt) / 1_000];
  const names = Object.keys(groups);
  const busy = names.map((name) => [name, ((after[name] ?? 0) - (before[name] ?? 0)) / seconds] as const);
  return { value, busy: Object.fromEntries(busy) };
}

/**
 * What limits the rate, by the processor time that was used.
 * @param api the name of the group of API processes, each of which has one thread for requests
 */
export function limitText(
  busy: BusyCores,
  api: { readonly name: string; readonly processes: number },
  cores = availableParallelism(),
): string {
  const groups = Object.entries(busy).sort(([, a], [, b]) => b - a);
  const total = groups.reduce((sum, [, used]) => sum + used, 0);
  const used = groups.map(([name, share]) => `${name} ${share.toFixed(2)}`).join(', ');
  return `Cores in use: ${used}; together ${total.toFixed(2)} of ${cores}. ${reason()}`;

  function reason(): string {
    if (total >= FULL * cores)
      return "The limit is the machine's processors, which all these processes share.";
    if ((busy[api.name] ?? 0) >= FULL * api.processes) return 'The limit is the thread of the API.';
    const full = groups.find(([name, share]) => name !== api.name && share >= FULL);
    if (full) return `The limit is ${full[0]}.`;
    return 'No processor is the limit: requests wait for commits and for each other.';
  }
}

function secondsOf(groups: Groups): BusyCores {
  return Object.fromEntries(
    Object.entries(groups).map(([name, pids]) => [
      name,
      pids.reduce((sum, pid) => sum + processorSeconds(pid), 0),
    ]),
  );
}
