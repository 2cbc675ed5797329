import {
  resolveEventsFile,
  isServerAddress,
  displayAddress,
  openEventsToRead,
  type Terminal,
} from '@tillstream/platform';
import { MOST_KEPT, verifyChains, type Verification } from './verify-chains.js';

/** 0: every chain is intact. 1: an event is broken. 2: it could not be checked. */
export type ExitCode = 0 | 1 | 2;

type Environment = Readonly<Record<string, string | undefined>>;

export const HELP = `Checks the hash chain of every stream: whether each event is as it was written, in its place, with none missing.

Usage: verify [data folder, events.db, sqlite:… of either, or esdb://…]

Left out: where the settings say that the events are (EVENT_STORE, EVENTSTOREDB_URL, DATA_DIR), else .data. The service may
run meanwhile; nothing is written.
It goes on after a broken event to the end: the first ${MOST_KEPT} are named, and all are counted. Of an event after one that is
missing or can't be read the content can't be checked.
Exit code 0: all intact. 1: something is broken. 2: it could not be checked.`;

/** The whole command but for the process around it. */
export async function verifyCommand(
  args: readonly string[],
  environment: Environment,
  terminal: Terminal,
): Promise<ExitCode> {
  if (args.includes('--help') || args.includes('-h')) {
    terminal.line(HELP);
    return 0;
  }
  const [place, more] = args;
  const wrong = wrongUse(place, more);
  if (wrong !== undefined) {
    terminal.error(`${wrong}\n\n${HELP}`);
    return 2;
  }
  try {
    const configured = place === undefined ? environment['DATA_DIR'] || '.data' : undefined;
    const address = (place ?? configuredPlace(environment)).replace(/^sqlite:/, '');
    return await verifyStore(address, configured, terminal);
  } catch (error) {
    terminal.error(`Not checked: ${error instanceof Error ? error.message : String(error)}`);
    return 2;
  }
}

function wrongUse(place: string | undefined, more: string | undefined): string | undefined {
  if (place?.startsWith('-') === true) return `${place} is no option here; only --help is one.`;
  if (place === '') return 'The place is empty; left out, it is where the settings say.';
  return more === undefined ? undefined : 'verify takes one place.';
}

/** @param dataDir where the settings name it: it tells whether events are lost */
async function verifyStore(
  place: string,
  dataDir: string | undefined,
  terminal: Terminal,
): Promise<ExitCode> {
  const isServer = isServerAddress(place);
  const name = isServer ? displayAddress(place) : resolveEventsFile(place);
  const store = await openEventsToRead(isServer ? place : `sqlite:${place}`, isServer ? dataDir : undefined);
  try {
    const found = await verifyChains(store, (count) => terminal.progress?.(`${count} events`));
    terminal.progress?.('');
    if (found.brokenCount > 0) {
      terminal.error(brokenText(name, found));
      return 1;
    }
    terminal.line(`${name}: ${found.events} events in ${found.streams} streams, every chain intact`);
    return 0;
  } finally {
    await store.close();
  }
}

function brokenText(
  name: string,
  { events, streams, broken, brokenCount, brokenStreams }: Verification,
): string {
  const places = broken.map(
    ({ stream, revision, id, problem }) =>
      `${name}: BROKEN at stream ${stream}, revision ${revision}, event ${id}: ${problem}.`,
  );
  const left = brokenCount - broken.length;
  return [
    ...places,
    ...(left > 0 ? [`${name}: ${left} more are broken.`] : []),
    `${name}: ${brokenCount} broken in ${brokenStreams} of ${streams} streams; ${events} events are intact.`,
  ].join('\n');
}

function configuredPlace({ EVENT_STORE, EVENTSTOREDB_URL, DATA_DIR }: Environment): string {
  return EVENT_STORE === 'eventstoredb' && EVENTSTOREDB_URL ? EVENTSTOREDB_URL : DATA_DIR || '.data';
}
