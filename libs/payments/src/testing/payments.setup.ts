import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  ConfirmationRule,
  Merchant,
  Operation,
  Payment,
  PaymentMethod,
  Token,
} from '@tillstream/domain';
import {
  foldPayment,
  foldToken,
  paymentCodec,
  streamOfOperation,
  streamOfToken,
  tokenCodec,
} from '@tillstream/domain';
import { MemoryLeases } from '@tillstream/event-consumers';
import { MemoryEventStore, readWholeStream } from '@tillstream/event-store';
import { FaultyEventStore } from '@tillstream/event-store-testing';
import { RoutedProcessors, SandboxProcessor, type Processors } from '@tillstream/processors';
import { FaultyProcessor } from '@tillstream/processors/testing';
import { openSandbox, type Sandbox } from '@tillstream/sandbox';
import { memoryVault } from '@tillstream/vault';
import type { Clock } from '../ports/clock.port.js';
import { fromRecorded } from '../stream-repository/event-metadata.js';
import { MemoryIdempotency } from '../idempotency/memory-idempotency.js';
import { MemoryWorkQueue } from '../work-queue/memory-work-queue.js';
import { createPayments, type PaymentsUseCases } from '../create-payments.js';
import type { WrittenStream } from '../read-model-write-through/read-model-writer.port.js';
import type { Actor, IdempotencyTicket, OperationResult, RequestContext } from '../requests/request.types.js';
import type {
  StoreCardRequest,
  TokenDetails,
  TokenPaymentRequest,
  TokenResult,
} from '../stored-cards/stored-card.types.js';
import { defaultTimings, type Timings } from '../timings.js';
import { CrashOnce } from './crash-once.js';
import { FaultyVault } from './faulty-vault.js';

export { Crashed } from './crash-once.js';

/** Deadlines that a test can wait for; everything else is moved by hand. */
const QUICK = { processorDeadline: 60, terminalDeadline: 120 };
const START = Date.parse('2026-03-02T15:00:00.000Z');
const tester: Actor = { type: 'Operator', name: 'tester' };

/** A clock that stands still until it is told otherwise. */
export class ManualClock implements Clock {
  real = START;
  ahead = 0;
  monotonic = 0;
  now(): number {
    return this.real + this.ahead;
  }
  realNow(): number {
    return this.real;
  }
  monotonicNow(): number {
    return this.monotonic;
  }
  /** All three go on together, as time does. */
  pass(ms: number): void {
    this.real += ms;
    this.monotonic += ms;
  }
}

/** The whole of payments on real in-memory stores and the real sandbox, with faults on command. */
export class PaymentsTestSetup {
  readonly clock = new ManualClock();
  readonly memory = new MemoryEventStore();
  readonly store = new FaultyEventStore(this.memory);
  readonly crash = new CrashOnce();
  readonly timings: Timings = { ...defaultTimings, ...QUICK };
  readonly idempotency = new MemoryIdempotency(this.store);
  readonly workQueue = new MemoryWorkQueue();
  readonly leases = new MemoryLeases();
  readonly vault = new FaultyVault(memoryVault());
  readonly alerts: string[] = [];
  /** All that was logged, as text. */
  readonly logged: string[] = [];
  /** What the read models were told, oldest first. */
  readonly writtenStreams: WrittenStream[] = [];
  readonly sandbox: Sandbox;
  readonly processor: FaultyProcessor;
  /** As configured now; a test may configure others. */
  processors: Processors;
  private readonly folder = mkdtempSync(join(tmpdir(), 'tillstream-payments-'));
  useCases: PaymentsUseCases;
  merchant!: Merchant;
  terminal!: PaymentMethod;

  private constructor(lateExecutionDelayMs: number) {
    this.sandbox = openSandbox({
      file: join(this.folder, 'sandbox.db'),
      processorDeadlineMs: QUICK.processorDeadline,
      lateExecutionDelayMs,
      realNow: () => Date.now(),
    });
    const now = (): { realMs: number; monotonicMs: number } => ({
      realMs: this.clock.real,
      monotonicMs: this.clock.monotonic,
    });
    this.processor = new FaultyProcessor(new SandboxProcessor({ sandbox: this.sandbox, now }));
    this.processors = new RoutedProcessors([this.processor], [{ processor: 'sandbox', account: 'acct' }]);
    this.useCases = this.start();
  }

  static async open({ lateExecutionDelayMs = 20_000 } = {}): Promise<PaymentsTestSetup> {
    const stage = new PaymentsTestSetup(lateExecutionDelayMs);
    const { provisioning } = stage.useCases;
    stage.merchant = await provisioning.createMerchant(tester, {
      name: 'Maple Street Books',
      currencies: ['USD', 'CAD'],
      timeZone: 'America/New_York',
      cutOff: '22:00',
      locale: 'en',
      fundingType: 'Net',
      managedWebhooks: false,
      unreferencedRefunds: { enabled: true, dailyLimit: 10_000 },
    });
    stage.terminal = await stage.addTerminal('USD', true);
    return stage;
  }

  /** As a restart does: what was in memory of the use cases is gone, the stores are not. */
  start(confirmation?: ConfirmationRule): PaymentsUseCases {
    const log = (event: string, fields?: object): void =>
      void this.logged.push(`${event} ${JSON.stringify(fields)}`);
    this.useCases = createPayments({
      store: this.store,
      processors: {
        route: (origin) => this.processors.route(origin),
        named: (name) => this.processors.named(name),
      },
      clock: this.clock,
      idempotency: this.idempotency,
      workQueue: this.workQueue,
      leases: this.leases.otherHolder(),
      timings: this.timings,
      crashPoints: this.crash,
      vault: this.vault,
      ...(confirmation && { confirmation }),
      readModels: { writeThrough: async (stream) => void this.writtenStreams.push(stream) },
      log: {
        info: log,
        warn: log,
        error: (event, fields) => {
          this.alerts.push(event);
          log(event, fields);
        },
      },
    });
    return this.useCases;
  }

