import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { action, runProgram, type Terminal } from '@tillstream/platform/command-line';
import { Argument, Command } from 'commander';
import type { Bench } from './bench.types.js';
import { bankAnswersBench } from './forms/bank-answers.bench.js';
import { formPageBench } from './forms/form-page.bench.js';
import { formSalesBench } from './forms/form-sales.bench.js';
import { waitingFormsBench } from './forms/waiting-forms.bench.js';
import { footprintBench } from './http/footprint.bench.js';
import { httpBench } from './http/http.bench.js';
import { longPaymentsBench } from './http/long-payments.bench.js';
import { neighborsBench } from './http/neighbors.bench.js';
import { steadyMemoryBench } from './http/steady-memory.bench.js';
import { tokenSalesBench } from './http/token-sales.bench.js';
import { listPagesBench } from './lists/list-pages.bench.js';
import { postgresListsBench } from './lists/postgres-lists.bench.js';
import { readModelsBench } from './lists/read-models.bench.js';
import { machineFacts } from './report/machine.facts.js';
import { lines, markdown, withSections, type Section } from './report/report.js';
import { settlementsBench } from './settlements/settlements.bench.js';
import { eventStoreDbBench } from './stores/eventstoredb.bench.js';
import { historyBench } from './stores/history.bench.js';
import { postgresSalesBench } from './stores/postgres-sales.bench.js';
import { transactBench } from './stores/transact.bench.js';
import { webhooksBench } from './webhooks/webhooks.bench.js';

const BENCHES: readonly Bench[] = [
  transactBench,
  historyBench,
  httpBench,
  tokenSalesBench,
  longPaymentsBench,
  neighborsBench,
  formSalesBench,
  formPageBench,
  waitingFormsBench,
  bankAnswersBench,
  footprintBench,
  webhooksBench,
  eventStoreDbBench,
  postgresSalesBench,
  readModelsBench,
  listPagesBench,
  postgresListsBench,
  settlementsBench,
  steadyMemoryBench,
];
const REPORT = fileURLToPath(new URL('../../../docs/benchmarks.md', import.meta.url));

const HELP = `
Benchmarks:
${BENCHES.map(({ name, title, isLong }) => `  ${name.padEnd(15)}${title}${isLong ? ' (only where named, or with --all)' : ''}`).join('\n')}

Files are made in a folder of their own in TMPDIR (${tmpdir()}), which should be on the disk that is meant, with
40 GB free, and are removed at the end. The exit code is 0 even where a target is missed, 1 where a benchmark failed
(the others go on, and the report says why), 2 for wrong arguments.`;

/** The output of the command; `progress` replaces its last text and is absent where stderr is no terminal. */
export interface BenchTerminal extends Terminal {
  progress?(text: string): void;
}

interface Options {
  readonly all?: boolean;
  readonly quick?: boolean;
  readonly profile?: string;
  readonly report?: boolean;
}

export async function benchCommand(args: readonly string[], terminal: BenchTerminal): Promise<number> {
  const program = new Command('npm run bench --')
    .description(
      'Prints how fast Tillstream is compared with the least that the same work takes, measured side by side. A run of all benchmarks takes about an hour and writes docs/benchmarks.md. Other work on the machine spoils the figures.',
    )
    .addArgument(new Argument('[names...]').choices(BENCHES.map(({ name }) => name)))
    .option('--all', 'also those that are too long for a run of all')
    .option('--quick', 'short rounds and little data: shows that everything runs; writes no report')
    .option('--report', 'writes the sections of the named ones into docs/benchmarks.md, each with its commit')
    .option(
      '--profile <folder>',
      "the API writes a CPU profile (for Chrome's DevTools) there when it ends; costs speed, writes no report",
    )
    .addHelpText('after', HELP)
    .action(action((names: readonly string[], options: Options) => run(names, options, terminal)));
  return runProgram(program, args, { terminal });
}

async function run(names: readonly string[], options: Options, terminal: BenchTerminal): Promise<number> {
  const benches = BENCHES.filter(
    ({ name, isLong = false }) => options.all || (names.length === 0 ? !isLong : names.includes(name)),
  );
  const folder = mkdtempSync(join(tmpdir(), 'tillstream-bench-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // Ctrl-C must not leave gigabytes behind.
  const interrupted = (): never => process.exit(130);
  process.once('exit', remove).once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    const machine = machineFacts(folder);
    terminal.line(machine.map(([name, value]) => `${name}: ${value}`).join('\n') + '\n');
    const sections: Section[] = [];
    for (const bench of benches) sections.push(await runBench(bench, options, folder, terminal));
    const omitted = BENCHES.filter((bench) => !benches.includes(bench));
    const code = sections.some(({ failure }) => failure !== undefined) ? 1 : 0;
    if (options.quick || options.profile !== undefined) return code;
    if (omitted.every(({ isLong }) => isLong)) writeFileSync(REPORT, markdown(machine, sections, omitted));
    else if (options.report)
      writeFileSync(REPORT, withSections(readFileSync(REPORT, 'utf8'), machine, sections));
    else return code;
    terminal.line(`Written to ${REPORT}.`);
    return code;
  } finally {
    process.off('exit', remove).off('SIGINT', interrupted).off('SIGTERM', interrupted);
    remove();
  }
}

/** A failure is part of the section: the other benchmarks go on. */
async function runBench(
  bench: Bench,
  { quick = false, profile }: Options,
  parent: string,
  terminal: BenchTerminal,
): Promise<Section> {
  const folder = join(parent, bench.name);
  mkdirSync(folder);
  const progress = (text: string): void => terminal.progress?.(text === '' ? '' : `${bench.name}: ${text}`);
  const profileFolder = profile === undefined ? undefined : resolve(profile);
  const context = { quick, folder, progress, profileFolder };
  const section = await bench.run(context).then(
    (figures): Section => ({ bench, figures }),
    (error: unknown): Section => ({ bench, figures: [], failure: String(error) }),
  );
  progress('');
  rmSync(folder, { recursive: true, force: true });
  terminal.line(lines(section));
  return section;
}
