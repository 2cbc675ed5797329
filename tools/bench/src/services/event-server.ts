import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type EventServer = Awaited<ReturnType<typeof eventServer>>;

const DOUBLE = fileURLToPath(import.meta.resolve('@tillstream/event-store-testing/eventstoredb/main'));

/** The real server of `EVENTSTOREDB_URL`, or the double in a process of its own. */
export async function eventServer() {
  const given = process.env['EVENTSTOREDB_URL'];
  if (given !== undefined && given !== '') {
    return { url: given, name: 'a real EventStoreDB', pid: undefined, stop: () => Promise.resolve() };
  }
  return startDouble();
}

/** With no events. */
export async function startDouble() {
  const child = spawn(process.execPath, [DOUBLE], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = (): Promise<void> => {
    child.kill('SIGTERM');
    return ended;
  };
  // The double prints one line.
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line) as { readonly url: string };
    return { url, name: 'the double of EventStoreDB', pid: child.pid, stop };
  }
  throw new Error('the double of EventStoreDB ended at once');
}
