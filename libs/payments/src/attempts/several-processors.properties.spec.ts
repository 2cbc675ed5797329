import { afterEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  accountOfAttempt,
  captureBalance,
  findOperation,
  findTokenOperation,
  foldPayment,
  foldToken,
  isPending,
  paymentCodec,
  streamOfOperation,
  streamOfTokenOperation,
  tokenCodec,
  type OperationId,
  type Payment,
} from '@tillstream/domain';
import { readWholeStream } from '@tillstream/event-store';
import { RoutedProcessors, SandboxProcessor, type ProcessorNotice } from '@tillstream/processors';
import { FaultyProcessor, type ProcessorFault, type ProcessorMethod } from '@tillstream/processors/testing';
import { openSandbox, type Sandbox } from '@tillstream/sandbox';
import { fromRecorded } from '../stream-repository/event-metadata.js';
import { PaymentsTestSetup } from '../testing/payments.setup.js';

const HOUR = 3_600_000;
const NAMES = ['sandbox', 'harbor'] as const;
const operator = { actor: { type: 'Operator', name: 'Anna' }, traceId: 'c'.repeat(32) } as const;
const approved = { kind: 'Approved', amount: 1_000, facts: { responseCode: 1 } } as const;
const declined = { kind: 'Declined', facts: { responseCode: 10 } } as const;

const calls: readonly ProcessorMethod[] = [
  'sale',
  'authorize',
  'capture',
  'void',
  'refund',
  'reverse',
  'verify',
];
/** Selects an operation; 0 is the newest. */
const nth = fc.nat({ max: 5 });
/** New attempts go to the first processor. */
const CONFIGURATIONS: readonly (readonly string[])[] = [
  ['sandbox'],
  ['harbor'],
  NAMES,
  ['harbor', 'sandbox'],
];
const names = fc.constantFrom(...CONFIGURATIONS);
const name = fc.constantFrom(...NAMES);
const steps = fc.array(
  fc.oneof(
    fc.record({ does: fc.constantFrom('sale' as const, 'auth' as const, 'storeCard' as const) }),
    fc.record({
      does: fc.constantFrom('capture' as const, 'void' as const, 'refund' as const),
      of: nth,
      amount: fc.constantFrom(300, 1_000),
    }),
    fc.record({
      does: fc.constant('fault' as const),
      name,
      call: fc.constantFrom(...calls, 'inquire' as const),
      fault: fc.constantFrom<ProcessorFault>('NoAnswerBefore', 'NoAnswerAfter', 'LateAnswer', 'NotSent'),
    }),
    fc.record({ does: fc.constant('configure' as const), names }),
    // The sale is executed and its response lost before the configuration changes.
    fc.record({ does: fc.constant('lostSale' as const), names }),
    fc.record({
      does: fc.constant('time' as const),
      ms: fc.constantFrom(20_000, HOUR, 24 * HOUR, 8 * 24 * HOUR),
    }),
    fc.record({ does: fc.constantFrom('inquire' as const, 'resolve' as const), of: nth }),
    fc.record({
      does: fc.constant('notice' as const),
      name,
      of: nth,
      answer: fc.constantFrom(approved, declined),
    }),
  ),
  { minLength: 4, maxLength: 25 },
);

/** Two processors with a ledger each, in any order of configurations, faults, notices and resolutions. */
describe('two processors under random configurations, faults, notices and resolutions', () => {
  const cleanups: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0)) await cleanup();
  });

  it('a processor gets no request about another processor’s attempt', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const fixture = await TwoProcessorSetup.open();
        cleanups.push(() => fixture.close());
        for (const step of taken) await fixture.take(step);
        await fixture.settle();
        for (const processor of fixture.processors) {
          for (const sent of processor.sent) {
            const [, key = ''] = sent.split(' ');
            expect([sent, await fixture.processorOf(key)]).toEqual([sent, processor.name]);
          }
        }
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it('without false notices, the ledgers of both processors match our histories', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const fixture = await TwoProcessorSetup.open();
        cleanups.push(() => fixture.close());
        for (const step of taken) if (step.does !== 'notice') await fixture.take(step);
        await fixture.settle();
        const payments = await fixture.payments();
        expect(payments.flatMap(({ operations }) => operations.filter(isPending))).toEqual([]);
        const net = payments.reduce((sum, payment) => sum + netOf(payment), 0);
        expect(fixture.charged()).toBe(net);
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});

/** Cents that the customer paid by history. Late executions have been reversed. */
function netOf(payment: Payment): number {
  return payment.operations.reduce((sum, operation) => {
    if (operation.kind !== 'Sale' && operation.kind !== 'Capture') return sum;
    const { captured, refunded, voided } = captureBalance(payment, operation);
    return sum + captured - refunded - voided;
  }, 0);
}

type Step = typeof steps extends fc.Arbitrary<(infer Item)[]> ? Item : never;

class TwoProcessorSetup {
  private messages = 0;
  readonly processors: readonly FaultyProcessor[];
  private constructor(
    private readonly setup: PaymentsTestSetup,
    private readonly harborSandbox: Sandbox,
    private readonly folder: string,
  ) {
    const now = () => ({ realMs: setup.clock.real, monotonicMs: setup.clock.monotonic });
    const harbor = new SandboxProcessor({ sandbox: harborSandbox, name: 'harbor', now });
    this.processors = [setup.processor, new FaultyProcessor(harbor)];
    this.configure(NAMES);
  }

