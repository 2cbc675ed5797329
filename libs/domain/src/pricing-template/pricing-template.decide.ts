import { accepted, ImpossibleHistory, rejected, type Decision, type Rejected } from '../shared/aggregate.js';
import { isBankChannel } from '../shared/codes.js';
import { MAX_AMOUNT } from '../shared/money.js';
import {
  findPricingTemplate,
  pricingTemplateId,
  type Pricing,
  type PricingRule,
  type PricingTemplateDecided,
  type PricingTemplateEvent,
  type PricingTemplates,
} from './pricing-template.js';

/** Limits of one merchant's templates, decided ones included, and of one template's rules. */
export const MAX_PRICING_TEMPLATES = 200;
/** Above the number of different rules: 3 fee types of 66 combinations of channel and card type. */
export const MAX_PRICING_RULES = 200;
/** 100 percent. */
export const MAX_RATE_BPS = 10_000;
/** Code points. */
export const MAX_PRICING_NAME_LENGTH = 100;

export interface PricingTemplateRejection {
  readonly code: 'TemplateNotFound' | 'TemplateDecided' | 'TooManyTemplates' | 'FieldInvalid';
  readonly message: string;
  /** Of `FieldInvalid`: `rules[0].cardType`. */
  readonly field?: string;
  /** The received and the allowed value. */
  readonly details?: string;
}

/** The value is the id of the template. */
export type PricingTemplateDecision = Decision<PricingTemplateEvent, PricingTemplateRejection, string>;
type Rejection = Rejected<PricingTemplateRejection>;

export interface PricingSubmission extends Pricing {
  readonly at: string;
  readonly merchantId: string;
}

/** It becomes the merchant's next version. */
export function submitPricingTemplate(
  state: PricingTemplates,
  submission: PricingSubmission,
): PricingTemplateDecision {
  const { merchantId } = submission;
  // Ids of merchants differ in the first 23 characters: 65 random bits, or more of a hash.
  if (state.merchantId !== undefined && state.merchantId !== merchantId)
    throw new ImpossibleHistory(`${merchantId} has the stream of ${state.merchantId}`);
  const count = state.templates.length;
  if (count >= MAX_PRICING_TEMPLATES)
    return rejected({
      code: 'TooManyTemplates',
      message: 'The merchant has as many pricing templates as it can have.',
      details: `received one more than ${count}, allowed ${MAX_PRICING_TEMPLATES}`,
    });
  const version = count + 1;
  const templateId = pricingTemplateId(merchantId, version);
  return (
    rejectInvalid(submission) ??
    accepted([{ type: 'PricingTemplateSubmitted', data: { ...submission, templateId, version } }], templateId)
  );
}

export function approvePricingTemplate(
  state: PricingTemplates,
  data: PricingTemplateDecided,
): PricingTemplateDecision {
  return (
    rejectUndecidable(state, data) ?? accepted([{ type: 'PricingTemplateApproved', data }], data.templateId)
  );
}

export function rejectPricingTemplate(
  state: PricingTemplates,
  data: PricingTemplateDecided,
): PricingTemplateDecision {
  return (
    rejectUndecidable(state, data) ?? accepted([{ type: 'PricingTemplateRejected', data }], data.templateId)
  );
}

function rejectUndecidable(
  state: PricingTemplates,
  { templateId }: PricingTemplateDecided,
): Rejection | undefined {
  const template = findPricingTemplate(state, templateId);
  if (!template) return rejected({ code: 'TemplateNotFound', message: 'There is no such pricing template.' });
  if (template.status === 'Submitted') return undefined;
  return rejected({
    code: 'TemplateDecided',
    message: `The pricing template is ${template.status} already; a decision is final.`,
    details: `received a template with status ${template.status}, allowed Submitted`,
  });
}

/** The first of the fields that a template can not have. */
function rejectInvalid(pricing: Pricing): Rejection | undefined {
  const { name, rules, validFrom } = pricing;
  const length = [...name].length;
  if (length === 0 || length > MAX_PRICING_NAME_LENGTH)
    return invalid('name', `${length} characters`, `1 to ${MAX_PRICING_NAME_LENGTH}`);
  if (rules.length > MAX_PRICING_RULES)
    return invalid('rules', `${rules.length} rules`, `at most ${MAX_PRICING_RULES}`);
  for (const fee of ['monthlyFee', 'returnFee', 'chargebackFee'] as const)
    if (!isBetween(pricing[fee], MAX_AMOUNT)) return invalid(fee, pricing[fee], `0 to ${MAX_AMOUNT}`);
  if (Number.isNaN(Date.parse(validFrom))) return invalid('validFrom', validFrom, 'a time');
  for (const [index, rule] of rules.entries()) {
    const problem = rejectRule(rule, `rules[${index}]`, rules.slice(0, index));
    if (problem) return problem;
  }
  return undefined;
}

function rejectRule(
  rule: PricingRule,
  field: string,
  earlier: readonly PricingRule[],
): Rejection | undefined {
  const { rateBps, fixedAmount, channel, cardType } = rule;
  if (!isBetween(rateBps, MAX_RATE_BPS))
    return invalid(`${field}.rateBps`, rateBps, `an integer from 0 to ${MAX_RATE_BPS}`);
  if (!isBetween(fixedAmount, MAX_AMOUNT))
    return invalid(`${field}.fixedAmount`, fixedAmount, `an integer from 0 to ${MAX_AMOUNT}`);
  if (cardType !== undefined && channel !== undefined && isBankChannel(channel))
    return invalid(`${field}.cardType`, cardType, `none with channel ${channel}: a bank payment has no card`);
  const same = earlier.findIndex((other) => keyOf(other) === keyOf(rule));
  if (same < 0) return undefined;
  return invalid(
    field,
    `the fee type, channel and card type of rules[${same}]`,
    'one rule for each combination of them',
  );
}

/** Of two rules with the same key none would be the more specific one. */
const keyOf = ({ feeType, channel, cardType }: PricingRule): string =>
  [feeType, channel ?? '', cardType ?? ''].join(' ');

const isBetween = (value: number, max: number): boolean =>
  Number.isInteger(value) && value >= 0 && value <= max;

function invalid(field: string, received: string | number, allowed: string): Rejection {
  return rejected({
    code: 'FieldInvalid',
    field,
    message: `${field} is not what a pricing template can have.`,
    details: `received ${received}, allowed ${allowed}`,
  });
}