  async addTerminal(currency: 'USD' | 'CAD', isDefault: boolean): Promise<PaymentMethod> {
    const { provisioning, authentication } = this.useCases;
    const terminal = await provisioning.addPaymentMethod(tester, this.merchant.id, {
      type: 'Physical',
      currency,
      description: 'Front counter',
      isDefault,
    });
    this.clock.monotonic += 3_000; // what the directory believed is over
    this.merchant = (await authentication.findMerchant(this.merchant.id)) ?? this.merchant;
    return terminal;
  }

  context(idempotency?: IdempotencyTicket): RequestContext {
    return {
      merchant: this.merchant,
      actor: { type: 'ApiKey', name: 'till', keyId: 'key_1' },
      traceId: 'a'.repeat(32),
      ...(idempotency && { idempotency }),
    };
  }

  sale(amount: number, more: object = {}): Promise<OperationResult> {
    return this.useCases.payments.physicalSale(this.context(), { amount, ...more });
  }

  auth(amount: number, more: object = {}): Promise<OperationResult> {
    return this.useCases.payments.physicalAuth(this.context(), { amount, ...more });
  }

  storeCard(request: StoreCardRequest = {}): Promise<TokenResult> {
    return this.useCases.storedCards.storeFromTerminal(this.context(), request);
  }

  /** A card that was stored at the default terminal. */
  async storedCard(request: StoreCardRequest = {}): Promise<Token> {
    return requireAnsweredToken(await this.storeCard(request)).token;
  }

  tokenSale(
    token: Pick<Token, 'id'>,
    amount: number,
    more: Partial<TokenPaymentRequest> = {},
  ): Promise<OperationResult> {
    return this.useCases.payments.tokenSale(this.context(), { amount, paymentMethodId: token.id, ...more });
  }

  /** Everything of a terminal's call, the margin too, and then what fell due. */
  async untilResolved(rounds = 12): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      this.clock.pass(this.timings.sendWithin + this.timings.terminalDeadline + this.timings.margin + 1);
      this.clock.ahead += 5_000;
      await this.useCases.resolver.runDue(0);
    }
  }

  async operation(transactionId: string): Promise<Operation> {
    const found = (await this.payment(transactionId)).operations.find(({ id }) => id === transactionId);
    if (!found) throw new Error(`${transactionId} is not in its stream`);
    return found;
  }

  async payment(transactionId: string): Promise<Payment> {
    const recorded = await readWholeStream(this.memory, streamOfOperation(transactionId) ?? '');
    const state = foldPayment(recorded.map((one) => fromRecorded(paymentCodec, one)));
    if (state.status === 'None') throw new Error(`${transactionId} was never stored`);
    return state;
  }

  async token(tokenId: string): Promise<Token> {
    const recorded = await readWholeStream(this.memory, streamOfToken(tokenId) ?? '');
    const state = foldToken(recorded.map((one) => fromRecorded(tokenCodec, one)));
    if (state.status === 'None') throw new Error(`${tokenId} was never requested`);
    return state;
  }

  async tokenEvents(tokenId: string): Promise<string[]> {
    return (await readWholeStream(this.memory, streamOfToken(tokenId) ?? '')).map(({ type }) => type);
  }

  /** Of the tokens that were ever requested, in the order of their requests. */
  async tokenIds(): Promise<string[]> {
    const { events } = await this.memory.readAll({ categories: ['token'] });
    return events.filter(({ type }) => type === 'TokenRequested').map(({ data }) => String(data['tokenId']));
  }

  async eventTypes(transactionId: string): Promise<string[]> {
    return (await readWholeStream(this.memory, streamOfOperation(transactionId) ?? '')).map(
      ({ type }) => type,
    );
  }

  /** Cents that the acquirer took from the customer in the end, over all payments. */
  chargedTotal(): number {
    return [...this.sandbox.ledger.nets()].reduce((sum, { net }) => sum + net, 0);
  }

  async close(): Promise<void> {
    await this.useCases.resolver.stop();
    this.sandbox.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function requireAnsweredToken(result: TokenResult): {
  readonly token: Token;
  readonly operation: Token['operations'][number];
  readonly facts: TokenDetails;
} {
  if (result.kind !== 'Answered') throw new Error(`not answered: ${JSON.stringify(result)}`);
  const { token, facts, operationId } = result;
  const operation = token.operations.find(({ id }) => id === operationId);
  if (!operation) throw new Error('an answered operation is in its token');
  return { token, operation, facts };
}

/** The id of an operation that was stored. */
export function requireOperationId(result: OperationResult | TokenResult): string {
  if ('operationId' in result) return result.operationId;
  throw new Error(`no operation was stored: ${JSON.stringify(result)}`);
}

export function requireAnswered(result: OperationResult): {
  readonly payment: Payment;
  readonly operation: Operation;
} {
  if (result.kind !== 'Answered') throw new Error(`not answered: ${JSON.stringify(result)}`);
  const operation = result.payment.operations.find(({ id }) => id === result.operationId);
  if (!operation) throw new Error('an answered operation is in its payment');
  return { payment: result.payment, operation };
}
