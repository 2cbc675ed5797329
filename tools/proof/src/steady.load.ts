import { setTimeout } from 'node:timers/promises';
import type { TransactionResult } from '@tillstream/contracts';
import { inLanes, pick, upTo } from './lanes.js';
import { saidBy, type MerchantCalls, type Method } from './merchant.calls.js';

const TICK_MS = 5;
const MOST_FAILURES = 50;

/** Payments and stored cards of all kinds, as many as asked for or so many a second, and what was answered to each. */
export class SteadyLoad {
  /** The answer to each operation that nothing was done with since; undefined where something was. */
  readonly answered = new Map<string, string | undefined>();
  readonly failures: string[] = [];
  /** Requests whose answer never came, as their process was killed. */
  broken = 0;
  /** Stored cards that were not removed. */
  readonly tokens: string[] = [];
  private readonly free: string[];
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly calls: MerchantCalls,
    /** Of the processes that answer now. */
    private readonly origins: () => readonly string[],
    terminals: readonly string[],
  ) {
    this.free = [...terminals];
  }

  /** As fast as it goes. */
  async make(operations: number): Promise<void> {
    const wanted = this.answered.size + operations;
    await inLanes(this.free.splice(0), 16, async (terminal) => {
      while (this.answered.size < wanted && this.failures.length < MOST_FAILURES) await this.step(terminal);
      this.free.push(terminal);
    });
  }

  async storeCards(count: number): Promise<void> {
    await inLanes(this.free.splice(0), 16, async (terminal) => {
      while (this.tokens.length < count && this.failures.length < MOST_FAILURES) await this.store(terminal);
      this.free.push(terminal);
    });
  }

  start(perSecond: number): void {
    this.stopped = false;
    this.running = this.goOn(perSecond);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async goOn(perSecond: number): Promise<void> {
    const steps = new Set<Promise<void>>();
    let begun = this.answered.size;
    for (let since = performance.now(); !this.stopped; await setTimeout(TICK_MS)) {
      const due = ((performance.now() - since) / 1_000) * perSecond;
      // What it is behind by more than a second it does not make up for.
      if (due > this.answered.size - begun + perSecond)
        [since, begun] = [performance.now(), this.answered.size];
      const missing = Math.floor(due) - (this.answered.size - begun) - steps.size;
      for (const terminal of this.free.splice(0, Math.max(0, missing))) {
        const step = this.step(terminal).finally(() => {
          steps.delete(step);
          this.free.push(terminal);
        });
        steps.add(step);
      }
    }
    await Promise.all(steps);
  }

  private async step(terminal: string): Promise<void> {
    const at = { paymentMethodId: terminal, amount: 100 + upTo(90_000) };
    const kind = Math.random();
    if (kind < 0.4) await this.operation('POST', 'transactions/physical-sale', at);
    else if (kind < 0.6) {
      const sale = await this.operation('POST', 'transactions/physical-sale', at);
      if (sale) await this.followUp(pick(['refund', 'void'] as const), sale);
    } else if (kind < 0.85) {
      const auth = await this.operation('POST', 'transactions/physical-auth', at);
      if (auth) await this.followUp('capture', auth);
    } else await this.card(terminal);
  }

  private async card(terminal: string): Promise<void> {
    const id = await this.store(terminal);
    if (id === undefined) return;
    await this.operation('POST', 'transactions/token-sale', { paymentMethodId: id, amount: upTo(90_000) });
    if (Math.random() < 0.6) return;
    this.tokens.splice(this.tokens.indexOf(id), 1);
    // Its payments say from now on that it was removed.
    for (const [known, text] of this.answered) if (text?.includes(id)) this.answered.set(known, undefined);
    await this.operation('DELETE', `payment-methods/token/${id}`);
  }

  private async store(paymentMethodId: string): Promise<string | undefined> {
    const stored = await this.operation('POST', 'payment-methods/physical', { paymentMethodId });
    if (stored) this.tokens.push(stored.paymentMethod.id);
    return stored?.paymentMethod.id;
  }

  private async followUp(kind: 'refund' | 'void' | 'capture', original: TransactionResult): Promise<void> {
    const part = Math.random() < 0.5 ? { amount: upTo(original.amount ?? 1) } : {};
    this.answered.set(original.id, undefined);
    await this.operation('POST', `transactions/${kind}`, { originalTransactionId: original.id, ...part });
  }

  /** Undefined where it was not approved, or nobody answered. */
  private async operation(
    method: Method,
    path: string,
    body?: object,
  ): Promise<TransactionResult | undefined> {
    const origins = this.origins();
    const origin = origins[Math.floor(Math.random() * origins.length)] ?? '';
    const reply = await this.calls.send(origin, method, `/v1/${path}`, { ...(body && { body }) });
    if (!reply) {
      this.broken++;
      return undefined;
    }
    if (reply.status !== 200) {
      this.failures.push(`${method} ${path}: ${saidBy(reply)}`);
      return undefined;
    }
    const said = JSON.parse(reply.text) as TransactionResult;
    this.answered.set(said.id, reply.text);
    const code = said.transactionResponses[0]?.responseCode ?? 1;
    if (said.status === 'Completed' && code === 1) return said;
    this.failures.push(`${method} ${path} was not approved: ${saidBy(reply)}`);
    return undefined;
  }
}
