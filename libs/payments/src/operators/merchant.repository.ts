import {
  foldMerchant,
  merchantCodec,
  merchantStream,
  type Merchant,
  type MerchantDecision,
  type MerchantRejection,
  type MerchantState,
} from '@tillstream/domain';
import { readWholeStream, transact, type EventStore, type RecordedEvent } from '@tillstream/event-store';
import { iso, type Clock } from '../ports/clock.port.js';
import { fromRecorded, eventMetadata, toNewEvents, type Cause } from '../stream-repository/event-metadata.js';
import type { ChangeRequest } from './provisioning.types.js';
import type { ReadModelWriter } from '../read-model-write-through/read-model-writer.port.js';
import type { Actor } from '../requests/request.types.js';
import { writeThroughMerchant } from '../read-model-write-through/write-through.js';
import type { Authentication } from '../payments.types.js';

/** A merchant's decider said no. */
export class ProvisioningRejected extends Error {
  override readonly name = 'ProvisioningRejected';
  constructor(readonly rejection: MerchantRejection) {
    super(rejection.message);
  }
}

export interface MerchantChange extends ChangeRequest {
  readonly actor: Actor;
  readonly merchantId: string;
  readonly reason?: string;
}

/** Load, decide, append, tell the lists: the one way to the streams of merchants. */
export class MerchantRepository {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly readModels: ReadModelWriter,
    private readonly authentication?: Pick<Authentication, 'forgetMerchant'>,
  ) {}

  /** As the store has it now. */
  async load(merchantId: string): Promise<MerchantState> {
    return stateOf(await readWholeStream(this.store, merchantStream(merchantId)));
  }

  /** A command that the merchant's history has is not decided again. @throws ProvisioningRejected, and as the store does */
  async change(
    { merchantId, commandId, ...more }: MerchantChange,
    decide: (state: MerchantState, at: string) => MerchantDecision,
  ): Promise<Merchant> {
    const { actor, reason, traceId } = more;
    const cause: Cause = {
      merchantId,
      actor,
      ...(reason !== undefined && { reason }),
      ...(traceId !== undefined && { traceId }),
      ...(commandId !== undefined && { causationId: commandId }),
    };
    const stream = merchantStream(merchantId);
    const result = await transact(this.store, {
      stream,
      attempts: Number.POSITIVE_INFINITY,
      decide: (history) => {
        const isKnown = commandId !== undefined && hasCommand(history, commandId);
        const decision = isKnown ? nothingNew : decide(stateOf(history), iso(this.clock.now()));
        if (decision.kind === 'Rejected') throw new ProvisioningRejected(decision.rejection);
        return { events: toNewEvents(merchantCodec, decision.events, cause, this.clock), value: undefined };
      },
    });
    const history = result.kind === 'Done' ? result.history : [];
    const state = stateOf(history);
    if (state.status === 'None') throw new Error('a merchant that was changed is there');
    this.authentication?.forgetMerchant(merchantId);
    await writeThroughMerchant(this.readModels, { stream, history, state });
    return state;
  }
}

const nothingNew: MerchantDecision = { kind: 'Accepted', events: [], value: undefined };

function stateOf(history: readonly RecordedEvent[]): MerchantState {
  return foldMerchant(history.map((one) => fromRecorded(merchantCodec, one)));
}

function hasCommand(history: readonly RecordedEvent[], commandId: string): boolean {
  return history.some((one) => eventMetadata(one).causationId === commandId);
}
