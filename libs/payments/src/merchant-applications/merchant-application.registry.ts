import {
  accepted,
  foldMerchantApplication,
  MERCHANT_APPLICATION_PREFIX,
  merchantApplicationCodec,
  merchantApplicationStream,
  takeApplicationStep,
  type ApplicationRejection,
  type ApplicationStep,
  type MerchantApplication,
  type MerchantApplicationEvent,
  type StartedApplication,
} from '@tillstream/domain';
import { idForCommand, newId } from '../identifiers.js';
import { merchantExists } from '../operators/merchant.existence.js';
import type { ChangeRequest } from '../operators/provisioning.js';
import type { Ports } from '../parts.js';
import { iso } from '../ports/clock.port.js';
import type { Actor } from '../requests/request.types.js';
import { hasCommand } from '../stream-repository/event-metadata.js';
import { StreamRepository, UNTIL_WRITTEN } from '../stream-repository/repositories.js';

/** A step as an operator asks for it: the registry adds the time and the id. */
export type RequestedStep = WithoutFacts<ApplicationStep>;
type WithoutFacts<Step> = Step extends ApplicationStep ? Omit<Step, 'at' | 'applicationId'> : never;

/** Whose application changes, and who changes it. */
export interface ApplicationRequest extends ChangeRequest {
  readonly actor: Actor;
  readonly merchantId: string;
}

/** A rule rejected the step. Nothing was stored. */
export class MerchantApplicationRejected extends Error {
  override readonly name = 'MerchantApplicationRejected';
  constructor(
    readonly rejection:
      ApplicationRejection | { readonly code: 'MerchantNotFound'; readonly message: string },
  ) {
    super(rejection.message);
  }
}

/**
 * The applications of merchants (`docs/spec/operators.md#merchant-application`). Each step is stored as an event with the actor's name.
 * A step with the `commandId` of an earlier one has no effect and returns the application. Methods reject with
 * `MerchantApplicationRejected` or `EventStoreError`.
 */
export class MerchantApplicationRegistry {
  private readonly repository: StreamRepository<
    MerchantApplication,
    MerchantApplicationEvent,
    ApplicationRejection
  >;

  constructor(private readonly parts: Pick<Ports, 'store' | 'clock'>) {
    this.repository = new StreamRepository(parts, {
      codec: merchantApplicationCodec,
      fold: foldMerchantApplication,
    });
  }

  async find(merchantId: string): Promise<StartedApplication | undefined> {
    const { state } = await this.repository.load(merchantApplicationStream(merchantId));
    return state.phase === 'NotStarted' ? undefined : state;
  }

  async takeStep(
    { merchantId, commandId, actor, traceId }: ApplicationRequest,
    step: RequestedStep,
  ): Promise<StartedApplication> {
    const { store, clock } = this.parts;
    if (!(await merchantExists(store, merchantId)))
      throw new MerchantApplicationRejected({
        code: 'MerchantNotFound',
        message: 'There is no such merchant.',
      });
    const applicationId =
      commandId === undefined
        ? newId(MERCHANT_APPLICATION_PREFIX, clock)
        : idForCommand(MERCHANT_APPLICATION_PREFIX, commandId);
    const written = await this.repository.transact(
      merchantApplicationStream(merchantId),
      { merchantId, actor, traceId, causationId: commandId },
      (application, history) =>
        commandId !== undefined && hasCommand(history, commandId)
          ? accepted([], undefined)
          : takeApplicationStep(application, completed(step, iso(clock.now()), applicationId)),
      { decisionsMax: UNTIL_WRITTEN },
    );
    if (written.kind === 'Rejected') throw new MerchantApplicationRejected(written.rejection);
    if (written.kind === 'Contended' || written.loaded.state.phase === 'NotStarted')
      throw new Error('the step of the application was not written');
    return written.loaded.state;
  }
}

function completed(step: RequestedStep, at: string, applicationId: string): ApplicationStep {
  return step.step === 'start' ? { ...step, at, applicationId } : { ...step, at };
}
