import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  pathExists,
  noLog,
  readConfig,
  statPath,
  withStores,
  type Config,
  type Log,
  type Terminal,
} from '@tillstream/platform';
import {
  PROJECTIONS,
  RebuildRefused,
  type CheckResult,
  type ProjectionName,
  type ReadModels,
  type RebuildProgress,
} from '@tillstream/read-models';
import { progressLine, ProgressClock } from './progress.line.js';

/** 0: done, or equal. 1: not equal. 2: it could not be done. */
export type ExitCode = 0 | 1 | 2;

type Environment = Readonly<Record<string, string | undefined>>;

export const HELP = `Makes lists anew from the events, beside those that are live, and puts them in their place.

Usage: npm run rebuild -- --projection NAME [--projection NAME…] [--check] [data directory]
       npm run rebuild -- --all [--check] [data directory]

  --projection NAME  one of ${PROJECTIONS.join(', ')}
  --all              all of them
  --check            proves that the live lists equal what the events give: compares row by row; what is behind is
                     brought to the end before, nothing else is changed
  --help             this text

The data directory is DATA_DIR, else .data; the events are in it, or where EVENT_STORE and EVENTSTOREDB_URL say. The service
may run meanwhile and answers all the while. Ended at any moment, it leaves the live lists as they were.
Exit code 0: done, or equal. 1: not equal, the first row that differs is named. 2: it could not be done.`;

interface Asked {
  readonly projections: readonly ProjectionName[];
  readonly check: boolean;
  readonly dataDir: string;
}