  static async open(): Promise<TwoProcessorSetup> {
    const setup = await PaymentsTestSetup.open();
    const folder = mkdtempSync(join(tmpdir(), 'tillstream-harbor-'));
    const { processorDeadline } = setup.timings;
    const harborSandbox = openSandbox({
      file: join(folder, 'harbor.db'),
      processorDeadlineMs: processorDeadline,
    });
    return new TwoProcessorSetup(setup, harborSandbox, folder);
  }

  private configure(names: readonly string[]): void {
    const configured = this.processors.filter(({ name }) => names.includes(name));
    const [processor = ''] = names;
    this.setup.processors = new RoutedProcessors(configured, [{ processor, account: `acct-${processor}` }]);
  }

  async take(step: Step): Promise<void> {
    const { setup } = this;
    const { payments, unknownOutcomes, inbox } = setup.useCases;
    switch (step.does) {
      case 'sale':
        return void (await setup.sale(1_000));
      case 'auth':
        return void (await setup.auth(1_000));
      case 'storeCard':
        return void (await setup.storeCard());
      case 'capture':
      case 'void':
      case 'refund': {
        const originalTransactionId = await this.operationId(step.of);
        if (originalTransactionId === undefined) return;
        const request = { originalTransactionId, amount: step.amount };
        return void (await payments[step.does](setup.context(), request));
      }
      case 'fault':
        return this.processors.find(({ name }) => name === step.name)?.inject(step.call, step.fault);
      case 'configure':
        return this.configure(step.names);
      case 'lostSale':
        for (const processor of this.processors) processor.inject('sale', 'NoAnswerAfter');
        await setup.sale(1_000);
        return this.configure(step.names);
      case 'time':
        return this.pass(step.ms);
      case 'inquire':
      case 'resolve': {
        const id = await this.operationId(step.of);
        if (id === undefined) return;
        const resolution = { outcome: 'NotReceived', reason: 'by phone' } as const;
        if (step.does === 'inquire') await unknownOutcomes.inquire(operator, id);
        else await unknownOutcomes.resolve(operator, id, resolution);
        return;
      }
      case 'notice': {
        const key = `${await this.operationId(step.of)}.1`;
        const content: ProcessorNotice['content'] = { kind: 'Answered', answer: step.answer };
        return void (await inbox.receive(step.name, { id: `m${++this.messages}`, key, content }));
      }
    }
  }

  /** Clears all faults, lets days pass, and inquires about the remaining unknown outcomes as an operator. */
  async settle(): Promise<void> {
    for (const processor of this.processors) processor.clearFaults();
    this.configure(NAMES);
    for (let round = 0; round < 12; round++) await this.pass(6 * HOUR);
    const { items } = await this.setup.useCases.unknownOutcomes.list({ limit: 100 });
    for (const { transactionId } of items)
      await this.setup.useCases.unknownOutcomes.inquire(operator, transactionId);
    for (let round = 0; round < 12; round++) await this.pass(6 * HOUR);
  }

  private async pass(ms: number): Promise<void> {
    // Lets attempts without a response time out.
    await new Promise((resume) => setImmediate(resume));
    this.setup.clock.pass(20_000);
    this.setup.clock.ahead += ms;
    await this.setup.useCases.resolver.runDue(0);
  }

  async processorOf(key: string): Promise<string | undefined> {
    const [id, number] = key.split('.') as [OperationId, string];
    const tokenStream = streamOfTokenOperation(id);
    if (tokenStream !== undefined) {
      const events = await readWholeStream(this.setup.memory, tokenStream);
      const token = foldToken(events.map((event) => fromRecorded(tokenCodec, event)));
      return findTokenOperation(token, id)?.attempt?.processor;
    }
    const operation = findOperation(await this.payment(streamOfOperation(id) ?? ''), id);
    return operation && accountOfAttempt(operation, Number(number))?.processor;
  }

  async payments(): Promise<Payment[]> {
    const streams = new Set((await this.recorded()).map(({ stream }) => stream));
    return Promise.all([...streams].map((stream) => this.payment(stream)));
  }

  private async payment(stream: string): Promise<Payment> {
    const events = await readWholeStream(this.setup.memory, stream);
    return foldPayment(events.map((event) => fromRecorded(paymentCodec, event))) as Payment;
  }

  private async operationId(index: number): Promise<string | undefined> {
    const ids = [...new Set((await this.recorded()).map(({ data }) => String(data['operationId'])))];
    return ids.at(-1 - (index % Math.max(1, ids.length)));
  }

  private async recorded() {
    return (await this.setup.memory.readAll({ categories: ['payment'], limit: 1_000 })).events;
  }

  charged(): number {
    const nets = [...this.setup.sandbox.ledger.nets(), ...this.harborSandbox.ledger.nets()];
    return nets.reduce((sum, { net }) => sum + net, 0);
  }

  async close(): Promise<void> {
    await this.setup.close();
    this.harborSandbox.close();
    rmSync(this.folder, { recursive: true });
  }
}
