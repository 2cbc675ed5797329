import { ImpossibleHistory } from '../shared/aggregate.js';
import {
  approvePricingTemplate,
  MAX_PRICING_RULES,
  MAX_PRICING_TEMPLATES,
  rejectPricingTemplate,
  submitPricingTemplate,
} from './pricing-template.decide.js';
import {
  foldPricingTemplates,
  pricingTemplatesStream,
  templateInEffect,
  type Pricing,
  type PricingRule,
  type PricingTemplateEvent,
  type PricingTemplates,
} from './pricing-template.js';
import {
  approved,
  given,
  MERCHANT,
  minutes,
  PRICING,
  rejected,
  submitted,
  templateId,
} from './testing/histories.testing.js';

const submit =
  (pricing: Partial<Pricing> = {}, merchantId = MERCHANT) =>
  (state: PricingTemplates) =>
    submitPricingTemplate(state, { at: minutes(2), merchantId, ...PRICING, ...pricing });
const decision = (version: number) => ({
  at: minutes(3),
  templateId: templateId(version),
  reason: 'Agreed.',
});
const approve = (version: number) => (state: PricingTemplates) =>
  approvePricingTemplate(state, decision(version));
const reject = (version: number) => (state: PricingTemplates) =>
  rejectPricingTemplate(state, decision(version));

const rule = (more: Partial<PricingRule>): PricingRule => ({
  ...{ feeType: 'Markup', rateBps: 10, fixedAmount: 0 },
  ...more,
});

describe('A pricing template', () => {
  it('is the next version of the merchant’s templates', () => {
    given()
      .when(submit())
      .and.when(submit({ name: 'Online' }))
      .then({
        type: 'PricingTemplateSubmitted',
        data: { version: 2, templateId: templateId(2), merchantId: MERCHANT, name: 'Online' },
      });
  });

  it('is approved or rejected once, with a reason', () => {
    for (const [decide, status] of [
      [approve, 'Approved'],
      [reject, 'Rejected'],
    ] as const) {
      const { and: after } = given(submitted(1), submitted(2)).when(decide(2));
      expect(after.state.templates).toMatchObject([
        { id: templateId(1), status: 'Submitted', updatedAt: minutes(0) },
        { id: templateId(2), status, reason: 'Agreed.', createdAt: minutes(0), updatedAt: minutes(3) },
      ]);
      after.when(approve(2)).thenRejected('TemplateDecided');
      after.when(reject(2)).thenRejected('TemplateDecided');
    }
  });

  it('that does not exist is not decided', () => {
    given(submitted(1)).when(approve(2)).thenRejected('TemplateNotFound');
    given(submitted(1)).when(reject(2)).thenRejected('TemplateNotFound');
  });

  it.each<[string, Partial<Pricing>]>([
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(101) }],
    ['monthlyFee', { monthlyFee: -1 }],
    ['returnFee', { returnFee: 1.5 }],
    ['chargebackFee', { chargebackFee: 1_000_000_000 }],
    ['validFrom', { validFrom: 'soon' }],
    ['rules', { rules: Array.from({ length: MAX_PRICING_RULES + 1 }, () => rule({})) }],
    ['rules[0].rateBps', { rules: [rule({ rateBps: 10_001 })] }],
    ['rules[1].fixedAmount', { rules: [rule({}), rule({ channel: 'Token', fixedAmount: -1 })] }],
    ['rules[0].cardType', { rules: [rule({ channel: 'Ach', cardType: 'VISA' })] }],
    ['rules[0].cardType', { rules: [rule({ channel: 'Eft', cardType: 'DEBIT' })] }],
    ['rules[1]', { rules: [rule({ cardType: 'VISA' }), rule({ cardType: 'VISA', rateBps: 20 })] }],
  ])('is refused for its %s, which the rejection names', (field, pricing) => {
    const refused = given().when(submit(pricing));
    refused.thenRejected('FieldInvalid');
    expect(refused.decision).toMatchObject({ rejection: { field } });
  });

  it('can have every combination of fee type, channel and card type once', () => {
    const rules = [
      rule({}),
      rule({ channel: 'Token' }),
      rule({ cardType: 'VISA' }),
      rule({ channel: 'Token', cardType: 'VISA' }),
      rule({ feeType: 'Scheme', channel: 'Token', cardType: 'VISA' }),
    ];
    expect(given().when(submit({ rules })).events).toHaveLength(1);
  });

  it('is one of a limited number', () => {
    const history = Array.from({ length: MAX_PRICING_TEMPLATES }, (_, index) => submitted(index + 1));
    given(...history)
      .when(submit())
      .thenRejected('TooManyTemplates');
    given(...history.slice(0, -1))
      .when(submit())
      .then({ type: 'PricingTemplateSubmitted', data: { version: MAX_PRICING_TEMPLATES } });
  });

  it('and its merchant name the same stream, and nothing else does', () => {
    expect(pricingTemplatesStream(MERCHANT)).toBe('pricingtemplates-01JQ0000000000000000000');
    expect(pricingTemplatesStream(templateId(MAX_PRICING_TEMPLATES))).toBe(pricingTemplatesStream(MERCHANT));
    for (const text of ['', 'mer_1', 'prt_01JQ', 'trx_01JQ0000000000000000000P00', `${MERCHANT}0`])
      expect(pricingTemplatesStream(text)).toBeUndefined();
  });

  it('is never among those of another merchant', () => {
    const other = 'mer_01JQ0000000000000000000001';
    expect(() => given(submitted(1)).when(submit({}, other))).toThrow(ImpossibleHistory);
  });

  it.each([
    [[submitted(2)]],
    [[submitted(1), submitted(1)]],
    [[approved(1)]],
    [[submitted(1), approved(1), rejected(1)]],
    [[submitted(1), approved(2)]],
  ])('refuses a history that no decision made', (history) => {
    expect(() => foldPricingTemplates(history)).toThrow(ImpossibleHistory);
  });
});

describe('The pricing template in effect', () => {
  const inEffect = (at: string, ...history: PricingTemplateEvent[]) =>
    templateInEffect(given(...history).state, at)?.version;

  it('is approved: one that is not decided, or rejected, has no effect', () => {
    expect(inEffect(minutes(9))).toBeUndefined();
    expect(inEffect(minutes(9), submitted(1), submitted(2), rejected(2))).toBeUndefined();
    expect(inEffect(minutes(9), submitted(1), submitted(2), rejected(2), approved(1))).toBe(1);
  });

  it('is the one with the latest validFrom that is not later than the time', () => {
    const history = [
      ...[submitted(1, { validFrom: minutes(20) }), approved(1)],
      ...[submitted(2, { validFrom: minutes(10) }), approved(2)],
    ];
    expect(inEffect(minutes(9), ...history)).toBeUndefined();
    expect(inEffect(minutes(10), ...history)).toBe(2);
    expect(inEffect(minutes(19), ...history)).toBe(2);
    expect(inEffect(minutes(20), ...history)).toBe(1);
  });

  it('is the latest version of those with the same validFrom, in whatever order they were approved', () => {
    const both = [submitted(1), submitted(2)];
    expect(inEffect(minutes(9), ...both, approved(2), approved(1))).toBe(2);
    expect(inEffect(minutes(9), ...both, approved(1), approved(2))).toBe(2);
  });
});