/** The whole command but for the process around it. `signal` ends it between two pages. */
export async function rebuildCommand(
  args: readonly string[],
  environment: Environment,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<ExitCode> {
  if (args.includes('--help') || args.includes('-h')) {
    terminal.line(HELP);
    return 0;
  }
  const asked = parse(args, environment);
  if (typeof asked === 'string') {
    terminal.error(`${asked}\n\n${HELP}`);
    return 2;
  }
  try {
    const config = readConfig({ ...environment, DATA_DIR: asked.dataDir });
    return await run(asked, config, terminal, signal);
  } catch (error) {
    terminal.progress?.('');
    if (signal?.aborted === true) {
      terminal.error('Interrupted; the live lists are as they were.');
      return 2;
    }
    const reason = error instanceof Error ? error.message : String(error);
    terminal.error(error instanceof RebuildRefused ? reason : `It could not be done: ${reason}`);
    return 2;
  }
}

async function run(
  { check, projections }: Asked,
  config: Config,
  terminal: Terminal,
  signal: AbortSignal | undefined,
): Promise<ExitCode> {
  const { dataDir } = config;
  if (!pathExists(dataDir)) throw new Error(`there is no data directory ${dataDir}`);
  const directory = join(dataDir, 'read-models');
  // They would be made, and then equal what they were made from.
  if (check && !pathExists(directory)) throw new Error(`there are no lists in ${directory} to compare with`);
  const options = {
    access: 'read',
    lists: check ? 'Checked' : 'Rebuilt',
    log: warningsTo(terminal),
  } as const;
  return withStores(config, options, async (stores) => {
    const models = await stores.readModels();
    let code: ExitCode = 0;
    for (const projection of projections) {
      const done = check
        ? await checkOne(models, projection, terminal, signal)
        : await rebuildOne(models, projection, terminal, signal);
      if (done !== 0) code = done;
    }
    return code;
  });
}

/** Names damaged files; the command tells the rest itself. */
function warningsTo(terminal: Terminal): Log {
  return {
    ...noLog,
    warn: (event, { file, movedTo, reason } = {}) => {
      if (event !== 'list-damaged') return;
      terminal.error(`${String(file)} was damaged (${String(reason)}) and is now ${String(movedTo)}.`);
    },
  };
}

async function rebuildOne(
  models: ReadModels,
  projection: ProjectionName,
  terminal: Terminal,
  signal: AbortSignal | undefined,
): Promise<ExitCode> {
  const { rows, events, durationMs } = await models.rebuild(
    projection,
    watched(projection, terminal, signal),
  );
  terminal.progress?.('');
  const rate = Math.round((events / durationMs) * 1000);
  terminal.line(
    `${projection}: ${count(rows)} rows from ${count(events)} events in ${seconds(durationMs)} (${count(rate)} events/s); live now`,
  );
  return 0;
}

async function checkOne(
  models: ReadModels,
  projection: ProjectionName,
  terminal: Terminal,
  signal: AbortSignal | undefined,
): Promise<ExitCode> {
  const result = await models.check(projection, watched(projection, terminal, signal));
  terminal.progress?.('');
  if (result.difference) {
    terminal.error(differenceText(projection, result.difference));
    return 1;
  }
  const { rows, durationMs } = result;
  terminal.line(
    `${projection}: all ${count(rows)} rows equal what the events give (${seconds(durationMs)}); nothing was changed`,
  );
  return 0;
}

function watched(projection: ProjectionName, terminal: Terminal, signal: AbortSignal | undefined) {
  const clock = new ProgressClock();
  return {
    ...(signal && { signal }),
    onProgress: (progress: RebuildProgress) => {
      if (clock.isDue(progress)) terminal.progress?.(progressLine(projection, progress, clock));
    },
  };
}

function differenceText(
  projection: ProjectionName,
  { id, columns, live, rebuilt }: NonNullable<CheckResult['difference']>,
): string {
  if (!live) return `${projection}: NOT EQUAL. Row ${id} is missing in the live list.`;
  if (!rebuilt) return `${projection}: NOT EQUAL. Row ${id} is in the live list, and the events give none.`;
  const shown = columns.map(
    (column) =>
      `  ${column}: ${JSON.stringify(live[column])} is live, ${JSON.stringify(rebuilt[column])} is right`,
  );
  return [`${projection}: NOT EQUAL. The first row that differs is ${id}:`, ...shown].join('\n');
}

/** What is wrong with the arguments, as a text. */
function parse(args: readonly string[], environment: Environment): Asked | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        projection: { type: 'string', multiple: true },
        all: { type: 'boolean' },
        check: { type: 'boolean' },
      },
      allowPositionals: true,
    });
    const { projection = [], all = false, check = false } = values;
    if (positionals.length > 1) return 'It takes one data directory.';
    if (all && projection.length > 0) return 'It takes --projection or --all, not both.';
    if (!all && projection.length === 0) return 'Name projections with --projection, or take --all of them.';
    const unknown = projection.find((name) => !(PROJECTIONS as readonly string[]).includes(name));
    if (unknown !== undefined)
      return `There is no projection "${unknown}"; allowed are ${PROJECTIONS.join(', ')}.`;
    const place = positionals[0] ?? (environment['DATA_DIR'] || '.data');
    const dataDir = dataDirectoryAt(place);
    if (dataDir === undefined) return `${place} is no data directory, and no events.db of one.`;
    return {
      projections: all ? PROJECTIONS : (projection as ProjectionName[]),
      check,
      dataDir,
    };
  } catch (error) {
    return wrongOption(error as Error & { readonly code?: string });
  }
}

/** The first sentence of what `parseArgs` says; the rest of it speaks of positional arguments, which are none here. */
function wrongOption({ code, message }: Error & { readonly code?: string }): string {
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return `${message.replace(/\n.*/s, '')}.`;
  return `${message.replace(/\. .*/s, '')}; allowed are --projection NAME, --all and --check.`;
}

/** Of a data directory, or of the file of events in it; undefined of another file. */
function dataDirectoryAt(place: string): string | undefined {
  if (statPath(place)?.isFile() !== true) return place;
  return basename(place) === 'events.db' ? dirname(place) : undefined;
}

const count = (number: number): string => number.toLocaleString('en');
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
