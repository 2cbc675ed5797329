import 'reflect-metadata';
import { validateSync } from 'class-validator';
import fc from 'fast-check';
import { AccountHolderDto } from '../account-holders/account-holder.dto.js';
import { BillingContactDto } from '../account-holders/billing-contact.dto.js';
import { CloseBatchesDto } from '../operators/batches/batches.dto.js';
import { MerchantChangeDto, NewMerchantDto } from '../operators/merchants/merchants.dto.js';
import { NewPricingTemplateDto } from '../operators/pricing-templates/pricing-templates.dto.js';
import { NewFormDto, PaymentMethodChangeDto } from '../operators/payment-methods/payment-methods.dto.js';
import { ResolveDto } from '../operators/unknown-outcomes/unknown-outcomes.dto.js';
import { ChangeTokenDto, StoreCardDto } from '../payment-methods/token.dto.js';
import {
  CaptureRequestDto,
  PhysicalDto,
  RefundRequestDto,
  VoidRequestDto,
} from '../transactions/operation.dto.js';
import { TokenPaymentDto } from '../transactions/token-payment.dto.js';
import { needsAtLeastOneField } from './body.check.js';
import { field } from './field.rule.js';
import { fieldsOf, nestedFields, type Dto } from './field.schema.js';
import { validBody } from './valid.body.js';

/** What some field takes, and what none does. */
const VALUES = [
  ...[0, 1, 2, -1, 1.5, 1250, 999_999_999, 1_000_000_000, Number.NaN],
  ...['', 'a', 'A1', 'ref-1', 'x'.repeat(101), '0127', '1327', 'USD', 'CAD', 'US', 'CA', 'NY', '10001'],
  ...['America/New_York', '22:00', 'en-US', 'Net', 'Full', 'Virtual', 'Customer', 'Merchant', 'Recurring'],
  ...['Approved', 'Declined', 'NotReceived', 'a@b.ca', '2125550123', '2026-11-01', 'https://a.example'],
  ...['trx_01M8438ZYEHM86TC1ZZPJWVP00', 'ref_01M8438ZYEHM86TC1ZZPJWVP00', 'line\nbreak'],
  ...[true, false, [], ['USD'], ['USD', 'USD'], ['https://a.example'], {}],
] as const;

/** As class-validator wants it: nested objects are instances too. */
function instanceOf(dto: Dto<object>, json: object): object {
  const nested = nestedFields(dto.prototype as object);
  const fields = Object.entries(json).map(([name, value]: [string, unknown]) => {
    const inner = nested[name];
    if (!inner || typeof value !== 'object') return [name, value];
    const one = (part: object) => instanceOf(inner.type, part);
    return [name, Array.isArray(value) ? value.map(one) : one(value as object)];
  });
  return Object.assign(Object.create(dto.prototype as object) as object, Object.fromEntries(fields));
}

/** What class-validator finds wrong, by field. */
const wrongIn = (dto: Dto<object>, json: object): readonly string[] =>
  validateSync(instanceOf(dto, json), { forbidUnknownValues: false }).map(({ property }) => property);

/** Mostly what the field takes by itself: else hardly a body would be right. */
const valueOf = (dto: Dto<object>, name: string): fc.Arbitrary<unknown> => {
  const fitting = VALUES.filter((value) => !wrongIn(dto, { [name]: value }).includes(name));
  const any = fc.constantFrom<unknown>(...VALUES);
  return fitting.length === 0
    ? any
    : fc.oneof(
        { weight: 15, arbitrary: fc.constantFrom<unknown>(...fitting) },
        { weight: 1, arbitrary: any },
      );
};

const bodyOf = (dto: Dto<object>): fc.Arbitrary<Record<string, unknown>> => {
  const nested = nestedFields(dto.prototype as object);
  const fields = [...fieldsOf(dto)].map((name) => {
    const inner = nested[name];
    if (!inner) return [name, valueOf(dto, name)] as const;
    const one = bodyOf(inner.type);
    return [name, inner.listMax === undefined ? one : fc.array(one, { maxLength: 3 })] as const;
  });
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
};

class Above {
  @field({ allowed: 'one', fits: (value) => value === 1 }) some?: number;
}

class Below extends Above {
  @field({ allowed: 'two', required: true, fits: (value) => value === 2 }) declare some: number;
}

describe('a body is right exactly where class-validator finds nothing wrong in it', () => {
  it.each<[Dto<object>]>([
    [AccountHolderDto],
    [Below],
    [BillingContactDto],
    [CaptureRequestDto],
    [ChangeTokenDto],
    [CloseBatchesDto],
    [MerchantChangeDto],
    [NewFormDto],
    [NewMerchantDto],
    [NewPricingTemplateDto],
    [PaymentMethodChangeDto],
    [PhysicalDto],
    [RefundRequestDto],
    [ResolveDto],
    [StoreCardDto],
    [TokenPaymentDto],
    [VoidRequestDto],
  ])('%p', (dto) => {
    let right = 0;
    fc.assert(
      fc.property(bodyOf(dto), (json) => {
        const isEmpty = needsAtLeastOneField(dto) && Object.keys(json).length === 0;
        const isRight = wrongIn(dto, json).length === 0 && !isEmpty;
        if (isRight) right += 1;
        expect(validBody(dto, json).errors.length === 0).toBe(isRight);
      }),
      { numRuns: 1_000 },
    );
    expect(right).toBeGreaterThan(5);
  });
});

describe('A list of objects', () => {
  const errorsOf = (rules: unknown) =>
    validBody(NewPricingTemplateDto, { name: 'Flat', rules }).errors.map(({ field: at }) => at);
  const fits = { feeType: 'Markup' };

  it('has the errors of each of its items under the item’s index', () => {
    expect(errorsOf([fits, { feeType: 'Markup', rateBps: -1, surcharge: 1 }, {}])).toEqual([
      'rules[1].surcharge',
      'rules[1].rateBps',
      'rules[2].feeType',
    ]);
  });

  it('has no item that is no object, and not more items than are allowed', () => {
    expect(errorsOf([fits, 'Markup', null, [fits]])).toEqual(['rules[1]', 'rules[2]', 'rules[3]']);
    for (const rules of [fits, 'Markup', Array.from({ length: 201 }, () => fits)])
      expect(errorsOf(rules)).toEqual(['rules']);
    expect(errorsOf(Array.from({ length: 200 }, () => fits))).toEqual([]);
    expect(errorsOf([])).toEqual([]);
  });
});
