import { ErrorCode } from '@tillstream/contracts';
import { AccountHolderField, type AccountHolderDto } from '../account-holders/account-holder.dto.js';
import { BillingContactDto } from '../account-holders/billing-contact.dto.js';
import { AtLeastOneField } from '../validation/body.check.js';
import { CardExpiry, Nested, Text } from '../validation/field.decorators.js';
import { ReferenceId, TerminalId } from '../transactions/request.fields.js';
import { Described, RequestSchema } from '../openapi/request.schema.js';

/** `docs/spec/payment-methods.md#create-a-token`: a card that is read at a terminal and stored. */
@RequestSchema('StoreCardRequest', 'A card to be taken at a terminal and kept.')
export class StoreCardDto {
  @TerminalId()
  paymentMethodId?: string;
  @Described('A name for people.', 'Visa of Ann')
  @Text(100)
  description?: string;
  @Described('Whose card it is.')
  @AccountHolderField()
  accountHolder?: AccountHolderDto;
  @ReferenceId()
  referenceId?: string;
}

/** What of a stored card can change. */
@RequestSchema('ChangeTokenRequest', 'What changes of a stored card or bank account; at least one field.')
@AtLeastOneField()
export class ChangeTokenDto {
  @Described('A name for people.', 'Visa of Ann')
  @Text(100)
  description?: string;
  @Described(
    'MMYY; it counts to the end of that month. Not in the past, and never of a bank account.',
    '1234',
  )
  @CardExpiry()
  cardExpDate?: string;
  @Described('Takes the place of the old one, as a whole.')
  @Nested(BillingContactDto, ErrorCode.RequestValidationGenericError)
  billingContact?: BillingContactDto;
  @Described('Whose card it is.')
  @AccountHolderField()
  accountHolder?: AccountHolderDto;
  @ReferenceId()
  referenceId?: string;
}
