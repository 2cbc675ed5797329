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
import { iso, type Clock } from '../clock.port.js';
import { fromRecorded, metadataOf, toNewEvents, type Cause } from '../event-metadata.js';
import type { ChangeRequest } from '../provisioning.types.js';
import type { ReadModelWriter } from '../read-model.port.js';
import type { Actor } from '../request.types.js';
import { tellOfMerchant } from '../telling.js';
import type { Directory } from '../use-cases.types.js';

/** A merchant's decider said no. */
export class ProvisioningRefused extends Error {
  override readonly name = 'ProvisioningRefused';
  constructor(readonly refusal: MerchantRejection) {
    super(refusal.message);
  }
}

export interface MerchantChange extends ChangeRequest {
  readonly actor: Actor;
  readonly merchantId: string;
  readonly reason?: string;
}

/** Load, decide, append, tell the lists: the one way to the streams of merchants. */
export class MerchantJournal {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly readModels: ReadModelWriter,
    private readonly directory?: Pick<Directory, 'changed'>,
  ) {}

  /** As the store has it now. */
  async load(merchantId: string): Promise<MerchantState> {
    return stateOf(await readWholeStream(this.store, merchantStream(merchantId)));
  }

  /** A command that the merchant's history has is not decided again. @throws ProvisioningRefused, and as the store does */
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
        if (decision.kind === 'Refused') throw new ProvisioningRefused(decision.refusal);
        return { events: toNewEvents(merchantCodec, decision.events, cause, this.clock), value: undefined };
      },
    });
    const history = result.kind === 'Done' ? result.history : [];
    const state = stateOf(history);
    if (state.status === 'None') throw new Error('a merchant that was changed is there');
    this.directory?.changed(merchantId);
    await tellOfMerchant(this.readModels, { stream, history, state });
    return state;
  }
}

const nothingNew: MerchantDecision = { kind: 'Accepted', events: [], value: undefined };

function stateOf(history: readonly RecordedEvent[]): MerchantState {
  return foldMerchant(history.map((one) => fromRecorded(merchantCodec, one)));
}

function hasCommand(history: readonly RecordedEvent[], commandId: string): boolean {
  return history.some((one) => metadataOf(one).causationId === commandId);
}
