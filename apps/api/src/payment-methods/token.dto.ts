import { ErrorCode } from '@tillstream/contracts';
import { AccountHolderField, type AccountHolderDto } from '../account-holders/account-holder.dto.js';
import { BillingContactDto } from '../account-holders/billing-contact.dto.js';
import { AtLeastOneField } from '../validation/body.check.js';
import { CardExpiry, Nested, Text } from '../validation/field.decorators.js';
import { ReferenceId, TerminalId } from '../transactions/request.fields.js';
import { Described, RequestSchema } from '../openapi/request.schema.js';

/** `docs/spec/payment-methods.md#create-a-token`: a card that is read at a terminal and stored. */
@RequestSchema('StoreCardRequest', 'A card to be read at a terminal and stored.')
export class StoreCardDto {
  @TerminalId()
  paymentMethodId?: string;
  @Described('A name for people.', 'Visa of Ann')
  @Text(100)
  description?: string;
  @Described('The account holder.')
  @AccountHolderField()
  accountHolder?: AccountHolderDto;
  @ReferenceId()
  referenceId?: string;
}

@RequestSchema('ChangeTokenRequest', 'The fields of a stored card or bank account to change; at least one.')
@AtLeastOneField()
export class ChangeTokenDto {
  @Described('A name for people.', 'Visa of Ann')
  @Text(100)
  description?: string;
  @Described(
    'MMYY; the card is valid until the end of that month. Not in the past; not allowed for a bank account.',
    '1234',
  )
  @CardExpiry()
  cardExpDate?: string;
  @Described('Replaces the billing contact as a whole.')
  @Nested(BillingContactDto, ErrorCode.RequestValidationGenericError)
  billingContact?: BillingContactDto;
  @Described('The account holder.')
  @AccountHolderField()
  accountHolder?: AccountHolderDto;
  @ReferenceId()
  referenceId?: string;
}
