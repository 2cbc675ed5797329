import { ErrorCode } from '@tillstream/contracts';
import { AccountHolderField, type AccountHolderDto } from '../account-holders/account-holder.dto.js';
import { BillingContactDto } from '../account-holders/billing-contact.dto.js';
import { AtLeastOneField } from '../validation/body.check.js';
import { CardExpiry, Nested, OwnReference, Text } from '../validation/field.decorators.js';

/** `docs/spec/payment-methods.md#create-a-token`: a card that is read at a terminal and stored. */
export class StoreCardDto {
  @Text(35) paymentMethodId?: string;
  @Text(100) description?: string;
  @AccountHolderField() accountHolder?: AccountHolderDto;
  @OwnReference()
  @Text(100)
  referenceId?: string;
}

/** What of a stored card can change. */
@AtLeastOneField()
export class ChangeTokenDto {
  @Text(100) description?: string;
  @CardExpiry() cardExpDate?: string;
  @Nested(BillingContactDto, ErrorCode.RequestValidationGenericError) billingContact?: BillingContactDto;
  @AccountHolderField() accountHolder?: AccountHolderDto;
  @OwnReference()
  @Text(100)
  referenceId?: string;
}
