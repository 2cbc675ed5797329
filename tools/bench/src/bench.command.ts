import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Bench } from './bench.types.js';
import { eventStoreDbBench } from './eventstoredb.bench.js';
import { footprintBench } from './footprint.bench.js';
import { historyBench } from './history.bench.js';
import { httpBench } from './http.bench.js';
import { machineFacts } from './machine.facts.js';
import { readModelsBench } from './read-models.bench.js';
import { lines, markdown, type Section } from './report.js';
import { steadyMemoryBench } from './steady-memory.bench.js';
import { tokenSalesBench } from './token-sales.bench.js';
import { transactBench } from './transact.bench.js';

const BENCHES: readonly Bench[] = [
  transactBench,
  historyBench,
  httpBench,
  tokenSalesBench,
  footprintBench,
  eventStoreDbBench,
  readModelsBench,
  steadyMemoryBench,
];
const REPORT = fileURLToPath(new URL('../../../docs/benchmarks.md', import.meta.url));

const HELP = `Usage: npm run bench -- [name…] [--all] [--quick]

Prints how fast Tillstream is compared with the least that the same work takes, measured side by side. A run of all
benchmarks takes about twenty minutes and writes docs/benchmarks.md. Other work on the machine spoils the figures.

${BENCHES.map(({ name, title, isLong }) => `  ${name.padEnd(15)}${title}${isLong ? ' (only where named, or with --all)' : ''}`).join('\n')}

  --all     also those that are too long for a run of all
  --quick   short rounds and little data: shows that everything runs; writes no report
  --profile=FOLDER
            the API writes a CPU profile (for Chrome's DevTools) there when it ends; costs speed, writes no report
  --help    this text

Files are made in a folder of their own in TMPDIR (${tmpdir()}), which should be on the disk that is meant, with
10 GB free, and are removed at the end. The exit code is 0 even where a target is missed, 1 where a benchmark failed
(the others go on, and the report says why), 2 for wrong arguments.
`;

export interface Terminal {
  line(text: string): void;
  error(text: string): void;
  /** Overwrites what it showed before; absent where nobody watches. */
  progress?(text: string): void;
}

/** Gives the exit code. */
export async function benchCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const asked = parse(args);
  if (typeof asked === 'string') {
    terminal.error(`${asked}\n\n${HELP}`);
    return 2;
  }
  if (asked.help) {
    terminal.line(HELP);
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'tillstream-bench-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // Gigabytes should not be left behind by a Ctrl-C.
  const interrupted = (): never => process.exit(130);
  process.once('exit', remove).once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    const machine = machineFacts(folder);
    terminal.line(machine.map(([name, value]) => `${name}: ${value}`).join('\n') + '\n');
    const sections: Section[] = [];
    for (const bench of asked.benches) sections.push(await measured(bench, asked, folder, terminal));
    const left = BENCHES.filter((bench) => !asked.benches.includes(bench));
    const code = sections.some(({ failure }) => failure !== undefined) ? 1 : 0;
    if (asked.quick || asked.profile !== undefined || !left.every(({ isLong }) => isLong)) return code;
    writeFileSync(REPORT, markdown(machine, sections, left));
    terminal.line(`Written to ${REPORT}.`);
    return code;
  } finally {
    process.off('exit', remove).off('SIGINT', interrupted).off('SIGTERM', interrupted);
    remove();
  }
}

/** One that fails takes nothing from the others: an hour of measuring would be lost. */
async function measured(
  bench: Bench,
  { quick, profile }: Asked,
  parent: string,
  terminal: Terminal,
): Promise<Section> {
  const folder = join(parent, bench.name);
  mkdirSync(folder);
  const progress = (text: string): void => terminal.progress?.(text === '' ? '' : `${bench.name}: ${text}`);
  const stage = {
    quick,
    folder,
    progress,
    ...(profile !== undefined && { profileFolder: resolve(profile) }),
  };
  const section = await bench.run(stage).then(
    (figures): Section => ({ bench, figures }),
    (error: unknown): Section => ({ bench, figures: [], failure: String(error) }),
  );
  progress('');
  rmSync(folder, { recursive: true, force: true });
  terminal.line(lines(section));
  return section;
}

interface Asked {
  readonly benches: readonly Bench[];
  readonly quick: boolean;
  readonly help: boolean;
  readonly profile: string | undefined;
}

/** What is wrong with them, as a text. */
function parse(args: readonly string[]): Asked | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        all: { type: 'boolean' },
        quick: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        profile: { type: 'string' },
      },
      allowPositionals: true,
    });
    const unknown = positionals.find((name) => !BENCHES.some((bench) => bench.name === name));
    if (unknown !== undefined) return `There is no benchmark "${unknown}".`;
    const { all = false, quick = false, help = false, profile } = values;
    const benches = BENCHES.filter(
      ({ name, isLong = false }) => all || (positionals.length === 0 ? !isLong : positionals.includes(name)),
    );
    return { benches, quick, help, profile };
  } catch (error) {
    return (error as Error).message;
  }
}
