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
import { iso } from '../ports/clock.port.js';
import { appendToEnd, type Cause } from '../stream-repository/event-metadata.js';
import { StreamRepository } from '../stream-repository/repositories.js';
import type { Actor } from '../requests/request.types.js';
import type { Ports } from '../parts.js';

/** The proposals and confirmations of an operation, and the forced inquiries, in a stream of their own. */
export class ResolutionProposals {
  private readonly repository: StreamRepository<
    ResolutionState,
    ResolutionEvent,
    ResolutionRejection,
    ResolutionStatus
  >;

  constructor(private readonly ports: Pick<Ports, 'store' | 'clock'>) {
    this.repository = new StreamRepository(ports, { codec: resolutionCodec, fold: foldResolution });
  }

  /** Durable when the promise resolves. If two operators act at the same time, one proposes and the other confirms. */
  proposeOrConfirm(cause: Cause, command: ResolutionProposed) {
    const stream = resolutionStream(command.operationId);
    return this.repository.transact(stream, cause, (state) => proposeOrConfirm(state, command));
  }

  /** The open proposal for this attempt. */
  async findProposal(operationId: OperationId, number: number): Promise<Proposal | undefined> {
    const { state } = await this.repository.load(resolutionStream(operationId));
    return proposalFor(state, number);
  }

  /** Records that an operator forces an inquiry, before the inquiry. The event does not depend on earlier ones. */
  async recordForcedInquiry(cause: Cause, operationId: OperationId, number: number): Promise<void> {
    const { merchantId, actor } = cause;
    const at = iso(this.ports.clock.now());
    const data = { at, operationId, merchantId, try: number, by: operatorIdentity(actor) };
    const change = { stream: resolutionStream(operationId), codec: resolutionCodec, cause };
    await appendToEnd(this.ports, change, { type: 'InquiryForced', data });
  }
}

export function operatorIdentity({ name, keyId = '' }: Actor): OperatorIdentity {
  return { keyId, name };
}
