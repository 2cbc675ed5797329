import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openSandbox, type Sandbox, type SandboxOptions } from '@tillstream/sandbox';
import type { BankAccountDetails, Processor } from '../processor.port.js';
import { bankNotices, embeddedBankMessages } from './bank.notices.js';
import { SandboxProcessor } from './sandbox.processor.js';
import type { ProcessorWithout } from '../testing/index.js';

/** Sandboxes in directories of their own, for the specs of the adapter. */
export class SandboxFiles {
  private readonly directories: string[] = [];
  private readonly opened: Sandbox[] = [];

  newFile(): string {
    const directory = mkdtempSync(join(tmpdir(), 'sandbox-processor-'));
    this.directories.push(directory);
    return join(directory, 'sandbox.db');
  }

  open(file: string = this.newFile(), options: Partial<SandboxOptions> = {}): Sandbox {
    const sandbox = openSandbox({ file, processorDeadlineMs: 10_000, ...options });
    this.opened.push(sandbox);
    return sandbox;
  }

  removeAll(): void {
    for (const sandbox of this.opened.splice(0)) sandbox.close();
    for (const directory of this.directories.splice(0)) rmSync(directory, { recursive: true });
  }
}

/** The bank's table (`docs/spec/sandbox.md#bank-accounts`). */
export const BANK_ACCOUNTS = {
  approved: bankAccount('000123456789'),
  declined: bankAccount('000111111113'),
  returned: bankAccount('000222222227'),
  changed: bankAccount('000333333335'),
};

const CARD = { number: '4242424242424242', expDate: '1299', cvv: '123' };
const MANUAL = 'pmt_trm_2';
const HOUR_MS = 3_600_000;
const report = (): void => undefined;

/**
 * The sandbox in process, for the contract of processors.
 * @param adapter wraps the processor that is tested
 */
export function sandboxUnderTest(
  files: SandboxFiles,
  adapter: (processor: Processor) => Processor = (processor) => processor,
): ProcessorWithout<'submitted' | 'challenged' | 'notices'> {
  const file = files.newFile();
  let aheadMs = 0;
  const options = {
    processorDeadlineMs: 20,
    lateExecutionDelayMs: 60,
    serviceNow: () => Date.now() + aheadMs,
  };
  let current = files.open(file, options);
  current.terminals.set(MANUAL, { mode: 'Manual', card: null });
  const connected: Sandbox[] = [];
  return {
    connect: () => {
      const sandbox = files.open(file, options);
      connected.push(sandbox);
      return adapter(new SandboxProcessor({ sandbox }));
    },
    restart: async () => {
      for (const sandbox of [...connected.splice(0), current]) sandbox.close();
      current = files.open(file, options);
    },
    movedAmount: async (key) => current.ledger.entry(key)?.amount ?? 0,
    receivedRequest: async (key) => {
      const request = current.ledger.requestOf(key);
      return request && { account: '', ...request };
    },
    accounts: ['a-1', 'a-2'],
    currencies: ['USD', 'CAD'],
    credentials: 'Numbers',
    storedExpiry: true,
    card: CARD,
    decliningCard: { ...CARD, number: '4000000000000002' },
    terminalId: 'pmt_trm_1',
    customer: {
      terminalId: MANUAL,
      tap: async () => void current.customers.act(MANUAL, { action: 'Tap' }),
      cancel: async () => void current.customers.act(MANUAL, { action: 'Cancel' }),
      isAwaited: async () => current.terminals.get(MANUAL).waiting !== null,
    },
    late: { amount: 920_006, answersAfterMs: 80 },
    bank: {
      accounts: BANK_ACCOUNTS,
      pass: async (hours) => void (aheadMs += hours * HOUR_MS),
      connect: () =>
        bankNotices(embeddedBankMessages(current), { processor: 'sandbox', everyMs: 60_000, report }),
    },
    close: async () => undefined,
  };
}

/** The content of the sandbox's file and of all files beside it, such as its write-ahead log. */
export function directoryBytes(file: string): string {
  const directory = dirname(file);
  return readdirSync(directory)
    .map((name) => readFileSync(join(directory, name)).toString('latin1'))
    .join('\n');
}

/** Starts a child process of `testing/`, kills it after `count` keys, and returns the keys that it printed. */
export async function keysUntilKilled(
  child: 'charging.child' | 'verifying.child',
  file: string,
  count: number,
): Promise<string[]> {
  const path = fileURLToPath(new URL(`../../dist/testing/${child}.js`, import.meta.url));
  if (!existsSync(path)) throw new Error('npm run build first: the child process is built code');
  const running = spawn(process.execPath, [path, file, 'A']);
  const keys: string[] = [];
  for await (const key of createInterface(running.stdout)) {
    keys.push(key);
    if (keys.length === count) running.kill('SIGKILL');
  }
  if (keys.length < count) throw new Error(`the child ended by itself after ${keys.length} keys`);
  // The kill may have cut the last line.
  return keys.filter((key) => key.endsWith('P00.1'));
}

function bankAccount(accountNumber: string): BankAccountDetails {
  return { routingNumber: '110000000', accountNumber, accountType: 'Checking', name: 'Ann Lee' };
}
