import { parseArgs } from 'node:util';
import { displayAddress } from '@tillstream/platform';
import { isAddress, isSameStore } from './store.address.js';

export interface MigrateArguments {
  readonly from: string;
  readonly to: string;
  readonly verifyOnly: boolean;
}

export const HELP = `Copies every event of one store to another: the same ids, contents and hashes, in the same order.

Usage: npm run --silent migrate-events -- --from <address> --to <address> [--verify-only]

  --from         where the events are; nothing is written there
  --to           where they shall be: empty, or holding the beginning of the same history
  --verify-only  compare both and write nothing
  --help         this

An address is one of
  sqlite:<data folder or file>          sqlite:.data
  esdb://<user>:<password>@<host:port>  esdb://127.0.0.1:2113?tls=false
  esdb+discover://<host>                a cluster, found by its name

Stop the service first: what it writes meanwhile is not copied. Interrupted, by Ctrl-C or otherwise, the same command
goes on where it stopped. The copy is read back and compared when all is written.

Exit code 0: the target holds all events of the source, and every hash chain is intact. 1: it does not, or a chain is
broken; the first event is named. 2: it could not be done. 130, 143: interrupted by SIGINT, SIGTERM.`;

const ALLOWED = 'allowed are sqlite:<data folder or file>, esdb://… and esdb+discover://…';
const NAMES = ['from', 'to', 'verify-only'];

/** What was asked for, or one sentence that names the argument that is wrong. */
export function readArguments(args: readonly string[]): MigrateArguments | string {
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: { from: { type: 'string' }, to: { type: 'string' }, 'verify-only': { type: 'boolean' } },
  });
  const given = new Map<string, string | undefined>();
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional')
      return `"${token.value}" stands alone; give addresses as --from and --to.`;
    if (!NAMES.includes(token.name)) return `There is no option ${token.rawName}; see --help.`;
    if (given.has(token.name)) return `--${token.name} is given twice.`;
    // `--from --to x`: the second is no address of the first.
    if (token.value?.startsWith('-') === true) return `--${token.name} has no address; ${ALLOWED}.`;
    given.set(token.name, token.value);
  }
  for (const name of ['from', 'to'] as const) {
    const address = given.get(name);
    if (address === undefined) return `--${name} is missing; ${ALLOWED}.`;
    if (!isAddress(address)) return `--${name} is "${address}"; ${ALLOWED}.`;
  }
  if (given.get('verify-only') !== undefined) return '--verify-only takes no value.';
  const from = given.get('from') ?? '';
  const to = given.get('to') ?? '';
  if (isSameStore(from, to)) return `--from and --to are the same store, ${displayAddress(to)}.`;
  return { from, to, verifyOnly: given.has('verify-only') };
}
