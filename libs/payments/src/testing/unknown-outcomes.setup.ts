import { readWholeStream } from '@tillstream/event-store';
import { eventMetadata } from '../stream-repository/event-metadata.js';
import type { Actor } from '../requests/request.types.js';
import type {
  InquireResult,
  ManualResolution,
  ResolveResult,
  UnknownOutcome,
} from '../unknown-outcomes/unknown-outcomes.types.js';
import { requireOperationId, type PaymentsTestSetup } from './payments.setup.js';

export const anna: Actor = { type: 'Operator', name: 'Anna', keyId: 'key_anna' };
export const ben: Actor = { type: 'Operator', name: 'Ben', keyId: 'key_ben' };
export const reason = 'the acquirer says so on the phone';

/** What operators do about unknown outcomes. Anna acts unless a test says otherwise. */
export class OperatorActions {
  constructor(private readonly setup: () => PaymentsTestSetup) {}

  get unknown(): PaymentsTestSetup['useCases']['unknownOutcomes'] {
    return this.setup().useCases.unknownOutcomes;
  }

  /** A sale that the processor executed and whose response was lost. */
  async lostSale(amount = 1_000): Promise<string> {
    this.setup().processor.inject('sale', 'NoAnswerAfter');
    return requireOperationId(await this.setup().sale(amount));
  }

  /** Advances the clock until the first inquiry is due. */
  firstInquiry(): void {
    const { clock, timings } = this.setup();
    clock.pass(timings.sendWithin + timings.terminalDeadline + timings.margin);
  }

  async listed(limit = 25): Promise<readonly UnknownOutcome[]> {
    return (await this.unknown.list({ limit })).items;
  }

  inquire(id: string): Promise<InquireResult> {
    return this.unknown.inquire({ actor: anna, traceId: 'b'.repeat(32) }, id);
  }

  resolve(
    id: string,
    resolution: Partial<ManualResolution> = {},
    actor = anna,
    commandId?: string,
  ): Promise<ResolveResult> {
    const operator = { actor, traceId: 'b'.repeat(32) };
    return this.unknown.resolve(operator, id, { outcome: 'Approved', reason, ...resolution }, commandId);
  }

  /** The actor of each event of the payment, oldest first. */
  async actorsOf(id: string): Promise<readonly string[]> {
    const history = await readWholeStream(this.setup().memory, `payment-${id.slice(4, 27)}`);
    return history.map((recorded) => eventMetadata(recorded).actor.name);
  }
}

export const kindOf = ({ kind }: InquireResult | ResolveResult): string => kind;
