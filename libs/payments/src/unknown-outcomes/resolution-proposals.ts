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
  type ResolutionProposed,
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

/** The proposals and confirmations of an operation, and the forced inquiries, in a stream of their own. */
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

  /** Durable when the promise resolves. If two operators act at the same time, one proposes and the other confirms. */
  async proposeOrConfirm(cause: Cause, command: ResolutionProposed): Promise<ProposalResult> {
    const stream = resolutionStream(command.operationId);
    const written = await this.repository.transact(stream, cause, (state) =>
      proposeOrConfirm(state, command),
    );
    return written.kind === 'Written' ? { kind: 'Stepped', step: written.value } : written;
  }

  /** The open proposal for this attempt. */
  async findProposal(operationId: OperationId, number: number): Promise<Proposal | undefined> {
    const { state } = await this.repository.load(resolutionStream(operationId));
    return proposalFor(state, number);
  }

  /** Records that an operator forces an inquiry, before the inquiry. The event does not depend on earlier ones. */
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
