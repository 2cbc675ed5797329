import { join } from 'node:path';
import { openSandbox, type Movement, type PaymentNet } from '@tillstream/sandbox';
import type { Asked } from './asked.js';
import { audit } from './audit.js';
import { wrongTokens } from './audit.tokens.js';
import { Histories } from './histories.js';
import type { Site } from './site.js';
import { vaultSecretsOf } from './vault.bytes.js';

export interface Examined {
  readonly complaints: readonly string[];
  readonly payments: number;
  /** Stored, in the end. */
  readonly cards: number;
  readonly operations: number;
  readonly events: number;
  readonly movements: number;
}

/** Reads both files from the start, after the processes on them have ended, and audits them. */
export async function examine(site: Site, asked: readonly Asked[]): Promise<Examined> {
  const histories = await Histories.open(site);
  try {
    await histories.read();
    const payments = histories.all();
    const ledger = readLedger(site);
    const tokens = histories.tokens();
    const isKept = (tokenId: string): boolean => vaultSecretsOf(site.dataDir, tokenId).length > 0;
    const complaints = [
      ...histories.damage,
      ...audit({ histories: payments, ...ledger, asked }),
      ...wrongTokens({ tokens, asked, isKept }),
    ];
    const operations = payments.reduce((sum, { state }) => {
      return sum + (state.status === 'None' ? 0 : state.operations.length);
    }, 0);
    return {
      complaints,
      payments: payments.length,
      cards: tokens.filter(({ status }) => status === 'Active').length,
      operations,
      events: histories.events,
      movements: ledger.movements.length,
    };
  } finally {
    await histories.close();
  }
}

export function readLedger({ dataDir, acquirerDir = dataDir, environment }: Site): {
  readonly movements: readonly Movement[];
  readonly nets: readonly PaymentNet[];
} {
  const sandbox = openSandbox({
    file: join(acquirerDir, 'sandbox.db'),
    processorDeadlineMs: Number(environment['PROCESSOR_DEADLINE_MS']),
    lateExecutionDelayMs: Number(environment['SANDBOX_BROKEN_WORD_DELAY_MS']),
  });
  try {
    return { movements: [...sandbox.ledger.entries()], nets: [...sandbox.ledger.nets()] };
  } finally {
    sandbox.close();
  }
}

/** The sum over several sites, each complaint named after its own. */
export function together(
  examined: readonly (Examined & { readonly name: string })[],
): Examined & { readonly complaints: string[] } {
  const sum = (of: (one: Examined) => number): number => examined.reduce((total, one) => total + of(one), 0);
  return {
    complaints: examined.flatMap(({ name, complaints }) => complaints.map((text) => `${name}: ${text}`)),
    payments: sum(({ payments }) => payments),
    cards: sum(({ cards }) => cards),
    operations: sum(({ operations }) => operations),
    events: sum(({ events }) => events),
    movements: sum(({ movements }) => movements),
  };
}
