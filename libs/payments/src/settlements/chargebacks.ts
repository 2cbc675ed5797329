import {
  chargeBack,
  newlyBrokenLimits,
  streamOfOperation,
  type Currency,
  type OperationId,
  type PaymentRejection,
} from '@tillstream/domain';
import type { BatchParts } from '../batches/batches.js';
import { idForCommand, newCommandId } from '../identifiers.js';
import { iso } from '../ports/clock.port.js';
import { writeThrough } from '../read-model-write-through/write-through.js';
import type { Actor } from '../requests/request.types.js';
import { UNTIL_WRITTEN } from '../stream-repository/repositories.js';

export interface ChargebackRequest {
  readonly actor: Actor;
  readonly operationId: string;
  readonly amount: number;
  readonly reason: string;
  readonly reference?: string;
  readonly traceId?: string;
  /** A repeat under the same command records nothing. */
  readonly commandId?: string | undefined;
}

export interface RecordedChargeback {
  readonly kind: 'Recorded';
  /** `cbk_…`. */
  readonly id: string;
  readonly operationId: OperationId;
  readonly merchantId: string;
  readonly currency: Currency;
  readonly amount: number;
  readonly reason: string;
  readonly reference?: string;
  readonly createdAt: string;
}

export type ChargebackResult =
  RecordedChargeback | { readonly kind: 'Rejected'; readonly rejection: PaymentRejection };

/** Records chargebacks that operators report (`docs/spec/settlement.md#chargebacks`). The next batch takes them. */
export class Chargebacks {
  constructor(private readonly parts: BatchParts) {}

  /** Undefined if there is no such transaction. */
  async record(request: ChargebackRequest): Promise<ChargebackResult | undefined> {
    const { payments, clock, readModels, log } = this.parts;
    const stream = streamOfOperation(request.operationId);
    if (stream === undefined) return undefined;
    const loaded = await payments.load(stream);
    const { state } = loaded;
    if (state.status === 'None') return undefined;
    const { actor, traceId, commandId = newCommandId(), amount, reason, reference } = request;
    const operationId = request.operationId as OperationId;
    const id = idForCommand('cbk_', commandId);
    const data = {
      operationId,
      chargebackId: id,
      reason,
      amount,
      ...(reference !== undefined && { reference }),
    };
    const cause = { merchantId: state.merchantId, actor, causationId: commandId, traceId };
    const at = iso(clock.now());
    const written = await payments.transact(
      loaded,
      cause,
      (payment) => chargeBack(payment, { at, ...data }),
      {
        decisionsMax: UNTIL_WRITTEN,
      },
    );
    if (written.kind === 'Rejected') {
      return written.rejection.code === 'OriginalNotFound' ? undefined : written;
    }
    if (written.kind === 'Contended') throw new Error(`the chargeback of ${operationId} was not written`);
    for (const limit of newlyBrokenLimits(state, written.loaded.state))
      log.error('limit-broken', { operationId, reason: limit });
    await writeThrough(readModels, written.loaded);
    const recorded = written.loaded.history.find(
      ({ type, data: stored }) => type === 'ChargebackReceived' && stored['chargebackId'] === id,
    );
    const { merchantId, currency } = state;
    const { chargebackId: _id, ...shown } = data;
    return {
      kind: 'Recorded',
      id,
      merchantId,
      currency,
      ...shown,
      createdAt: String(recorded?.data['at'] ?? at),
    };
  }
}
