import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ConfirmationRule,
  type Merchant,
  type Operation,
  type Payment,
  type PaymentMethod,
  type Token,
  foldPayment,
  foldToken,
  paymentCodec,
  streamOfOperation,
  streamOfToken,
  tokenCodec,
} from '@tillstream/domain';
import { MemoryLeases } from '@tillstream/event-consumers/testing';
import { MemoryEventStore, readWholeStream } from '@tillstream/event-store';
import { FaultyEventStore } from '@tillstream/event-store-testing';
import {
  RoutedProcessors,
  SandboxProcessor,
  SandboxThreeDsServer,
  type Processors,
  type SendClocks,
} from '@tillstream/processors';
import { FaultyProcessor } from '@tillstream/processors/testing';
import { openSandbox, type Sandbox } from '@tillstream/sandbox';
import { memoryVault } from '@tillstream/vault/testing';
import type { Clock } from '../ports/clock.port.js';
import { fromRecorded } from '../stream-repository/event-metadata.js';
import { MemoryIdempotency } from './memory-idempotency.js';
import { MemoryWorkQueue } from '../work-queue/memory-work-queue.js';
import { createPayments, type PaymentsUseCases } from '../create-payments.js';
import type { WrittenStream } from '../read-model-write-through/write-through.js';
import type { Actor, OperationResult, RequestContext } from '../requests/request.types.js';
import type { IdempotencyTicket } from '../idempotency/idempotency-keys.js';
import type {
  StoreCardRequest,
  TokenDetails,
  TokenPaymentRequest,
  TokenResult,
} from '../stored-cards/stored-card.types.js';
import { defaultTimings, type Timings } from '../timings.js';
import { CrashOnce } from './crash-once.js';
import { FaultyThreeDsServer } from './faulty-three-ds.server.js';
import { FaultyVault } from './faulty-vault.js';

export { Crashed } from './crash-once.js';

/** Deadlines that a test can wait for, ms. Tests advance all other times with `ManualClock`. */
const QUICK = { processorDeadline: 60, terminalDeadline: 120 };
const START = Date.parse('2026-03-02T15:00:00.000Z');
const tester: Actor = { type: 'Operator', name: 'tester' };

/** A clock that only the test advances. */
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
  /** Advances real, service's and monotonic time together. */
  pass(ms: number): void {
    this.real += ms;
    this.monotonic += ms;
  }
}

/** All use cases of payments, on in-memory stores and the sandbox processor, with faults on command. */
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
  readonly sessionKey = Buffer.alloc(32, 7);
  readonly alerts: string[] = [];
  /** Every log line, as text. */
  readonly logged: string[] = [];
  /** What was written through to the read models, oldest first. */
  readonly writtenStreams: WrittenStream[] = [];
  readonly sandbox: Sandbox;
  readonly processor: FaultyProcessor;
  readonly threeDsServer: FaultyThreeDsServer;
  /** The configured processors. A test may replace them. */
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
      serviceNow: () => this.clock.now(),
    });
    const now: SendClocks = () => ({ realMs: this.clock.real, monotonicMs: this.clock.monotonic });
    this.processor = new FaultyProcessor(new SandboxProcessor({ sandbox: this.sandbox, now }));
    this.threeDsServer = new FaultyThreeDsServer(new SandboxThreeDsServer({ sandbox: this.sandbox }));
    this.processors = new RoutedProcessors([this.processor], [{ processor: 'sandbox', account: 'acct' }]);
    this.useCases = this.start();
  }

  static async open({ lateExecutionDelayMs = 20_000 } = {}): Promise<PaymentsTestSetup> {
    const setup = new PaymentsTestSetup(lateExecutionDelayMs);
    const { provisioning } = setup.useCases;
    setup.merchant = await provisioning.createMerchant(tester, {
      name: 'Maple Street Books',
      currencies: ['USD', 'CAD'],
      timeZone: 'America/New_York',
      cutOff: '22:00',
      locale: 'en',
      fundingType: 'Net',
      managedWebhooks: false,
      unreferencedRefunds: { enabled: true, dailyLimit: 10_000 },
    });
    setup.terminal = await setup.addTerminal('USD', true);
    return setup;
  }

  /** Restarts the service: the use cases lose their memory, the stores stay. */
  start(confirmation?: ConfirmationRule): PaymentsUseCases {
    const log = (event: string, fields?: object): void =>
      void this.logged.push(`${event} ${JSON.stringify(fields)}`);
    this.useCases = createPayments({
      store: this.store,
      processors: {
        route: (origin) => this.processors.route(origin),
        named: (name) => this.processors.named(name),
      },
      threeDsServer: this.threeDsServer,
      clock: this.clock,
      idempotency: this.idempotency,
      workQueue: this.workQueue,
      leases: this.leases.otherHolder(),
      timings: this.timings,
      crashPoints: this.crash,
      sessionKeys: () => [this.sessionKey],
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
    this.clock.monotonic += 3_000; // the cached merchant expires
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

  /** Stores a card at the default terminal. */
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

  /** In each round, advances the clock past a terminal's deadline and the margin, and runs what is due. */
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
    const state = foldPayment(recorded.map((event) => fromRecorded(paymentCodec, event)));
    if (state.status === 'None') throw new Error(`${transactionId} was never stored`);
    return state;
  }

  async token(tokenId: string): Promise<Token> {
    const recorded = await readWholeStream(this.memory, streamOfToken(tokenId) ?? '');
    const state = foldToken(recorded.map((event) => fromRecorded(tokenCodec, event)));
    if (state.status === 'None') throw new Error(`${tokenId} was never requested`);
    return state;
  }

  async tokenEvents(tokenId: string): Promise<string[]> {
    return (await readWholeStream(this.memory, streamOfToken(tokenId) ?? '')).map(({ type }) => type);
  }

  /** The ids of all requested tokens, in the order of their requests. */
  async tokenIds(): Promise<string[]> {
    const { events } = await this.memory.readAll({ categories: ['token'] });
    return events.filter(({ type }) => type === 'TokenRequested').map(({ data }) => String(data['tokenId']));
  }

  async eventTypes(transactionId: string): Promise<string[]> {
    return (await readWholeStream(this.memory, streamOfOperation(transactionId) ?? '')).map(
      ({ type }) => type,
    );
  }

  /** Cents: the net amount that the acquirer took from customers, over all payments. */
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
  if (!operation) throw new Error(`${operationId} is not in its token`);
  return { token, operation, facts };
}

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
  if (!operation) throw new Error(`${result.operationId} is not in its payment`);
  return { payment: result.payment, operation };
}
