import { action, processTerminal, runProgram } from '@tillstream/platform/command-line';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { findingsOf, type Findings, type Proof, type ProofOptions } from './proof.types.js';
import { PROOFS } from './proofs.table.js';
import { inParallel } from './support/concurrency.js';
import { keepDirectories } from './support/deployment.js';

const COMPLAINTS_SHOWN_MAX = 20;

interface Options extends Partial<Omit<ProofOptions, 'say'>> {
  readonly atOnce?: number;
  readonly keep?: boolean;
}

const program = new Command('npm run proof --')
  .description(
    'Tries on real processes and files that no payment is lost or charged twice, that lists show what was answered, and that no secret is anywhere but in the vault. Without a name it runs all proofs, one after the other. Exit code 1: one failed.',
  )
  .addArgument(new Argument('[names...]').choices(PROOFS.map(({ name }) => name)))
  .option('--rounds <n>', "instead of the proof's own count", wholeNumber(1, Number.MAX_SAFE_INTEGER))
  .option(
    '--seed <n>',
    'repeat the random choices of a fuzz run that printed this seed',
    wholeNumber(0, 0xffff_ffff),
  )
  .option('--quick', 'the short version, a minute or less each')
  .option(
    '--at-once <n>',
    'proofs that run at the same time; they mostly wait for processes',
    wholeNumber(1, 8),
  )
  .option('--keep', 'keep and name the data directories, to see why a proof failed')
  .addHelpText(
    'after',
    () => `\nProofs:\n${PROOFS.map(({ name, claim }) => `  ${name.padEnd(17)}${claim}`).join('\n')}`,
  )
  .action(action(run));

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (value >= least && value <= most) return value;
    const limit = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`;
    throw new InvalidArgumentError(`Allowed is a whole number from ${least}${limit}.`);
  };
}

async function run(names: readonly string[], options: Options): Promise<number> {
  const { keep, quick = false, atOnce = 1, ...more } = options;
  const chosen = PROOFS.filter(({ name }) => names.length === 0 || names.includes(name));
  const held = await inParallel(chosen, atOnce, async (proof) => {
    const startedAt = performance.now();
    const say = (line: string): void =>
      console.log(`  ${atOnce > 1 ? `${proof.name}: ` : ''}${elapsed(startedAt)} ${line}`);
    console.log(`${proof.name}: ${proof.claim}`);
    if (keep) keepDirectories(say);
    const findings = await findingsOf(proof, { ...more, quick, say });
    console.log(resultLine(proof, findings, startedAt));
    return findings.complaints.length === 0;
  });
  return held.every(Boolean) ? 0 : 1;
}

function resultLine({ name }: Proof, { complaints, figures }: Findings, startedAt: number): string {
  const facts = Object.entries(figures).map(([figure, value]) => `${figure} ${value}`);
  const shown = complaints.slice(0, COMPLAINTS_SHOWN_MAX).map((text) => `\n  ✗ ${text}`);
  const more = complaints.length - shown.length;
  const head = complaints.length === 0 ? 'HELD' : `FAILED with ${complaints.length} complaints`;
  return `${head}  ${name} in ${elapsed(startedAt)}: ${facts.join(', ')}${shown.join('')}${more > 0 ? `\n  … ${more} more` : ''}\n`;
}

const elapsed = (startedAt: number): string => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;

process.exitCode = await runProgram(program, process.argv.slice(2), {
  terminal: processTerminal(),
  wrongUse: 1,
});
// A proof that failed may leave open handles.
process.exit();
