import { eventCodec, evolveBy, foldOf, ImpossibleHistory, type Event } from '../shared/aggregate.js';

/*
 * The application of a merchant to take payments (`docs/spec/operators.md#merchant-application`). Stream
 * `merchantapplication-<mer_ id>`: a merchant applies once.
 */

export const MERCHANT_APPLICATION_CATEGORY = 'merchantapplication';
export const MERCHANT_APPLICATION_PREFIX = 'app_';

export const merchantApplicationStream = (merchantId: string): string =>
  `${MERCHANT_APPLICATION_CATEGORY}-${merchantId}`;

/** The `mer_` id in the stream's name. */
export function merchantOfApplication(stream: string): string {
  return stream.slice(MERCHANT_APPLICATION_CATEGORY.length + 1);
}

/** Storage: these shapes never change (docs/adr/0014). */
export type MerchantApplicationEvent =
  | Event<'MerchantApplicationStarted', MerchantApplicationStarted>
  | Event<'MerchantApplicationInfoUploaded', OfMerchantApplication>
  | Event<'MerchantApplicationRequiresAction', MerchantApplicationRequiresAction>
  | Event<'MerchantApplicationSubmitted', OfMerchantApplication>
  | Event<'MerchantApplicationStatusChanged', MerchantApplicationStatusChanged>
  | Event<'MerchantApproved', OfMerchantApplication>
  | Event<'MerchantRejected', MerchantRejected>;

export interface OfMerchantApplication {
  readonly at: string;
}

export interface MerchantApplicationStarted extends OfMerchantApplication {
  /** `app_…`. */
  readonly applicationId: string;
}

export interface MerchantApplicationRequiresAction extends OfMerchantApplication {
  readonly reason?: string;
  /** What the merchant has to do. */
  readonly requiredActions: readonly string[];
}

export interface MerchantApplicationStatusChanged extends OfMerchantApplication {
  /** Of the reviewer, such as `UnderReview`. */
  readonly status: string;
  readonly reason?: string;
}

export interface MerchantRejected extends OfMerchantApplication {
  readonly reason?: string;
}

/** Frozen examples of each version are in `fixtures/`. */
export const merchantApplicationCodec = eventCodec<MerchantApplicationEvent>({
  types: {
    MerchantApplicationStarted: [],
    MerchantApplicationInfoUploaded: [],
    MerchantApplicationRequiresAction: [],
    MerchantApplicationSubmitted: [],
    MerchantApplicationStatusChanged: [],
    MerchantApproved: [],
    MerchantRejected: [],
  },
});

/** `Preparing`: until it is submitted. `InReview`: until it is decided. */
export type ApplicationPhase = 'NotStarted' | 'Preparing' | 'InReview' | 'Decided';

export type MerchantApplication = { readonly phase: 'NotStarted' } | StartedApplication;

export interface StartedApplication {
  readonly phase: Exclude<ApplicationPhase, 'NotStarted'>;
  readonly id: string;
  /** `Started`, `InfoUploaded`, `RequiresAction`, `Submitted`, `Approved`, `Rejected`, or that of the reviewer. */
  readonly status: string;
  /** Of the last step. */
  readonly reason?: string;
  /** While the status is `RequiresAction`. */
  readonly requiredActions?: readonly string[];
  readonly startedAt: string;
  readonly updatedAt: string;
}

export const noMerchantApplication: MerchantApplication = { phase: 'NotStarted' };

/** The next state. @throws ImpossibleHistory if no decision could have made this history */
export const evolveMerchantApplication = evolveBy<MerchantApplication, MerchantApplicationEvent>({
  MerchantApplicationStarted: (before, { at, applicationId: id }) => {
    if (before.phase !== 'NotStarted') throw impossible(before);
    return { phase: 'Preparing', id, status: 'Started', startedAt: at, updatedAt: at };
  },
  MerchantApplicationInfoUploaded: (before, { at }) =>
    stepped(before, 'Preparing', { phase: 'Preparing', status: 'InfoUploaded', updatedAt: at }),
  MerchantApplicationRequiresAction: (before, { at, ...asked }) =>
    stepped(before, 'Preparing', {
      ...{ phase: 'Preparing', status: 'RequiresAction', updatedAt: at },
      ...asked,
    }),
  MerchantApplicationSubmitted: (before, { at }) =>
    stepped(before, 'Preparing', { phase: 'InReview', status: 'Submitted', updatedAt: at }),
  MerchantApplicationStatusChanged: (before, { at, ...given }) =>
    stepped(before, 'InReview', { phase: 'InReview', updatedAt: at, ...given }),
  MerchantApproved: (before, { at }) =>
    stepped(before, 'InReview', { phase: 'Decided', status: 'Approved', updatedAt: at }),
  MerchantRejected: (before, { at, ...given }) =>
    stepped(before, 'InReview', { phase: 'Decided', status: 'Rejected', updatedAt: at, ...given }),
});

export const foldMerchantApplication = foldOf(evolveMerchantApplication, noMerchantApplication);

/** The reason and the required actions of the step before are over. */
function stepped(
  before: MerchantApplication,
  allowed: StartedApplication['phase'],
  step: Omit<StartedApplication, 'id' | 'startedAt'>,
): StartedApplication {
  if (before.phase === 'NotStarted' || before.phase !== allowed) throw impossible(before);
  const { id, startedAt } = before;
  return { id, startedAt, ...step };
}

function impossible({ phase }: MerchantApplication): ImpossibleHistory {
  return new ImpossibleHistory(`an application that is ${phase} has no such step`);
}
