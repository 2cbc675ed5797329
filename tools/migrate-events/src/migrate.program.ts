import { displayAddress } from '@tillstream/platform';
import { Command, InvalidArgumentError } from 'commander';
import { isAddress, isSameStore } from './store.address.js';

export interface MigrateArguments {
  readonly from: string;
  readonly to: string;
  readonly verifyOnly?: boolean;
}

const HELP = `
An address is one of
  sqlite:<data folder or file>      sqlite:.data
  esdb://<USER>:<PASSWORD>@<host>   esdb://127.0.0.1:2113?tls=false
  esdb+discover://<host>            a cluster, found by its name

Stop the service first: events that it writes meanwhile are not copied. After an interruption, by Ctrl-C or otherwise, the
same command continues where it stopped. The copy is read back and compared when all is written.

Exit code 0: the target holds all events of the source, and every hash chain is intact. 1: it does not, or a chain is
broken; the first event is named. 2: it could not be done. 130, 143: interrupted by SIGINT, SIGTERM.`;

/** The command line, without an action. */
export function migrateProgram(): Command {
  return new Command('npm run --silent migrate-events --')
    .description(
      'Copies every event of one store to another: the same ids, contents and hashes, in the same order.',
    )
    .requiredOption('--from <address>', 'the source; nothing is written there', address)
    .requiredOption(
      '--to <address>',
      'the target: empty, or holding the beginning of the same history',
      address,
    )
    .option('--verify-only', 'compare both and write nothing')
    .addHelpText('after', HELP)
    .hook('preAction', (program) => {
      const { from, to } = program.opts<MigrateArguments>();
      if (isSameStore(from, to))
        program.error(`error: --from and --to are the same store, ${displayAddress(to)}`);
    });
}

function address(text: string): string {
  if (isAddress(text)) return text;
  throw new InvalidArgumentError('Allowed are sqlite:<data folder or file>, esdb://… and esdb+discover://….');
}
