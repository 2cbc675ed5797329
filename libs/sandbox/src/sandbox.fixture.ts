import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CardRequest, FollowUpOperation, FollowUpRequest, Reaction } from './acquirer/acquirer.types.js';
import { openSandbox, openStandaloneSandbox, type Sandbox, type StandaloneSandbox } from './sandbox.js';

export const START = Date.UTC(2030, 0, 1);
export const DEADLINE_MS = 10_000;
export const LATE_EXECUTION_MS = 20_000;

/** A sandbox in its own directory. Real time does not move unless the test moves it. */
export class SandboxFixture {
  now = START;
  /** How far the service's clock is ahead of real time, ms. */
  ahead = 0;
  private readonly directory = mkdtempSync(join(tmpdir(), 'sandbox-'));
  readonly file = join(this.directory, 'sandbox.db');
  private readonly opened: Sandbox[] = [];
  private lastKey = 0;

  /** Opens the file once more, as another process would. */
  open(): Sandbox {
    const sandbox = openSandbox({
      file: this.file,
      processorDeadlineMs: DEADLINE_MS,
      realNow: () => this.now,
      serviceNow: () => this.now + this.ahead,
    });
    this.opened.push(sandbox);
    return sandbox;
  }

  /** Opens the file as a sandbox that takes the service's clock from its callers. */
  openStandalone(): StandaloneSandbox {
    const sandbox = openStandaloneSandbox({
      file: this.file,
      processorDeadlineMs: DEADLINE_MS,
      realNow: () => this.now,
    });
    this.opened.push(sandbox);
    return sandbox;
  }

  /** Moves the service's clock forward to a time. */
  setServiceTime(time: number): void {
    this.ahead = time - this.now;
  }

  key(): string {
    this.lastKey++;
    return `trx_${String(this.lastKey).padStart(24, '0')}00.1`;
  }

  closeAll(): void {
    for (const sandbox of this.opened.splice(0)) sandbox.close();
  }

  remove(): void {
    this.closeAll();
    rmSync(this.directory, { recursive: true });
  }

  card(amount: number, rest: Partial<CardRequest> = {}): CardRequest {
    return {
      operation: 'Sale',
      key: this.key(),
      merchantId: 'mer_1',
      channel: 'CardNotPresent',
      amount,
      currency: 'USD',
      card: { number: '4242424242424242', expDate: '1234', cvv: '123' },
      ...rest,
    };
  }

  terminal(amount: number, rest: Partial<CardRequest> = {}): CardRequest {
    const { card: _none, ...request } = this.card(amount);
    return { ...request, channel: 'CardPresent', terminalId: 'pmt_trm_1', ...rest };
  }

  followUp(
    operation: FollowUpOperation,
    originalKey: string,
    amount: number,
    rest: Partial<FollowUpRequest> = {},
  ): FollowUpRequest {
    return {
      operation,
      key: this.key(),
      merchantId: 'mer_1',
      channel: 'CardNotPresent',
      amount,
      currency: 'USD',
      originalKey,
      ...rest,
    };
  }
}

/** The host code and amount of a response, else the kind of the reaction. */
export function reactionSummary(reaction: Reaction): string {
  if (reaction.kind === 'TerminalEnded') return `TerminalEnded ${reaction.resultCode}`;
  if (reaction.kind !== 'Answered') return reaction.kind;
  const { outcome, hostCode, approvedAmount } = reaction.answer;
  return outcome === 'Approved' ? `Approved ${hostCode} ${approvedAmount}` : `${outcome} ${hostCode}`;
}
