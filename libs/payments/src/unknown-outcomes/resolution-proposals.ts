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
import { iso, type Clock } from '../ports/clock.port.js';
import { toNewEvents, type Cause } from '../stream-repository/event-metadata.js';
import { StreamRepository } from '../stream-repository/stream-repository.js';
import type { Actor } from '../requests/request.types.js';

export type ProposalResult =
  | { readonly kind: 'Stepped'; readonly step: ResolutionStatus }
  | { readonly kind: 'Rejected'; readonly rejection: ResolutionRejection }
  | { readonly kind: 'Contended' };

/** What operators said of an operation before it counts, in a stream of its own. */
export class ResolutionProposals {
  private readonly repository: StreamRepository<
    ResolutionState,
    ResolutionEvent,
    ResolutionRejection,
    ResolutionStatus
  >;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {
    this.repository = new StreamRepository(store, clock, { codec: resolutionCodec, fold: foldResolution });
  }

  /** Durable when it resolves: two operators who speak at once are heard one after the other. */
  async proposeOrConfirm(cause: Cause, command: ResolveCommand): Promise<ProposalResult> {
    const stream = resolutionStream(command.operationId);
    const written = await this.repository.transact(stream, cause, (state) =>
      proposeOrConfirm(state, command),
    );
    return written.kind === 'Written' ? { kind: 'Stepped', step: written.value } : written;
  }

  /** What stands for this try. */
  async findProposal(operationId: OperationId, number: number): Promise<Proposal | undefined> {
    const { state } = await this.repository.load(resolutionStream(operationId));
    return proposalFor(state, number);
  }

  /** Recorded before the processor is asked. It depends on nothing that was said before. */
  async recordForcedInquiry(cause: Cause, operationId: OperationId, number: number): Promise<void> {
    const { merchantId, actor } = cause;
    const at = iso(this.clock.now());
    const data = { at, operationId, merchantId, try: number, by: operatorIdentity(actor) };
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

export function operatorIdentity({ name, keyId = '' }: Actor): OperatorIdentity {
  return { keyId, name };
}
