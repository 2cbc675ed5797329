import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import {
  isDifference,
  Reconciliation,
  UnusableRecords,
  type ReconciliationFinding,
} from '@tillstream/payments';
import { readConfig, withStores, type Config } from '@tillstream/platform';
import { action, ProgressBar, signalExitCode } from '@tillstream/platform/command-line';
import { sandboxRecords, type ProcessorRecords } from '@tillstream/processors';
import { DailyFileError } from '@tillstream/sandbox';
import { Command, Option } from 'commander';
import { actorOption, operator, REASON_CHARACTERS_MAX, storedText } from '../command.options.js';
import { EXIT, Failed, type CommandContext } from '../command.types.js';
import { outOption, writeResult } from '../output.file.js';
import { FindingSums, findingsCsv, findingText, summaryLines } from './findings.report.js';

const HELP = `
Lists what the processor executed and the history has not, what the history has and the file has not, and amounts that differ.
The file is that of the simulated acquirer ("daily-file --help"); a real processor's needs a reader of its own.

--bring-in writes what is missing into the history, as events of the payments that the processor executed. It charges nothing:
no processor is called. It may be repeated: what is there is not written again. Bring in the files of all days since the copy,
the oldest first, before the service takes payments.

Not brought in: cards that were stored after the copy (their numbers were in the vault alone). Not known: references and order
numbers of merchants, the form or stored card of a payment without a terminal, Idempotency-Keys.

Exit code 0: no difference, or all of them brought in. 1: differences are left, or it failed. 2: wrong use, or wrong settings.`;

interface Options {
  readonly file: string;
  readonly processor: string;
  readonly bringIn?: boolean;
  readonly reason?: string;
  readonly csv?: boolean;
  readonly out?: string;
  readonly actor?: string;
}

/** Named in the text and in the CSV; all are counted. */
export const FINDINGS_MAX = 100_000;

export function reconcileCommand(context: CommandContext): Command {
  return new Command('reconcile')
    .summary("compares a processor's daily file with the history, and brings in what is missing")
    .description("Compares a processor's daily file with the history.")
    .requiredOption('--file <file>', 'the daily file')
    .option('--processor <name>', 'the configured name of the processor whose file it is', 'sandbox')
    .option('--bring-in', 'write what the history has not; needs --reason')
    .addOption(
      new Option(
        '--reason <text>',
        `why, in 1 to ${REASON_CHARACTERS_MAX} characters; kept for good`,
      ).argParser(storedText(REASON_CHARACTERS_MAX)),
    )
    .option('--csv', 'one row for each difference instead of text')
    .addOption(outOption())
    .addOption(actorOption)
    .addHelpText('after', HELP)
    .action(
      action(async (options: Options, command: Command) => {
        if ((options.bringIn ?? false) !== (options.reason !== undefined)) {
          command.error(
            'error: --bring-in and --reason need each other: what is written is kept for good, with its reason',
          );
        }
        return reconcile(context, options);
      }),
    );
}

async function reconcile(context: CommandContext, options: Options): Promise<number> {
  const config = readConfig(context.environment);
  const access = options.bringIn ? 'write' : 'read';
  const signal = context.signal();
  try {
    return await withStores(config, { access }, async (stores) => {
      const { timings } = config;
      const ports = { store: await stores.events(), clock: await stores.clock(), timings };
      const file = await openFile(options.file);
      const progress = new Progress(context);
      const reconciliation = new Reconciliation(ports, file, {
        bringsIn: options.bringIn ?? false,
        actor: operator(options.actor, context),
        reason: options.reason ?? 'not brought in',
        processor: processorOf(config, options.processor),
        signal,
        onProgress: (phase, count) => progress.update(phase, count),
      });
      const sums = new FindingSums();
      const named: ReconciliationFinding[] = [];
      for await (const finding of reconciliation.findings()) {
        sums.add(finding);
        if (named.length < FINDINGS_MAX) named.push(finding);
      }
      progress.stop();
      report(context, options, named, summaryLines(file, reconciliation.counts, sums));
      return sums.differences === 0 ? EXIT.done : EXIT.failed;
    });
  } catch (error) {
    if (signal.aborted) {
      context.terminal.error('Interrupted; the same command compares all again.');
      return signalExitCode(signal);
    }
    if (error instanceof UnusableRecords || error instanceof DailyFileError) {
      throw new Failed(`${options.file} can not be used: ${error.message}`);
    }
    throw error;
  }
}

/** @throws Failed */
async function openFile(path: string): Promise<ProcessorRecords> {
  const input = createReadStream(path, 'utf8');
  const failed = new Promise<never>((_, reject) => {
    input.once('error', (error) => reject(new Failed(`--file can not be read: ${error.message}`)));
  });
  const lines = createInterface({ input, crlfDelay: Infinity });
  return Promise.race([sandboxRecords(lines), failed]);
}

/** A wrong name would bring in payments that can't be refunded. @throws Failed */
function processorOf({ moreSandboxes = [] }: Config, name: string): string {
  const names = ['sandbox', ...moreSandboxes.map((one) => one.name)];
  if (names.includes(name)) return name;
  throw new Failed(`There is no processor "${name}" in the settings; configured are ${names.join(', ')}.`);
}

function report(
  context: CommandContext,
  { csv = false, out }: Options,
  findings: readonly ReconciliationFinding[],
  summary: readonly string[],
): void {
  const lines = csv ? findingsCsv(findings) : findings.map(findingText);
  const isToFile = out !== undefined;
  if (csv || isToFile) writeResult(`${lines.join(csv ? '\r\n' : '\n')}\n`, out, context);
  else for (const line of lines) context.terminal.line(line);
  const left = findings.filter(isDifference).length;
  if (left === FINDINGS_MAX) context.terminal.error(`Only the first ${FINDINGS_MAX} are named.`);
  // A CSV on stdout stays one.
  for (const line of summary) {
    if (csv && !isToFile) context.terminal.error(line);
    else context.terminal.line(line);
  }
}

const UPDATE_EVERY = 500;

class Progress {
  private readonly bars;
  private phase: 'records' | 'events' | undefined;

  constructor({ terminal }: CommandContext) {
    this.bars = {
      records: new ProgressBar(terminal, 'records'),
      events: new ProgressBar(terminal, 'events'),
    };
  }

  update(phase: 'records' | 'events', count: number): void {
    if (phase !== this.phase) {
      this.stop();
      this.bars[phase].start(phase === 'records' ? 'Comparing the file' : 'Reading the history');
      this.phase = phase;
    }
    if (phase === 'events' || count % UPDATE_EVERY === 0) this.bars[phase].update(count);
  }

  stop(): void {
    if (this.phase) this.bars[this.phase].stop();
  }
}
