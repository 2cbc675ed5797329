import { CURRENCIES } from '@tillstream/contracts';
import { Amount, OneOf, SignedAmount, Text } from '../../validation/field.decorators.js';
import { Described, RequestSchema } from '../../openapi/request.schema.js';

@RequestSchema('NewChargeback', 'A chargeback that the processor reported.')
export class NewChargebackDto {
  @Described('What the cardholder’s bank took back, in cents; at most the amount of the transaction.', 1250)
  @Amount({ required: true })
  amount!: number;
  @Described('The reason, as the card network gives it.', '10.4 Fraud')
  @Text(500, { required: true })
  reason!: string;
  @Described('The processor’s reference of the case.', 'CB-2026-0042')
  @Text(100)
  reference?: string;
}

@RequestSchema('NewAdjustment', 'Money that a merchant receives or pays beside its payments.')
export class NewAdjustmentDto {
  @Described('The currency of the batch that takes it.', 'USD')
  @OneOf(CURRENCIES, { required: true })
  currency!: (typeof CURRENCIES)[number];
  @Described('Signed cents, not 0: what the merchant receives; negative for what it pays.', -2500)
  @SignedAmount({ required: true })
  amount!: number;
  @Described('What it is for. The merchant sees it on the settlement.', 'Terminal rental')
  @Text(500, { required: true })
  reason!: string;
  @Described('A reference of your own.', 'INV-2026-0042')
  @Text(100)
  reference?: string;
}
