import {
  fundSettlement,
  streamOfSettlement,
  type Settlement,
  type SettlementFunded,
} from '@tillstream/domain';
import { errorMessage } from '@tillstream/runtime';
import type { BatchParts } from '../batches/batches.js';
import { iso } from '../ports/clock.port.js';
import { writeThrough } from '../read-model-write-through/write-through.js';
import type { Actor } from '../requests/request.types.js';
import { serviceActor } from '../stream-repository/event-metadata.js';

export interface FundRequest {
  readonly actor: Actor;
  readonly settlementId: string;
  readonly traceId?: string;
}

const DUE_MAX = 100;

/** Funds settlements: on an operator's command, and in the sandbox when the expected date comes. */
export class SettlementFunding {
  constructor(private readonly parts: BatchParts) {}

  /** Funding it again changes nothing. Undefined if there is no such settlement. */
  async fund({ actor, settlementId, traceId }: FundRequest): Promise<Settlement | undefined> {
    return this.write(settlementId, 'Operator', { actor, ...(traceId !== undefined && { traceId }) });
  }

  /** Only in the sandbox. One that fails is logged, and the next round takes it again. */
  async fundDue(): Promise<void> {
    for (const settlementId of await this.dueIds()) {
      try {
        await this.write(settlementId, 'Clock', { actor: serviceActor });
      } catch (error) {
        this.parts.log.error('funding-failed', { settlementId, reason: errorMessage(error) });
      }
    }
  }

  async dueIds(): Promise<readonly string[]> {
    const { items, clock, fundsByClock } = this.parts;
    return fundsByClock ? items.settlementsDueBefore(clock.now() + 1, DUE_MAX) : [];
  }

  private async write(
    settlementId: string,
    cause: SettlementFunded['cause'],
    by: { readonly actor: Actor; readonly traceId?: string },
  ): Promise<Settlement | undefined> {
    const { settlements, clock, readModels } = this.parts;
    const stream = streamOfSettlement(settlementId);
    if (stream === undefined) return undefined;
    const loaded = await settlements.load(stream);
    if (loaded.state.status === 'None') return undefined;
    const { merchantId } = loaded.state;
    const data = { at: iso(clock.now()), cause };
    const written = await settlements.transact(
      loaded,
      { ...by, merchantId, causationId: settlementId },
      (state) => fundSettlement(state, data),
      { decisionsMax: Number.POSITIVE_INFINITY },
    );
    if (written.kind !== 'Written' || written.loaded.state.status === 'None') return undefined;
    await writeThrough(readModels, written.loaded);
    return written.loaded.state;
  }
}
