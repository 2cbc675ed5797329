import { join } from 'node:path';
import { pathExists, noLog, readConfig, withStores, type Config, type Log } from '@tillstream/platform';
import {
  action,
  dataDirectory,
  formatCount,
  ProgressBar,
  runProgram,
  type Terminal,
} from '@tillstream/platform/command-line';
import {
  PROJECTIONS,
  RebuildRefused,
  type ProjectionName,
  type ReadModels,
  type RebuildOptions as RunOptions,
  type RebuildProgress,
  type RowDifference,
} from '@tillstream/read-models';
import { errorMessage } from '@tillstream/runtime';
import { Command, InvalidArgumentError, Option } from 'commander';

type Environment = Readonly<Record<string, string | undefined>>;

const HELP = `
Names of projections: ${PROJECTIONS.join(', ')}.

The default data directory is DATA_DIR, else .data; the events are in it, or where EVENT_STORE and EVENTSTOREDB_URL say. The
service may run during a rebuild, and answers from the live lists. A rebuild that ends early leaves the live lists as they were.
Exit code 0: done, or equal. 1: not equal, the first row that differs is named. 2: it could not be done.`;

interface RebuildOptions {
  readonly projection: readonly ProjectionName[];
  readonly all?: boolean;
  readonly check?: boolean;
}

interface Output {
  readonly terminal: Terminal;
  /** Ends the command between two pages. */
  readonly signal: AbortSignal | undefined;
}

/** Returns the exit code. `signal` ends the command between two pages. */
export async function rebuildCommand(
  args: readonly string[],
  environment: Environment,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<number> {
  const projection = new Option('--projection <name>', 'rebuild this list; may be given several times')
    .argParser((name, names: readonly ProjectionName[]) => [...names, projectionName(name)])
    .default([], 'none');
  const program = new Command('npm run rebuild --')
    .description('Rebuilds lists from the events, beside the live lists, and replaces those.')
    .argument('[directory]', 'the data directory, or the events.db in it', dataDirectory)
    .addOption(projection)
    .addOption(new Option('--all', 'rebuild all of them').conflicts('projection'))
    .option(
      '--check',
      'compare the live lists with the events, row by row; brings a list up to date before, and changes nothing else',
    )
    .addHelpText('after', HELP)
    .action(
      action(async (directory: string | undefined, options: RebuildOptions, command: Command) => {
        if (options.all !== true && options.projection.length === 0)
          command.error('error: name projections with --projection, or take --all of them');
        const dataDir = directory ?? (environment['DATA_DIR'] || '.data');
        return rebuildOrReport(options, { ...environment, DATA_DIR: dataDir }, { terminal, signal });
      }),
    );
  return runProgram(program, args, { terminal });
}

function projectionName(name: string): ProjectionName {
  const projection = PROJECTIONS.find((one) => one === name);
  if (projection === undefined) throw new InvalidArgumentError(`Allowed are ${PROJECTIONS.join(', ')}.`);
  return projection;
}

/** Runs the command, and prints why it could not be done. */
async function rebuildOrReport(
  options: RebuildOptions,
  settings: Environment,
  output: Output,
): Promise<number> {
  try {
    return await rebuild(options, readConfig(settings), output);
  } catch (error) {
    const reason = errorMessage(error);
    const { terminal, signal } = output;
    if (signal?.aborted === true) terminal.error('Interrupted; the live lists are as they were.');
    else terminal.error(error instanceof RebuildRefused ? reason : `It could not be done: ${reason}`);
    return 2;
  }
}

async function rebuild(
  { check = false, all, projection }: RebuildOptions,
  config: Config,
  output: Output,
): Promise<number> {
  const { dataDir, sharedStore } = config;
  if (!pathExists(dataDir)) throw new Error(`there is no data directory ${dataDir}`);
  const directory = join(dataDir, 'read-models');
  // A check would make missing lists from the events, and find them equal.
  if (check && sharedStore === 'files' && !pathExists(directory)) {
    throw new Error(`there are no lists in ${directory} to compare with`);
  }
  const lists = check ? 'Checked' : 'Rebuilt';
  const run = check ? checkOne : rebuildOne;
  return withStores(config, { access: 'read', lists, log: damageLog(output.terminal) }, async (stores) => {
    const models = await stores.readModels();
    let code = 0;
    for (const name of all ? PROJECTIONS : projection) {
      code = Math.max(code, await run(models, name, output));
    }
    return code;
  });
}

/** A log that prints the names of damaged files, and nothing else. */
function damageLog(terminal: Terminal): Log {
  return {
    ...noLog,
    warn: (event, { file, movedTo, reason } = {}) => {
      if (event !== 'list-damaged') return;
      terminal.error(`${String(file)} was damaged (${String(reason)}) and is now ${String(movedTo)}.`);
    },
  };
}

async function rebuildOne(models: ReadModels, projection: ProjectionName, output: Output): Promise<number> {
  const run = (options: RunOptions) => models.rebuild(projection, options);
  const { rows, events, durationMs } = await withProgress(projection, output, run);
  const rate = Math.round((events / durationMs) * 1000);
  output.terminal.line(
    `${projection}: ${formatCount(rows)} rows from ${formatCount(events)} events in ${seconds(durationMs)} (${formatCount(rate)} events/s); live now`,
  );
  return 0;
}

async function checkOne(models: ReadModels, projection: ProjectionName, output: Output): Promise<number> {
  const run = (options: RunOptions) => models.check(projection, options);
  const { rows, durationMs, difference } = await withProgress(projection, output, run);
  if (difference) {
    output.terminal.error(differenceText(projection, difference));
    return 1;
  }
  output.terminal.line(
    `${projection}: all ${formatCount(rows)} rows equal what the events give (${seconds(durationMs)}); nothing was changed`,
  );
  return 0;
}

const PHASES: Readonly<Record<RebuildProgress['phase'], string>> = {
  Reading: 'reading events',
  Indexing: 'making indexes',
  CatchingUp: 'catching up',
  Swapping: 'swapping',
};

async function withProgress<T>(
  projection: ProjectionName,
  { terminal, signal }: Output,
  run: (options: RunOptions) => Promise<T>,
): Promise<T> {
  const bar = new ProgressBar(terminal, 'events');
  let current: string | undefined;
  const onProgress = ({ phase, events, expectedEvents }: RebuildProgress): void => {
    if (phase !== current) bar.start(`${projection}: ${PHASES[phase]}`, expectedEvents);
    current = phase;
    bar.update(events, expectedEvents);
  };
  try {
    return await run({ ...(signal && { signal }), onProgress });
  } finally {
    bar.stop();
  }
}

function differenceText(projection: ProjectionName, { id, columns, live, rebuilt }: RowDifference): string {
  if (!live) return `${projection}: NOT EQUAL. Row ${id} is missing in the live list.`;
  if (!rebuilt) return `${projection}: NOT EQUAL. Row ${id} is in the live list, and the events give none.`;
  const shown = columns.map(
    (column) =>
      `  ${column}: ${JSON.stringify(live[column])} is live, ${JSON.stringify(rebuilt[column])} is right`,
  );
  return [`${projection}: NOT EQUAL. The first row that differs is ${id}:`, ...shown].join('\n');
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
