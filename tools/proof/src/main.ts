import { parseArgs } from 'node:util';
import { keepDirectories } from './directories.js';
import type { Findings, Proof } from './proof.js';
import { PROOFS } from './proofs.table.js';

const MOST_COMPLAINTS_SHOWN = 20;

const HELP = `Usage: npm run proof -- [name…] [--rounds n] [--seed n] [--quick] [--keep]

Tries on real processes and files that no payment is lost or charged twice, that lists show what was answered, and
that no secret is anywhere but in the vault. Without a name all of them, one after the other. Exits with 1 where one fails.

${PROOFS.map(({ name, claim }) => `  ${name.padEnd(17)}${claim}`).join('\n')}

  --rounds n       instead of the proof's own count
  --seed n         the chance of the fuzz again, as it was printed
  --quick          the short version, as in the tests
  --keep           data directories stay, and are named: to see why one failed
  --help           this
`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      seed: { type: 'string' },
      quick: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))
    return wrongUse(`--rounds is "${values.rounds}"; allowed is a whole number from 1.`);
  const seed = values.seed === undefined ? undefined : Number(values.seed);
  if (seed !== undefined && !(Number.isInteger(seed) && seed >= 0 && seed <= 0xffff_ffff))
    return wrongUse(`--seed is "${values.seed}"; allowed is a whole number of 32 bits.`);
  const unknown = positionals.find((name) => !PROOFS.some((proof) => proof.name === name));
  if (unknown !== undefined) return wrongUse(`There is no proof named "${unknown}".`);

  const chosen = PROOFS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  let failed = 0;
  for (const proof of chosen) {
    const since = performance.now();
    const say = (line: string): void => console.log(`  ${clock(since)} ${line}`);
    console.log(`${proof.name}: ${proof.claim}`);
    if (values.keep) keepDirectories(say);
    const findings = await tried(proof, {
      quick: values.quick,
      ...(rounds !== undefined && { rounds }),
      ...(seed !== undefined && { seed }),
      say,
    });
    console.log(resultLine(proof, findings, since));
    if (findings.complaints.length > 0) failed++;
  }
  return failed === 0 ? 0 : 1;
}

async function tried(proof: Proof, options: Parameters<Proof['run']>[0]): Promise<Findings> {
  try {
    return await proof.run(options);
  } catch (error) {
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { figures: {}, complaints: [`the proof itself failed: ${said}`] };
  }
}

function resultLine({ name }: Proof, { complaints, figures }: Findings, since: number): string {
  const told = Object.entries(figures).map(([what, value]) => `${what} ${value}`);
  const shown = complaints.slice(0, MOST_COMPLAINTS_SHOWN).map((text) => `\n  ✗ ${text}`);
  const more = complaints.length - shown.length;
  const head = complaints.length === 0 ? 'HELD' : `FAILED with ${complaints.length} complaints`;
  return `${head}  ${name} in ${clock(since)}: ${told.join(', ')}${shown.join('')}${more > 0 ? `\n  … ${more} more` : ''}\n`;
}

const clock = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

function wrongUse(message: string): number {
  console.error(`${message}\n\n${HELP}`);
  return 1;
}

process.exitCode = await main();
process.exit();
