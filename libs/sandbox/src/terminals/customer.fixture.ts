import type { CardRequest } from '../acquirer/acquirer.types.js';
import { reactionSummary, SandboxFixture } from '../sandbox.fixture.js';
import type { Sandbox } from '../sandbox.js';

export const TERMINAL = 'pmt_trm_1';
export const DEBIT = '4000056655665556';
export const INTERAC = '4506440000000009';

/** A sandbox with a terminal in mode `Manual`. */
export class CustomerFixture {
  readonly sandboxFixture = new SandboxFixture();
  sandbox: Sandbox = this.sandboxFixture.open();

  constructor() {
    this.sandbox.terminals.set(TERMINAL, { mode: 'Manual', card: null });
  }

  /** Opens the file again, as after the end of the process. */
  reopen(): void {
    this.sandboxFixture.closeAll();
    this.sandbox = this.sandboxFixture.open();
  }

  /** Starts a transaction that waits for its customer, and returns its key. */
  startTransaction(amount = 1_250, rest: Partial<CardRequest> = {}): string {
    const request = this.sandboxFixture.terminal(amount, rest);
    const { kind } = this.sandbox.acquirer.execute(request);
    if (kind !== 'AwaitsCustomer') throw new Error(`it does not wait: ${kind}`);
    return request.key;
  }

  act(action: string, rest: { card?: string; pin?: string } = {}) {
    return this.sandbox.customers.act(TERMINAL, { action, ...rest });
  }

  reactionTo(key: string): string {
    return reactionSummary(this.sandbox.acquirer.pollCustomer(key));
  }

  waiting() {
    return this.sandbox.terminals.get(TERMINAL).waiting;
  }

  movedAmount(key: string): number {
    return this.sandbox.ledger.entry(key)?.amount ?? 0;
  }
}
