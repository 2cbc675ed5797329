import { tmpdir } from 'node:os';
import { pathExists, readConfig, statPath, type Config } from '@tillstream/platform';
import {
  action,
  dataDirectory,
  ProgressBar,
  runProgram,
  type Terminal,
} from '@tillstream/platform/command-line';
import { errorMessage } from '@tillstream/runtime';
import { Command, InvalidArgumentError, Option } from 'commander';
import { audit, type AuditOptions, type AuditResult } from './audit.js';
import { balanceLines, jsonReport, summaryLines } from './audit.report.js';
import { CHECKS, differenceText, NAMED_PER_CHECK_MAX, type CheckName } from './findings.js';

type Environment = Readonly<Record<string, string | undefined>>;

const HELP = `
Checks:
  lists      the rows of all lists equal those that the events give
  sums       totals = lines = items, of each batch, settlement and page
  items      settled = captured - voided - refunded - returned - charged back; each item once
  fees       each fee by the template in effect at the cut-off
  ledger     double entry: it balances, what it owes is what settlements say, and what is funded is paid
  processor  what the sandbox's own books say of each attempt

The default data directory is DATA_DIR, else .data; the events are in it, or where EVENT_STORE and EVENTSTOREDB_URL say. The
service may run or be stopped. Lists are brought up to date, and nothing else is changed. Changed events are not found by it:
run "npm run verify" before.
It names the first ${NAMED_PER_CHECK_MAX} differences of a check, and counts all. Outcomes that are not known yet are listed apart.
Exit code 0: no difference. 1: differences. 2: it could not be done.`;

interface Options {
  readonly check: readonly CheckName[];
  readonly work?: string;
  readonly balances?: boolean;
  readonly json?: boolean;
}

interface Output {
  readonly terminal: Terminal;
  /** Ends the command between two pages. */
  readonly signal: AbortSignal | undefined;
}

/** Returns the exit code. */
export async function auditCommand(
  args: readonly string[],
  environment: Environment,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<number> {
  const check = new Option('--check <name>', 'only this check; may be given several times')
    .argParser((name, names: readonly CheckName[]) => [...names, checkName(name)])
    .default([], 'all');
  const program = new Command('npm run audit --')
    .description(
      'Compares payments, batches, settlements, fees, lists and the processor with one another, to the cent.',
    )
    .argument('[directory]', 'the data directory, or the events.db in it', dataDirectory)
    .addOption(check)
    .addOption(
      new Option(
        '--work <directory>',
        'where its temporary file is, about 1.7 kB for a sale; left out: the directory for temporary files',
      ).argParser(directory),
    )
    .option('--balances', 'print the balance of each account too')
    .option('--json', 'print one JSON document instead of text')
    .addHelpText('after', HELP)
    .action(
      action(async (place: string | undefined, options: Options) => {
        const dataDir = place ?? (environment['DATA_DIR'] || '.data');
        return auditOrReport(options, { ...environment, DATA_DIR: dataDir }, { terminal, signal });
      }),
    );
  return runProgram(program, args, { terminal });
}

function checkName(name: string): CheckName {
  const known = CHECKS.find((one) => one === name);
  if (known === undefined) throw new InvalidArgumentError(`Allowed are ${CHECKS.join(', ')}.`);
  return known;
}

function directory(place: string): string {
  if (statPath(place)?.isDirectory() === true) return place;
  throw new InvalidArgumentError('It is no directory.');
}

/** Runs the command, and prints why it could not be done. */
async function auditOrReport(options: Options, settings: Environment, output: Output): Promise<number> {
  const { terminal, signal } = output;
  try {
    return await run(options, readConfig(settings), output);
  } catch (error) {
    terminal.error(
      signal?.aborted === true
        ? 'Interrupted; nothing was compared to the end.'
        : `Not audited: ${errorMessage(error)}`,
    );
    return 2;
  }
}

async function run(
  { check, work = tmpdir(), balances = false, json = false }: Options,
  config: Config,
  { terminal, signal }: Output,
): Promise<number> {
  if (!pathExists(config.dataDir)) throw new Error(`there is no data directory ${config.dataDir}`);
  const checks: ReadonlySet<CheckName> = new Set(check.length > 0 ? check : CHECKS);
  const result = await withProgress(
    terminal,
    { checks, workDirectory: work, ...(signal && { signal }) },
    config,
  );
  const text = (): string[] => [
    ...result.findings.differences.map(differenceText),
    ...(balances ? balanceLines(result.balances) : []),
    ...summaryLines(result, checks),
  ];
  const lines = json ? [jsonReport(result, checks)] : text();
  for (const line of lines) terminal.line(line);
  return result.findings.total === 0 ? 0 : 1;
}

async function withProgress(terminal: Terminal, options: AuditOptions, config: Config): Promise<AuditResult> {
  const bars: ProgressBar[] = [];
  try {
    return await audit(config, {
      ...options,
      onPhase(phase, unit) {
        bars.pop()?.stop();
        const bar = new ProgressBar(terminal, unit);
        bar.start(phase);
        bars.push(bar);
      },
      onProgress: (count) => bars[0]?.update(count),
    });
  } finally {
    bars.pop()?.stop();
  }
}
