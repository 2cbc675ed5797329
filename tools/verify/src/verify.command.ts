import { resolveEventsFile, isServerAddress, displayAddress, openEventsToRead } from '@tillstream/platform';
import { action, ProgressBar, runProgram, type Terminal } from '@tillstream/platform/command-line';
import { errorMessage } from '@tillstream/runtime';
import { Command, InvalidArgumentError } from 'commander';
import { BROKEN_EVENTS_MAX, verifyChains, type Verification } from './verify-chains.js';

type Environment = Readonly<Record<string, string | undefined>>;

const HELP = `
The default place is where the settings say that the events are (EVENT_STORE, EVENTSTOREDB_URL, DATA_DIR), else .data. The
service may run at the same time; nothing is written.
verify goes on after a broken event to the end: it names the first ${BROKEN_EVENTS_MAX} and counts all. It can't check the content of
an event after one that is missing or can't be read.
Exit code 0: all intact. 1: something is broken. 2: it could not be checked.`;

/** Returns the exit code. */
export async function verifyCommand(
  args: readonly string[],
  environment: Environment,
  terminal: Terminal,
): Promise<number> {
  const program = new Command('npm run verify --')
    .description(
      'Checks the hash chain of every stream: each event is as it was written, in its place, and none is missing.',
    )
    .argument('[place]', 'data folder, events.db, sqlite:… of either, or esdb://…', notEmpty)
    .addHelpText('after', HELP)
    .action(action((place?: string) => verify(place, environment, terminal)));
  return runProgram(program, args, { terminal });
}

function notEmpty(place: string): string {
  if (place === '')
    throw new InvalidArgumentError(
      'The address is empty. Leave it out to verify the event store of the settings.',
    );
  return place;
}

async function verify(
  place: string | undefined,
  environment: Environment,
  terminal: Terminal,
): Promise<number> {
  try {
    const configured = place === undefined ? environment['DATA_DIR'] || '.data' : undefined;
    const address = (place ?? configuredPlace(environment)).replace(/^sqlite:/, '');
    return await verifyStore(address, configured, terminal);
  } catch (error) {
    terminal.error(`Not checked: ${errorMessage(error)}`);
    return 2;
  }
}

/** @param dataDir the configured data directory, which shows whether events are lost; undefined for a given place */
async function verifyStore(place: string, dataDir: string | undefined, terminal: Terminal): Promise<number> {
  const isServer = isServerAddress(place);
  const name = isServer ? displayAddress(place) : resolveEventsFile(place);
  const store = await openEventsToRead(isServer ? place : `sqlite:${place}`, isServer ? dataDir : undefined);
  const progress = new ProgressBar(terminal, 'events');
  progress.start('Checking');
  try {
    const found = await verifyChains(store, (count) => progress.update(count));
    progress.stop();
    if (found.brokenCount > 0) {
      terminal.error(brokenText(name, found));
      return 1;
    }
    terminal.line(`${name}: ${found.events} events in ${found.streams} streams, every chain intact`);
    return 0;
  } finally {
    progress.stop();
    await store.close();
  }
}

function brokenText(name: string, found: Verification): string {
  const { events, streams, broken, brokenCount, brokenStreams } = found;
  const places = broken.map(
    ({ stream, revision, id, problem }) =>
      `${name}: BROKEN at stream ${stream}, revision ${revision}, event ${id}: ${problem}.`,
  );
  const left = brokenCount - broken.length;
  if (left > 0) places.push(`${name}: ${left} more are broken.`);
  const summary = `${brokenCount} broken in ${brokenStreams} of ${streams} streams; ${events} events are intact.`;
  return [...places, `${name}: ${summary}`].join('\n');
}

function configuredPlace({ EVENT_STORE, EVENTSTOREDB_URL, DATA_DIR }: Environment): string {
  return EVENT_STORE === 'eventstoredb' && EVENTSTOREDB_URL ? EVENTSTOREDB_URL : DATA_DIR || '.data';
}
