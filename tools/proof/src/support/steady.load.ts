import { setTimeout } from 'node:timers/promises';
import type { TransactionResult } from '@tillstream/contracts';
import { inParallel, pickOne, randomUpTo } from './concurrency.js';
import { approvedIn, describeResponse, transactionIn, type ApiClient, type Method } from './api.client.js';

const CONCURRENCY = 16;
const TICK_MS = 5;
const FAILURES_MAX = 50;

/** Makes payments and stored cards of all kinds, by count or by rate, and records the responses. */
export class SteadyLoad {
  /** The response of each operation; undefined if a follow-up has changed it since. */
  readonly answered = new Map<string, string | undefined>();
  readonly failures: string[] = [];
  readonly tokens: string[] = [];
  private readonly free: string[];
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly calls: ApiClient,
    private readonly origins: () => readonly string[],
    terminals: readonly string[],
  ) {
    this.free = [...terminals];
  }

  async make(operations: number): Promise<void> {
    const wanted = this.answered.size + operations;
    await this.repeat(
      (terminal) => this.step(terminal),
      () => this.answered.size >= wanted,
    );
  }

  async storeCards(count: number): Promise<void> {
    await this.repeat(
      (terminal) => this.store(terminal),
      () => this.tokens.length >= count,
    );
  }

  private async repeat(work: (terminal: string) => Promise<unknown>, isDone: () => boolean): Promise<void> {
    await inParallel(this.free.splice(0), CONCURRENCY, async (terminal) => {
      while (!isDone() && this.failures.length < FAILURES_MAX) await work(terminal);
      this.free.push(terminal);
    });
  }

  start(perSecond: number): void {
    this.stopped = false;
    this.running = this.run(perSecond);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async run(perSecond: number): Promise<void> {
    const steps = new Set<Promise<void>>();
    let startCount = this.answered.size;
    for (let startedAt = performance.now(); !this.stopped; await setTimeout(TICK_MS)) {
      const due = ((performance.now() - startedAt) / 1_000) * perSecond;
      // A delay of more than a second is not made up for.
      if (due > this.answered.size - startCount + perSecond)
        [startedAt, startCount] = [performance.now(), this.answered.size];
      const missing = Math.floor(due) - (this.answered.size - startCount) - steps.size;
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
    const at = { paymentMethodId: terminal, amount: 100 + randomUpTo(90_000) };
    const kind = Math.random();
    if (kind < 0.4) await this.operation('POST', 'transactions/physical-sale', at);
    else if (kind < 0.6) {
      const sale = await this.operation('POST', 'transactions/physical-sale', at);
      if (sale) await this.followUp(pickOne(['refund', 'void'] as const), sale);
    } else if (kind < 0.85) {
      const auth = await this.operation('POST', 'transactions/physical-auth', at);
      if (auth) await this.followUp('capture', auth);
    } else await this.card(terminal);
  }

  private async card(terminal: string): Promise<void> {
    const id = await this.store(terminal);
    if (id === undefined) return;
    await this.operation('POST', 'transactions/token-sale', {
      paymentMethodId: id,
      amount: randomUpTo(90_000),
    });
    if (Math.random() < 0.6) return;
    this.tokens.splice(this.tokens.indexOf(id), 1);
    // The responses of its payments change: they now show that the card was removed.
    for (const [known, text] of this.answered) if (text?.includes(id)) this.answered.set(known, undefined);
    await this.operation('DELETE', `payment-methods/token/${id}`);
  }

  private async store(paymentMethodId: string): Promise<string | undefined> {
    const stored = await this.operation('POST', 'payment-methods/physical', { paymentMethodId });
    if (stored) this.tokens.push(stored.paymentMethod.id);
    return stored?.paymentMethod.id;
  }

  private async followUp(kind: 'refund' | 'void' | 'capture', original: TransactionResult): Promise<void> {
    const part = Math.random() < 0.5 ? { amount: randomUpTo(original.amount ?? 1) } : {};
    this.answered.set(original.id, undefined);
    await this.operation('POST', `transactions/${kind}`, { originalTransactionId: original.id, ...part });
  }

  /** Returns undefined if it was not approved, or has no response. */
  private async operation(
    method: Method,
    path: string,
    body?: object,
  ): Promise<TransactionResult | undefined> {
    const origins = this.origins();
    const origin = origins[Math.floor(Math.random() * origins.length)] ?? '';
    const response = await this.calls.send(origin, method, `/v1/${path}`, { body });
    // Its process was killed.
    if (!response) return undefined;
    const result = transactionIn(response);
    if (result) this.answered.set(result.id, response.text);
    const approved = approvedIn(response);
    if (!approved) this.failures.push(`${method} ${path} was not approved: ${describeResponse(response)}`);
    return approved;
  }
}
