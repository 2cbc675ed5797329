import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Merchant } from '@tillstream/domain';
import { openSqliteEventStore } from '@tillstream/event-store-sqlite';
import {
  createPayments,
  eventMetadata,
  type Actor,
  type PaymentsUseCases,
  type RequestContext,
} from '@tillstream/payments';
import {
  noLog,
  openAdapters,
  readConfig,
  readModelWriteThrough,
  type Adapters,
  type Config,
} from '@tillstream/platform';
import { NumberingConsumer, type DeliveryStore } from '@tillstream/webhook-delivery';
import { numberAll } from '@tillstream/webhook-delivery/testing';
import { tillstream } from './tillstream.command.js';

const tester: Actor = { type: 'Operator', name: 'tester' };
const till: Actor = { type: 'ApiKey', name: 'till', keyId: 'key_1' };

/** A data directory with stores of the service, and the command line on it. */
export class DataDirectoryFixture {
  readonly directory = mkdtempSync(join(tmpdir(), 'tillstream-command-line-'));
  /** The calls of other tools. */
  readonly toolCalls: (readonly [tool: string, args: readonly string[]])[] = [];
  merchant!: Merchant;
  private opening: Promise<Adapters> | undefined;

  constructor(private readonly settings: Readonly<Record<string, string>> = {}) {}

  get environment(): Readonly<Record<string, string>> {
    return { DATA_DIR: this.directory, ...this.settings };
  }

  get config(): Config {
    return readConfig(this.environment);
  }

  /** Creates a merchant with a terminal. */
  async createMerchant({ managedWebhooks = false } = {}): Promise<void> {
    await this.service(async ({ provisioning, authentication }) => {
      const { id } = await provisioning.createMerchant(tester, {
        name: 'Maple Street Books',
        currencies: ['USD'],
        timeZone: 'America/New_York',
        cutOff: '22:00',
        locale: 'en-US',
        fundingType: 'Net',
        managedWebhooks,
        unreferencedRefunds: { enabled: false },
      });
      await provisioning.addPaymentMethod(tester, id, { type: 'Physical', currency: 'USD', isDefault: true });
      const made = await authentication.readMerchant(id);
      if (!made) throw new Error('the merchant was made');
      this.merchant = made;
    });
  }

  /** Runs `work` on the use cases of a service whose stores stay open beside the command line. */
  async service<T>(work: (module: PaymentsUseCases) => Promise<T>): Promise<T> {
    this.opening ??= openAdapters(this.config, noLog);
    const adapters = await this.opening;
    const readModels = readModelWriteThrough(adapters.readModels);
    const { leases } = adapters.readModels;
    const { timings } = this.config;
    return work(createPayments({ ...adapters, readModels, leases, timings, log: noLog }));
  }

  /** Of the events of a stream. */
  async actorsOf(stream: string): Promise<readonly Actor[]> {
    await this.service(() => Promise.resolve());
    const adapters = await this.opening;
    const events = (await adapters?.store.readStream(stream))?.events ?? [];
    return events.map((event) => eventMetadata(event).actor);
  }

  /** Numbers the webhook events as the dispatcher does. Sends nothing. */
  async numberWebhooks(): Promise<DeliveryStore> {
    await this.service(() => Promise.resolve());
    const adapters = await this.opening;
    if (!adapters) throw new Error('the stores are open');
    const { store, deliveries: tables, deliverySealer: sealer, clock } = adapters;
    const now = (): number => clock.now();
    const numbering = new NumberingConsumer({ store, tables, sealer, now, onDeliveries: () => undefined });
    await numberAll(store, () => numbering);
    return tables;
  }

  /** Returns the transaction's id. */
  sale(amount: number): Promise<string> {
    return this.service(async ({ payments }) => {
      const result = await payments.physicalSale(this.context(), { amount });
      if (!('operationId' in result)) throw new Error(`the sale was ${result.kind}`);
      return result.operationId;
    });
  }

  storedCard(): Promise<{ readonly transactionId: string; readonly tokenId: string }> {
    return this.service(async ({ storedCards }) => {
      const result = await storedCards.storeFromTerminal(this.context(), {});
      if (result.kind !== 'Answered') throw new Error(`the card was ${result.kind}`);
      return { transactionId: result.operationId, tokenId: result.token.id };
    });
  }

  /** Changes the file as an attacker can who may write to it: without the trigger that guards events. */
  async tamper(sql: string): Promise<void> {
    const file = await openSqliteEventStore({ file: join(this.directory, 'events.db') });
    await file.execute([{ kind: 'run', sql: 'DROP TRIGGER IF EXISTS events_are_never_changed' }]);
    const { kind } = await file.execute([{ kind: 'run', sql }]);
    await file.close();
    if (kind !== 'Done') throw new Error(`the file was not changed: ${kind}`);
  }

  async run(...args: readonly string[]): Promise<CommandResult> {
    const lines: string[] = [];
    const errors: string[] = [];
    const code = await tillstream(args, {
      environment: this.environment,
      terminal: { line: (text) => void lines.push(text), error: (text) => void errors.push(text) },
      user: 'ada',
      version: '1.2.3',
      signal: () => new AbortController().signal,
      runTool: async (tool, more) => {
        this.toolCalls.push([tool, more]);
        return 0;
      },
    });
    return { code, out: lines.join('\n'), err: errors.join('\n') };
  }

  /** Closes the stores of the service, so that the files hold everything; the next use opens them again. */
  async close(): Promise<void> {
    const opened = await this.opening;
    this.opening = undefined;
    await opened?.close();
  }

  async remove(): Promise<void> {
    await this.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  private context(): RequestContext {
    return { merchant: this.merchant, actor: till, traceId: 'a'.repeat(32) };
  }
}

export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}
