import {
  APPLICATIONS,
  BATCHES,
  AUTHENTICATION,
  MERCHANT_LIST,
  PAYMENT_METHOD_LIST,
  PRICING_TEMPLATES,
  PROCESSORS,
  PROJECTIONS_CONTROL,
  PROVISIONING,
  UNKNOWN_OUTCOMES,
} from '../api.parts.js';
import { commandOf, queryOf } from '../use-case.js';

export class CloseBatches extends commandOf(BATCHES, 'close') {}
export class FindBatch extends queryOf(BATCHES, 'find') {}
export class FundSettlement extends commandOf(BATCHES, 'fundSettlement') {}
export class RecordAdjustment extends commandOf(BATCHES, 'recordAdjustment') {}
export class RecordChargeback extends commandOf(BATCHES, 'recordChargeback') {}

export class ListAdminKeys extends queryOf(PROVISIONING, 'listAdminKeys') {}
export class IssueApiKey extends commandOf(PROVISIONING, 'issueApiKey') {}
export class RevokeApiKey extends commandOf(PROVISIONING, 'revokeApiKey') {}

export class CreateMerchant extends commandOf(PROVISIONING, 'createMerchant') {}
export class ChangeMerchant extends commandOf(PROVISIONING, 'changeMerchant') {}
export class SetMerchantDisabled extends commandOf(PROVISIONING, 'setMerchantDisabled') {}
/** Reads the store's current state. */
export class FindMerchant extends queryOf(AUTHENTICATION, 'readMerchant') {}
export class ListMerchants extends queryOf(MERCHANT_LIST, 'list') {}
export class TakeApplicationStep extends commandOf(APPLICATIONS, 'takeStep') {}

export class SubmitPricingTemplate extends commandOf(PRICING_TEMPLATES, 'submit') {}
export class DecidePricingTemplate extends commandOf(PRICING_TEMPLATES, 'decide') {}
export class LoadPricingTemplates extends queryOf(PRICING_TEMPLATES, 'load') {}

export class AddPaymentMethod extends commandOf(PROVISIONING, 'addPaymentMethod') {}
export class ChangePaymentMethod extends commandOf(PROVISIONING, 'changePaymentMethod') {}
export class FindMerchantOfPaymentMethod extends queryOf(PAYMENT_METHOD_LIST, 'merchantOf') {}

export class ListProcessors extends queryOf(PROCESSORS, 'status') {}
export class StopProcessor extends commandOf(PROCESSORS, 'stop') {}
export class ResumeProcessor extends commandOf(PROCESSORS, 'resume') {}

export class ListProjections extends queryOf(PROJECTIONS_CONTROL, 'list') {}
export class RebuildProjection extends commandOf(PROJECTIONS_CONTROL, 'startRebuild') {}

export class ListUnknownOutcomes extends queryOf(UNKNOWN_OUTCOMES, 'list') {}
export class InquireNow extends commandOf(UNKNOWN_OUTCOMES, 'inquire') {}
export class ResolveUnknownOutcome extends commandOf(UNKNOWN_OUTCOMES, 'resolve') {}
