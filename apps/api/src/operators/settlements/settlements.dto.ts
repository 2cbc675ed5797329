import { Amount, Text } from '../../validation/field.decorators.js';
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
