import {
  accepted,
  merchantStream,
  type Merchant,
  type MerchantDecision,
  type MerchantRejection,
  type MerchantState,
} from '@tillstream/domain';
import { iso } from '../ports/clock.port.js';
import { hasCommand } from '../stream-repository/event-metadata.js';
import type { ChangeRequest } from './provisioning.js';
import { writeThrough } from '../read-model-write-through/write-through.js';
import type { Actor } from '../requests/request.types.js';
import type { Authentication } from '../authentication/authentication.js';
import type { Ports } from '../parts.js';
import { createMerchantStreams, isStored, type MerchantStreams } from '../stream-repository/repositories.js';

/** A merchant's decider rejected the change. */
export class ProvisioningRejected extends Error {
  override readonly name = 'ProvisioningRejected';
  constructor(readonly rejection: MerchantRejection) {
    super(rejection.message);
  }
}

export type MerchantParts = Pick<Ports, 'store' | 'clock' | 'readModels'> & {
  /** Left out: the process authenticates no requests. */
  readonly authentication?: Pick<Authentication, 'forgetMerchant'>;
  /** Left out: the repository has its own. */
  readonly merchants?: MerchantStreams;
};

export interface MerchantChange extends ChangeRequest {
  readonly actor: Actor;
  readonly merchantId: string;
  readonly reason?: string | undefined;
}

/** Loads, decides, appends, and writes the read models. Only this class writes to merchants' streams. */
export class MerchantRepository {
  private readonly repository: MerchantStreams;

  constructor(private readonly parts: MerchantParts) {
    this.repository = parts.merchants ?? createMerchantStreams(parts);
  }

  async load(merchantId: string): Promise<MerchantState> {
    return (await this.repository.load(merchantStream(merchantId))).state;
  }

  /** A command that the merchant's history contains has no effect. @throws ProvisioningRejected, EventStoreError */
  async change(
    { merchantId, commandId, actor, reason, traceId }: MerchantChange,
    decide: (state: MerchantState, at: string) => MerchantDecision,
  ): Promise<Merchant> {
    const written = await this.repository.transact(
      merchantStream(merchantId),
      { merchantId, actor, reason, traceId, causationId: commandId },
      (state, history) =>
        commandId !== undefined && hasCommand(history, commandId)
          ? accepted([], undefined)
          : decide(state, iso(this.parts.clock.now())),
      { decisionsMax: Number.POSITIVE_INFINITY },
    );
    if (written.kind === 'Rejected') throw new ProvisioningRejected(written.rejection);
    if (written.kind === 'Contended' || !isStored(written.loaded))
      throw new Error('the changed merchant has no events');
    this.parts.authentication?.forgetMerchant(merchantId);
    await writeThrough(this.parts.readModels, written.loaded);
    return written.loaded.state;
  }
}
