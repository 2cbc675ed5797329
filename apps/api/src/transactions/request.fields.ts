import { applyDecorators } from '@nestjs/common';
import { ErrorCode } from '@tillstream/contracts';
import { breakdownTotal, isAmount, type AmountBreakdown } from '@tillstream/domain';
import { Described, RequestSchema } from '../openapi/request.schema.js';
import { SAMPLE } from '../openapi/samples.js';
import {
  Alphanumeric,
  Amount,
  AmountPart,
  Nested,
  OwnReference,
  Text,
} from '../validation/field.decorators.js';
import { field } from '../validation/field.rule.js';

/* Fields that several requests have (`docs/spec/README.md#field-types`). */

export const RequiredAmount = (): PropertyDecorator =>
  applyDecorators(
    Amount({ required: true }),
    Described('In the smallest unit of the currency: 1250 is $12.50.', 1250),
  );

export const ReferenceId = (): PropertyDecorator =>
  applyDecorators(
    Text(100),
    OwnReference(),
    Described(
      'Your own name for the transaction. Left out: the service makes one. It is not an idempotency key: two requests with ' +
        'the same reference are two transactions.',
      'order-1001',
    ),
  );

export const InvoiceNumber = (): PropertyDecorator =>
  applyDecorators(Alphanumeric(100), Described('Returned in the response.', 'A1001'));

export const OrderNumber = (): PropertyDecorator =>
  applyDecorators(Alphanumeric(100), Described('Returned in the response.', 'O77'));

export const TerminalId = (): PropertyDecorator =>
  applyDecorators(
    Text(35),
    Described(
      'A terminal of `GET /payment-methods`. Left out: the default terminal, else the only one. Required if there is neither.',
      SAMPLE.terminal,
    ),
  );

/** `docs/spec/payments.md#amount-breakdown`: parts for reporting, which sum to the amount. */
@RequestSchema('AmountBreakdown', 'The parts of an amount, for reports. They must sum to `amount`.')
export class AmountBreakdownDto {
  @Described('Goods and services.', 1100)
  @AmountPart()
  amountGoodsAndServices?: number;
  @Described('Tax.', 100)
  @AmountPart()
  tax?: number;
  @Described('Cash given out.', 0)
  @AmountPart()
  cashback?: number;
  @Described('Tip.', 50)
  @AmountPart()
  tip?: number;
}

export const Breakdown = (): PropertyDecorator =>
  applyDecorators(
    SumsToAmount(),
    Nested(AmountBreakdownDto, ErrorCode.InvalidAmount),
    Described('The parts of `amount`, for reports; they must sum to it.'),
  );

const total = (breakdown: unknown): number => breakdownTotal(breakdown as Partial<AmountBreakdown>);

/**
 * The parts sum to the amount of the same body. Checked only where amount and parts are valid; the use case checks
 * an amount that was left out.
 */
const SumsToAmount = (): PropertyDecorator =>
  field({
    code: ErrorCode.InvalidAmount,
    allowed: 'parts that sum to amount',
    message: 'The parts of amountBreakdown must sum to amount.',
    // Both are valid amounts here, so they can't be a card number.
    details: (breakdown, { amount }) =>
      `the parts sum to ${total(breakdown)}, the amount is ${String(amount)}`,
    fits: (breakdown, { amount }) => {
      const parts = Object.values(breakdown as object).filter((part) => part !== undefined) as unknown[];
      const decidable = isAmount(amount) && parts.every((part) => part === 0 || isAmount(part));
      return !decidable || total(breakdown) === amount;
    },
  });
