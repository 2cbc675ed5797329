import {
  foldResolution,
  proposalFor,
  proposeOrConfirm,
  resolutionCodec,
  resolutionStream,
  type OperationId,
  type OperatorIdentity,
  type Proposal,
  type ResolutionEvent,
  type ResolutionRejection,
  type ResolutionState,
  type ResolutionStatus,
  type ResolveCommand,
} from '@tillstream/domain';
import { transact, type EventStore } from '@tillstream/event-store';
import { iso, type Clock } from '../clock.port.js';
import { toNewEvents, type Cause } from '../event-metadata.js';
import { Journal } from '../journal.js';
import type { Actor } from '../request.types.js';

export type Stepped =
  | { readonly kind: 'Stepped'; readonly step: ResolutionStatus }
  | { readonly kind: 'Refused'; readonly refusal: ResolutionRejection }
  | { readonly kind: 'Contended' };

/** What operators said of an operation before it counts, in a stream of its own. */
export class Resolutions {
  private readonly journal: Journal<ResolutionState, ResolutionEvent, ResolutionRejection, ResolutionStatus>;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {
    this.journal = new Journal(store, clock, { codec: resolutionCodec, fold: foldResolution });
  }

  /** Durable when it resolves: two operators who speak at once are heard one after the other. */
  async proposeOrConfirm(cause: Cause, command: ResolveCommand): Promise<Stepped> {
    const stream = resolutionStream(command.operationId);
    const written = await this.journal.write(stream, cause, (state) => proposeOrConfirm(state, command));
    return written.kind === 'Written' ? { kind: 'Stepped', step: written.value } : written;
  }

  /** What stands for this try. */
  async proposal(operationId: OperationId, number: number): Promise<Proposal | undefined> {
    const { state } = await this.journal.load(resolutionStream(operationId));
    return proposalFor(state, number);
  }

  /** Recorded before the processor is asked. It depends on nothing that was said before. */
  async inquiryForced(cause: Cause, operationId: OperationId, number: number): Promise<void> {
    const { merchantId, actor } = cause;
    const at = iso(this.clock.now());
    const data = { at, operationId, merchantId, try: number, by: operatorOf(actor) };
    await transact(this.store, {
      stream: resolutionStream(operationId),
      tailEvents: 1,
      attempts: Number.POSITIVE_INFINITY,
      decide: () => ({
        events: toNewEvents(resolutionCodec, [{ type: 'InquiryForced', data }], cause, this.clock),
        value: undefined,
      }),
    });
  }
}

export function operatorOf({ name, keyId = '' }: Actor): OperatorIdentity {
  return { keyId, name };
}
