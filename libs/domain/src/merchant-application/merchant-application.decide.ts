import { accepted, rejected, type Decision } from '../shared/aggregate.js';
import type {
  ApplicationPhase,
  MerchantApplication,
  MerchantApplicationEvent,
  MerchantApplicationRequiresAction,
  MerchantApplicationStarted,
  MerchantApplicationStatusChanged,
  MerchantRejected,
  OfMerchantApplication,
} from './merchant-application.js';

/** Statuses that steps of their own give. A reviewer's status is another one. */
export const STEP_STATUSES: readonly string[] = [
  'Started',
  'InfoUploaded',
  'RequiresAction',
  'Submitted',
  'Approved',
  'Rejected',
];

/** A step of an application, as an operator asks for it. */
export type ApplicationStep =
  | ({ readonly step: 'start' } & MerchantApplicationStarted)
  | ({ readonly step: 'upload-info' } & OfMerchantApplication)
  | ({ readonly step: 'require-action' } & MerchantApplicationRequiresAction)
  | ({ readonly step: 'submit' } & OfMerchantApplication)
  | ({ readonly step: 'change-status' } & MerchantApplicationStatusChanged)
  | ({ readonly step: 'approve' } & OfMerchantApplication)
  | ({ readonly step: 'reject' } & MerchantRejected);

export type ApplicationStepName = ApplicationStep['step'];

/** The only order (`docs/spec/operators.md#merchant-application`). */
const PHASE_OF: Readonly<Record<ApplicationStepName, ApplicationPhase>> = {
  start: 'NotStarted',
  'upload-info': 'Preparing',
  'require-action': 'Preparing',
  submit: 'Preparing',
  'change-status': 'InReview',
  approve: 'InReview',
  reject: 'InReview',
};

export const APPLICATION_STEPS = Object.keys(PHASE_OF) as readonly ApplicationStepName[];

const EVENT_OF = {
  start: 'MerchantApplicationStarted',
  'upload-info': 'MerchantApplicationInfoUploaded',
  'require-action': 'MerchantApplicationRequiresAction',
  submit: 'MerchantApplicationSubmitted',
  'change-status': 'MerchantApplicationStatusChanged',
  approve: 'MerchantApproved',
  reject: 'MerchantRejected',
} as const satisfies Readonly<Record<ApplicationStepName, MerchantApplicationEvent['type']>>;

export interface ApplicationRejection {
  readonly code: 'StepNotAllowed' | 'StatusReserved';
  readonly message: string;
  /** The received and the allowed value. */
  readonly details: string;
}

export type ApplicationDecision = Decision<MerchantApplicationEvent, ApplicationRejection>;

/** The steps that are allowed now. */
export function allowedSteps({ phase }: MerchantApplication): readonly ApplicationStepName[] {
  return APPLICATION_STEPS.filter((step) => PHASE_OF[step] === phase);
}

export function takeApplicationStep(
  application: MerchantApplication,
  { step, ...data }: ApplicationStep,
): ApplicationDecision {
  const allowed = allowedSteps(application);
  if (!allowed.includes(step)) {
    const status = application.phase === 'NotStarted' ? 'not started' : application.status;
    return rejected({
      code: 'StepNotAllowed',
      message: `The application is ${status}, and ${step} is not allowed now.`,
      details: `received ${step}, allowed ${allowed.length === 0 ? 'no step' : allowed.join(', ')}`,
    });
  }
  if ('status' in data && STEP_STATUSES.includes(data.status))
    return rejected({
      code: 'StatusReserved',
      message: `${data.status} is the status of a step of its own.`,
      details: `received ${data.status}, allowed any other than ${STEP_STATUSES.join(', ')}`,
    });
  return accepted([{ type: EVENT_OF[step], data } as MerchantApplicationEvent], undefined);
}
