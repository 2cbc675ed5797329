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

/** Operators at work on the stage: what they see, ask and say. */
export class OperatorActions {
  constructor(private readonly stage: () => PaymentsTestSetup) {}

  get unknown(): PaymentsTestSetup['useCases']['unknownOutcomes'] {
    return this.stage().useCases.unknownOutcomes;
  }

  /** A sale that was executed, its answer lost. */
  async lostSale(amount = 1_000): Promise<string> {
    this.stage().processor.inject('sale', 'NoAnswerAfter');
    return requireOperationId(await this.stage().sale(amount));
  }

  /** Time passes until the first inquiry into anything is due. */
  firstInquiry(): void {
    const { clock, timings } = this.stage();
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
    word: Partial<ManualResolution> = {},
    actor = anna,
    commandId?: string,
  ): Promise<ResolveResult> {
    const operator = { actor, traceId: 'b'.repeat(32) };
    return this.unknown.resolve(operator, id, { outcome: 'Approved', reason, ...word }, commandId);
  }

  /** Of each event of its payment, oldest first. */
  async actorsOf(id: string): Promise<readonly string[]> {
    const history = await readWholeStream(this.stage().memory, `payment-${id.slice(4, 27)}`);
    return history.map((one) => eventMetadata(one).actor.name);
  }
}

export const kindOf = ({ kind }: InquireResult | ResolveResult): string => kind;
