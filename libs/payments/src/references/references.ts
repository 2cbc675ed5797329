import {
  MAX_REFERENCE_CLAIMS,
  findByCommandId,
  findOperation,
  isGeneratedReferenceId,
  isPending,
  movedAmount,
  operationIdFromReference,
  referenceCodec,
  referenceStream,
  streamOfOperation,
  type Operation,
  type OperationKind,
} from '@tillstream/domain';
import { iso } from '../ports/clock.port.js';
import { appendToEnd, fromRecorded, type Cause } from '../stream-repository/event-metadata.js';
import { sha256 } from '../identifiers.js';
import type { LoadedPayment } from '../stream-repository/stream-repositories.js';
import type { Parts } from '../parts.js';

export interface Original {
  readonly payment: LoadedPayment;
  readonly operation: Operation;
}

type ReferenceLookup =
  | { readonly kind: 'Found'; readonly original: Original }
  | { readonly kind: 'None' }
  /** The service never guesses between several originals. */
  | { readonly kind: 'Several' };

/**
 * Clients' reference ids (`docs/spec/payments.md#original-transaction`). A request claims its reference before it is
 * stored. Lookups read the streams, not the read models.
 */
export class References {
  constructor(private readonly ports: Pick<Parts, 'store' | 'payments' | 'clock'>) {}

  /** Durable when it resolves. A claim has no effect until its command has started an operation. */
  async claim(
    referenceId: string,
    claim: { readonly stream: string; readonly commandId: string },
    cause: Cause,
  ): Promise<void> {
    const stream = referenceStream(cause.merchantId, sha256(referenceId));
    const data = { at: iso(this.ports.clock.now()), ...claim };
    await appendToEnd(
      this.ports,
      { stream, codec: referenceCodec, cause },
      { type: 'ReferenceClaimed', data },
    );
  }

  /** True: an earlier request may have this reference. Also true if the lookup fails. */
  async mayBeClaimed(merchantId: string, referenceId: string): Promise<boolean> {
    const stream = referenceStream(merchantId, sha256(referenceId));
    try {
      return (await this.ports.store.readStream(stream, { limit: 1 })).events.length > 0;
    } catch {
      return true;
    }
  }

  /** Candidates are the merchant's operations of these kinds that are pending or moved money. */
  async find(
    merchantId: string,
    referenceId: string,
    kinds: readonly OperationKind[],
  ): Promise<ReferenceLookup> {
    const isCandidate = (operation: Operation): boolean =>
      kinds.includes(operation.kind) && (isPending(operation) || movedAmount(operation) > 0);
    if (isGeneratedReferenceId(referenceId)) return this.findGenerated(merchantId, referenceId, isCandidate);

    const stream = referenceStream(merchantId, sha256(referenceId));
    const page = await this.ports.store.readStream(stream, {
      direction: 'backwards',
      limit: MAX_REFERENCE_CLAIMS,
    });
    if (!page.end) return { kind: 'Several' };
    const candidates = new Map<string, Original>();
    for (const recorded of page.events) {
      const { data } = fromRecorded(referenceCodec, recorded);
      const payment = await this.ports.payments.load(data.stream);
      const operation = findByCommandId(payment.state, data.commandId);
      if (operation?.referenceId === referenceId && isCandidate(operation)) {
        candidates.set(operation.id, { payment, operation });
      }
    }
    const [original] = candidates.values();
    if (!original) return { kind: 'None' };
    return candidates.size === 1 ? { kind: 'Found', original } : { kind: 'Several' };
  }

  private async findGenerated(
    merchantId: string,
    referenceId: string,
    isCandidate: (operation: Operation) => boolean,
  ): Promise<ReferenceLookup> {
    const operationId = operationIdFromReference(referenceId);
    const stream = streamOfOperation(operationId);
    if (!stream) return { kind: 'None' };
    const payment = await this.ports.payments.load(stream);
    const operation = findOperation(payment.state, operationId);
    const own = payment.state.status === 'Opened' && payment.state.merchantId === merchantId;
    if (!own || operation?.referenceId !== referenceId || !isCandidate(operation)) return { kind: 'None' };
    return { kind: 'Found', original: { payment, operation } };
  }
}
