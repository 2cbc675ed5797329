import { eventCodec, evolveBy, foldOf, ImpossibleHistory, type Event } from '../shared/aggregate.js';
import type { CardType, Channel } from '../shared/codes.js';
import { formatPricingTemplateId, parsePricingRoot } from '../shared/ids.js';
import type { Cents } from '../shared/money.js';

/*
 * The pricing templates of one merchant (`docs/spec/operators.md#pricing-templates`). Stream
 * `pricingtemplates-<root>`: the root is in the merchant's id and in the id of each of its templates, so both give the
 * stream without a lookup. One stream, since a template is a version of the one before it, and a merchant has few
 * (docs/adr/0038).
 */

export const PRICING_TEMPLATES_CATEGORY = 'pricingtemplates';
export const PRICING_TEMPLATE_PREFIX = 'prt_';

/** `id`: of the merchant (`mer_…`) or of one of its templates (`prt_…`). Undefined if it has the form of neither. */
export function pricingTemplatesStream(id: string): string | undefined {
  const root = parsePricingRoot(id);
  return root === undefined ? undefined : `${PRICING_TEMPLATES_CATEGORY}-${root}`;
}

export type FeeType = 'Interchange' | 'Scheme' | 'Markup';

/** A fee of each payment that it fits. */
export interface PricingRule {
  readonly feeType: FeeType;
  /** Of the settled amount, in hundredths of a percent. */
  readonly rateBps: number;
  /** In the smallest unit of the payment's currency, whichever it is. */
  readonly fixedAmount: Cents;
  /** Absent: the rule fits every channel. */
  readonly channel?: Channel;
  /** Absent: the rule fits every card type, and bank payments. */
  readonly cardType?: CardType;
}

/** Fees are in the smallest unit of the currency in which they are charged. */
export interface Pricing {
  readonly name: string;
  readonly rules: readonly PricingRule[];
  readonly monthlyFee: Cents;
  /** For each return of a bank payment. */
  readonly returnFee: Cents;
  readonly chargebackFee: Cents;
  /** From this time on, inclusive. */
  readonly validFrom: string;
}

/** Storage: these shapes never change (docs/adr/0014). */
export type PricingTemplateEvent =
  | Event<'PricingTemplateSubmitted', PricingTemplateSubmitted>
  | Event<'PricingTemplateApproved', PricingTemplateDecided>
  | Event<'PricingTemplateRejected', PricingTemplateDecided>;

export interface PricingTemplateSubmitted extends Pricing {
  readonly at: string;
  readonly merchantId: string;
  /** `prt_…`. */
  readonly templateId: string;
  /** From 1, without gaps. */
  readonly version: number;
}

export interface PricingTemplateDecided {
  readonly at: string;
  readonly templateId: string;
  readonly reason?: string;
}

/** Frozen examples of each version are in `fixtures/`. */
export const pricingTemplateCodec = eventCodec<PricingTemplateEvent>({
  types: { PricingTemplateSubmitted: [], PricingTemplateApproved: [], PricingTemplateRejected: [] },
});

export type PricingTemplateStatus = 'Submitted' | 'Approved' | 'Rejected';

export interface PricingTemplate extends Pricing {
  readonly id: string;
  readonly version: number;
  readonly status: PricingTemplateStatus;
  /** Of the approval or rejection. */
  readonly reason?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface PricingTemplates {
  /** Absent: there is no template yet. */
  readonly merchantId?: string;
  /** By version: the one at index n has version n + 1. */
  readonly templates: readonly PricingTemplate[];
}

export const noPricingTemplates: PricingTemplates = { templates: [] };

/** The next state. @throws ImpossibleHistory if no decision could have made this history */
export const evolvePricingTemplates = evolveBy<PricingTemplates, PricingTemplateEvent>({
  PricingTemplateSubmitted: (
    { merchantId: owner, templates },
    { at, merchantId, templateId: id, ...data },
  ) => {
    if (owner !== undefined && owner !== merchantId)
      throw new ImpossibleHistory(`${id} is among the templates of ${owner}`);
    if (data.version !== templates.length + 1 || id !== pricingTemplateId(merchantId, data.version))
      throw new ImpossibleHistory(`${id} is not version ${templates.length + 1} of ${merchantId}`);
    const submitted = { ...data, id, status: 'Submitted', createdAt: at, updatedAt: at } as const;
    return { merchantId, templates: [...templates, submitted] };
  },
  PricingTemplateApproved: (state, data) => decided(state, data, 'Approved'),
  PricingTemplateRejected: (state, data) => decided(state, data, 'Rejected'),
});

export const foldPricingTemplates = foldOf(evolvePricingTemplates, noPricingTemplates);

/** @throws RangeError if the merchant's id has another form */
export function pricingTemplateId(merchantId: string, version: number): string {
  const root = parsePricingRoot(merchantId);
  if (root === undefined) throw new RangeError(`${merchantId} is no id of a merchant`);
  return formatPricingTemplateId(root, version);
}

export function findPricingTemplate(
  { templates }: PricingTemplates,
  templateId: string,
): PricingTemplate | undefined {
  return templates.find(({ id }) => id === templateId);
}

/**
 * The template that gives the fees at a time: of the approved ones that are valid then, the one with the latest
 * `validFrom`; of several with the same, the latest version. Undefined: there are no fees
 * (`docs/spec/operators.md#pricing-templates`).
 */
export function templateInEffect({ templates }: PricingTemplates, at: string): PricingTemplate | undefined {
  const time = Date.parse(at);
  let inEffect: PricingTemplate | undefined;
  for (const template of templates) {
    const from = Date.parse(template.validFrom);
    if (template.status !== 'Approved' || from > time) continue;
    if (inEffect === undefined || from >= Date.parse(inEffect.validFrom)) inEffect = template;
  }
  return inEffect;
}

function decided(
  { templates, ...state }: PricingTemplates,
  { at: updatedAt, templateId, ...reason }: PricingTemplateDecided,
  status: PricingTemplateStatus,
): PricingTemplates {
  const before = findPricingTemplate({ templates }, templateId);
  if (before?.status !== 'Submitted')
    throw new ImpossibleHistory(`${templateId} does not wait for a decision`);
  const after = { ...before, ...reason, status, updatedAt };
  return { ...state, templates: templates.map((template) => (template === before ? after : template)) };
}
