import {
  MAX_REFERENCE_CLAIMS,
  findByCommandId,
  isGeneratedReferenceId,
  isPending,
  movedAmount,
  operationIdFromReference,
  referenceCodec,
  referenceStream,
  streamOfOperation,
  type Operation,
  type OperationKind,
  type PaymentState,
} from '@tillstream/domain';
import { iso } from '../ports/clock.port.js';
import { appendToEnd, fromRecorded, type Cause } from '../stream-repository/event-metadata.js';
import { sha256 } from '../identifiers.js';
import { isStored, type PaymentRepository, type StoredStream } from '../stream-repository/repositories.js';
import type { Parts } from '../parts.js';

/** An operation and its payment. */
export interface Original {
  readonly payment: StoredStream<PaymentState>;
  readonly operation: Operation;
}

/** `Several`: the service never guesses between several originals. */
type ReferenceLookup = Original | 'None' | 'Several';

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
    if (isGeneratedReferenceId(referenceId)) {
      const operationId = operationIdFromReference(referenceId);
      const own = await findOwnOperation(this.ports.payments, merchantId, operationId);
      return own?.operation.referenceId === referenceId && isCandidate(own.operation) ? own : 'None';
    }

    const stream = referenceStream(merchantId, sha256(referenceId));
    const page = await this.ports.store.readStream(stream, {
      direction: 'backwards',
      limit: MAX_REFERENCE_CLAIMS,
    });
    if (!page.end) return 'Several';
    const candidates = new Map<string, Original>();
    for (const recorded of page.events) {
      const { data } = fromRecorded(referenceCodec, recorded);
      const payment = await this.ports.payments.load(data.stream);
      const operation = findByCommandId(payment.state, data.commandId);
      if (operation?.referenceId === referenceId && isCandidate(operation) && isStored(payment))
        candidates.set(operation.id, { payment, operation });
    }
    const [original = 'None'] = candidates.values();
    return candidates.size > 1 ? 'Several' : original;
  }
}

/** Undefined: the operation is unknown, another merchant's, or a reversal. A client can't see the difference. */
export async function findOwnOperation(
  payments: PaymentRepository,
  merchantId: string,
  transactionId: string,
): Promise<Original | undefined> {
  const stream = streamOfOperation(transactionId);
  if (!stream) return undefined;
  const payment = await payments.load(stream);
  if (!isStored(payment) || payment.state.merchantId !== merchantId) return undefined;
  const operation = payment.state.operations.find(({ id }) => id === transactionId);
  return operation && operation.kind !== 'Reversal' ? { payment, operation } : undefined;
}
