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
import { fromRecorded, eventMetadata, toNewEvents } from '../stream-repository/event-metadata.js';
import type { ChangeRequest } from './provisioning.types.js';
import type { ReadModelWriter } from '../read-model-write-through/read-model-writer.port.js';
import type { Actor } from '../requests/request.types.js';
import { writeThroughMerchant } from '../read-model-write-through/write-through.js';
import type { Authentication } from '../authentication/authentication.types.js';

/** A merchant's decider rejected the change. */
export class ProvisioningRejected extends Error {
  override readonly name = 'ProvisioningRejected';
  constructor(readonly rejection: MerchantRejection) {
    super(rejection.message);
  }
}

export interface MerchantChange extends ChangeRequest {
  readonly actor: Actor;
  readonly merchantId: string;
  readonly reason?: string | undefined;
}

/** Loads, decides, appends, and writes the read models. Only this class writes to merchants' streams. */
export class MerchantRepository {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly readModels: ReadModelWriter,
    private readonly authentication?: Pick<Authentication, 'forgetMerchant'>,
  ) {}

  async load(merchantId: string): Promise<MerchantState> {
    return merchantState(await readWholeStream(this.store, merchantStream(merchantId)));
  }

  /** A command that the merchant's history contains has no effect. @throws ProvisioningRejected, EventStoreError */
  async change(
    { merchantId, commandId, actor, reason, traceId }: MerchantChange,
    decide: (state: MerchantState, at: string) => MerchantDecision,
  ): Promise<Merchant> {
    const cause = { merchantId, actor, reason, traceId, causationId: commandId };
    const stream = merchantStream(merchantId);
    const result = await transact(this.store, {
      stream,
      decisionsMax: Number.POSITIVE_INFINITY,
      decide: (history) => {
        const isKnown = commandId !== undefined && hasCommand(history, commandId);
        const decision = isKnown ? noEvents : decide(merchantState(history), iso(this.clock.now()));
        if (decision.kind === 'Rejected') throw new ProvisioningRejected(decision.rejection);
        return { events: toNewEvents(merchantCodec, decision.events, cause, this.clock), value: undefined };
      },
    });
    const history = result.kind === 'Done' ? result.history : [];
    const state = merchantState(history);
    if (state.status === 'None') throw new Error('the changed merchant has no events');
    this.authentication?.forgetMerchant(merchantId);
    await writeThroughMerchant(this.readModels, { stream, history, state });
    return state;
  }
}

const noEvents: MerchantDecision = { kind: 'Accepted', events: [], value: undefined };

function merchantState(history: readonly RecordedEvent[]): MerchantState {
  return foldMerchant(history.map((event) => fromRecorded(merchantCodec, event)));
}

function hasCommand(history: readonly RecordedEvent[], commandId: string): boolean {
  return history.some((event) => eventMetadata(event).causationId === commandId);
}
