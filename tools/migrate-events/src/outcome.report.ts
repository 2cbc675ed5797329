import { displayAddress } from '@tillstream/platform';
import { formatCount, SIGNAL_CODES } from '@tillstream/platform/command-line';
import type { MigrateArguments } from './migrate.command.js';
import type { MigrationOutcome } from './migration.js';

/** The last lines of a run, for stdout and for stderr, and its exit code. */
export interface Report {
  readonly code: number;
  readonly result?: string;
  readonly error?: string;
}

/** @param signal the name of the signal that interrupted the run, or undefined */
export function outcomeReport(outcome: MigrationOutcome, args: MigrateArguments, signal: unknown): Report {
  const [from, to] = [displayAddress(args.from), displayAddress(args.to)];
  switch (outcome.kind) {
    case 'Done':
      return { code: 0, result: success(outcome, args) };
    case 'Grown': {
      const added = `${events(outcome.added)} ${outcome.added === 1 ? 'was' : 'were'} added to ${from} during the run`;
      if (args.untilNow) return { code: 0, result: `${success(outcome, args)} ${capitalized(added)}.` };
      const error = `But ${added}: stop the service and run the same command again.`;
      return { code: 1, result: success(outcome, args), error };
    }
    case 'Differs': {
      const nothing = args.verifyOnly
        ? ''
        : ' Nothing was written: the target must be empty, or hold the beginning of the same history.';
      return { code: 1, error: `${to} is not as ${from}: ${outcome.difference}.${nothing}` };
    }
    case 'Miscopied':
      return {
        code: 1,
        error: `All was copied, but ${to} is not as ${from} now: ${outcome.difference}. Something else wrote there, or it is damaged.`,
      };
    case 'Broken': {
      const { stream, revision, id, problem } = outcome.link;
      const where = `stream ${stream}, revision ${revision}, event ${id}`;
      const behind = args.verifyOnly
        ? 'It is the same in both.'
        : `Nothing from there on was copied. ${reached(outcome, args)}`;
      return { code: 1, error: `${from} is BROKEN at ${where}: ${problem}. ${behind}` };
    }
    case 'Failed':
      return { code: 2, error: `Stopped: ${outcome.reason}. ${reached(outcome, args)} ${next(args)}` };
    case 'Interrupted':
      return {
        code: signal === 'SIGTERM' ? SIGNAL_CODES.SIGTERM : SIGNAL_CODES.SIGINT,
        error: `Interrupted. ${reached(outcome, args)} ${next(args)}`,
      };
  }
}

function success(
  { present, copied, streams }: Extract<MigrationOutcome, { kind: 'Done' | 'Grown' }>,
  args: MigrateArguments,
): string {
  const held = `${displayAddress(args.to)} holds ${events(present + copied)} in ${formatCount(streams)} streams as ${displayAddress(args.from)} does: same order, same content, every hash chain intact.`;
  return args.verifyOnly
    ? held
    : `${held} ${formatCount(copied)} copied now, ${formatCount(present)} there before.`;
}

function reached({ present, copied, total }: MigrationOutcome, { verifyOnly, to }: MigrateArguments): string {
  if (verifyOnly) return `${events(present)} were the same until there.`;
  if (copied === 0 && present === 0) return 'Nothing was written.';
  const held = `${displayAddress(to)} holds ${events(present + copied)} of ${formatCount(total ?? present + copied)}`;
  const unverified = present + copied === total ? ' They are not verified yet.' : '';
  return `${held}, ${formatCount(copied)} of them copied now.${unverified}`;
}

function next({ verifyOnly }: MigrateArguments): string {
  return verifyOnly
    ? 'The same command starts again from the beginning.'
    : 'The same command goes on where this one stopped.';
}

function events(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'event' : 'events'}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
