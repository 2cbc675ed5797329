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
import { FaultyProcessor, type ProcessorFault, type FaultyMethod } from '@tillstream/processors/testing';
import { openSandbox, type Sandbox } from '@tillstream/sandbox';
import { fromRecorded } from '../stream-repository/event-metadata.js';
import { PaymentsTestSetup } from '../testing/payments.setup.js';

const HOUR = 3_600_000;
const NAMES = ['sandbox', 'harbor'] as const;
const operator = { actor: { type: 'Operator', name: 'Anna' }, traceId: 'c'.repeat(32) } as const;
const approved = { kind: 'Approved', amount: 1_000, facts: { responseCode: 1 } } as const;
const declined = { kind: 'Declined', facts: { responseCode: 10 } } as const;

const calls: readonly FaultyMethod[] = [
  'sale',
  'authorize',
  'capture',
  'void',
  'refund',
  'reverse',
  'verify',
];
/** The newest is 0. */
const nth = fc.nat({ max: 5 });
/** The first is where new attempts go. */
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
    // Executed, and its answer lost, before the configuration changes.
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

/** Two honest processors with books of their own, and all that may happen between them and us. */
describe('whatever is configured, fails, is told and is resolved', () => {
  const ends: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  it('no processor is asked about an attempt of another, and what is open in the end goes on where it began', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const world = await World.open();
        ends.push(() => world.close());
        for (const step of all) await world.take(step);
        await world.settle();
        for (const one of world.processors) {
          for (const sent of one.sent) {
            const [, key = ''] = sent.split(' ');
            expect([sent, await world.processorOf(key)]).toEqual([sent, one.name]);
          }
        }
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it('without a wrong word from anybody, the books of both say what our histories say', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const world = await World.open();
        ends.push(() => world.close());
        for (const step of all) if (step.does !== 'notice') await world.take(step);
        await world.settle();
        const payments = await world.payments();
        expect(payments.flatMap(({ operations }) => operations.filter(isPending))).toEqual([]);
        const net = payments.reduce((sum, payment) => sum + netOf(payment), 0);
        expect(world.charged()).toBe(net);
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});

/** Cents that the customer paid in the end, by history: what was approved late has been given back. */
function netOf(payment: Payment): number {
  return payment.operations.reduce((sum, operation) => {
    if (operation.kind !== 'Sale' && operation.kind !== 'Capture') return sum;
    const { captured, refunded, voided } = captureBalance(payment, operation);
    return sum + captured - refunded - voided;
  }, 0);
}

type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;

class World {
  private messages = 0;
  readonly processors: readonly FaultyProcessor[];
  private constructor(
    private readonly stage: PaymentsTestSetup,
    private readonly harborBooks: Sandbox,
    private readonly folder: string,
  ) {
    const now = () => ({ realMs: stage.clock.real, monotonicMs: stage.clock.monotonic });
    const harbor = new SandboxProcessor({ sandbox: harborBooks, name: 'harbor', now });
    this.processors = [stage.processor, new FaultyProcessor(harbor)];
    this.configure(NAMES);
  }

  static async open(): Promise<World> {
    const stage = await PaymentsTestSetup.open();
    const folder = mkdtempSync(join(tmpdir(), 'tillstream-harbor-'));
    const { processorDeadline } = stage.timings;
    const books = openSandbox({ file: join(folder, 'harbor.db'), processorDeadlineMs: processorDeadline });
    return new World(stage, books, folder);
  }

  private configure(names: readonly string[]): void {
    const configured = this.processors.filter((one) => names.includes(one.name));
    const [processor = ''] = names;
    this.stage.processors = new RoutedProcessors(configured, [{ processor, account: `acct-${processor}` }]);
  }

  async take(step: Step): Promise<void> {
    const { stage } = this;
    const { payments, unknownOutcomes, inbox } = stage.useCases;
    switch (step.does) {
      case 'sale':
        return void (await stage.sale(1_000));
      case 'auth':
        return void (await stage.auth(1_000));
      case 'storeCard':
        return void (await stage.storeCard());
      case 'capture':
      case 'void':
      case 'refund': {
        const originalTransactionId = await this.id(step.of);
        if (originalTransactionId === undefined) return;
        const request = { originalTransactionId, amount: step.amount };
        return void (await payments[step.does](stage.context(), request));
      }
      case 'fault':
        return this.processors.find((one) => one.name === step.name)?.inject(step.call, step.fault);
      case 'configure':
        return this.configure(step.names);
      case 'lostSale':
        for (const one of this.processors) one.inject('sale', 'NoAnswerAfter');
        await stage.sale(1_000);
        return this.configure(step.names);
      case 'time':
        return this.pass(step.ms);
      case 'inquire':
      case 'resolve': {
        const id = await this.id(step.of);
        if (id === undefined) return;
        const word = { outcome: 'NotReceived', reason: 'by phone' } as const;
        if (step.does === 'inquire') await unknownOutcomes.inquire(operator, id);
        else await unknownOutcomes.resolve(operator, id, word);
        return;
      }
      case 'notice': {
        const key = `${await this.id(step.of)}.1`;
        const content: ProcessorNotice['content'] = { kind: 'Answered', answer: step.answer };
        return void (await inbox.receive(step.name, { id: `m${++this.messages}`, key, content }));
      }
    }
  }

  /** All are there again and answer; days pass, and operators inquire into what is left. */
  async settle(): Promise<void> {
    for (const one of this.processors) one.clearFaults();
    this.configure(NAMES);
    for (let round = 0; round < 12; round++) await this.pass(6 * HOUR);
    const { items } = await this.stage.useCases.unknownOutcomes.list({ limit: 100 });
    for (const { transactionId } of items)
      await this.stage.useCases.unknownOutcomes.inquire(operator, transactionId);
    for (let round = 0; round < 12; round++) await this.pass(6 * HOUR);
  }

  private async pass(ms: number): Promise<void> {
    // What was sent in vain has been given up by then.
    await new Promise((resume) => setImmediate(resume));
    this.stage.clock.pass(20_000);
    this.stage.clock.ahead += ms;
    await this.stage.useCases.resolver.runDue(0);
  }

  async processorOf(key: string): Promise<string | undefined> {
    const [id, number] = key.split('.') as [OperationId, string];
    const tokenStream = streamOfTokenOperation(id);
    if (tokenStream !== undefined) {
      const events = await readWholeStream(this.stage.memory, tokenStream);
      const token = foldToken(events.map((one) => fromRecorded(tokenCodec, one)));
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
    const events = await readWholeStream(this.stage.memory, stream);
    return foldPayment(events.map((one) => fromRecorded(paymentCodec, one))) as Payment;
  }

  private async id(nthOne: number): Promise<string | undefined> {
    const ids = [...new Set((await this.recorded()).map(({ data }) => String(data['operationId'])))];
    return ids.at(-1 - (nthOne % Math.max(1, ids.length)));
  }

  private async recorded() {
    return (await this.stage.memory.readAll({ categories: ['payment'], limit: 1_000 })).events;
  }

  charged(): number {
    const nets = [...this.stage.sandbox.ledger.nets(), ...this.harborBooks.ledger.nets()];
    return nets.reduce((sum, { net }) => sum + net, 0);
  }

  async close(): Promise<void> {
    await this.stage.close();
    this.harborBooks.close();
    rmSync(this.folder, { recursive: true });
  }
}
