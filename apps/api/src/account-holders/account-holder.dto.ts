import { ErrorCode } from '@tillstream/contracts';
import { isHolderId } from '@tillstream/domain';
import { isEmailForm } from '../validation/email.form.js';
import { ExactlyOneWith, isText, Nested, Text } from '../validation/field.decorators.js';
import { AtLeastOneField } from '../validation/body.check.js';
import { field } from '../validation/field.rule.js';
import { BillingContactDto } from './billing-contact.dto.js';

const code = ErrorCode.InvalidAccountHolderInformation;
const MAX_EMAIL_LENGTH = 254;
/** `isHolderId`, for the description of the API. */
const HOLDER_ID = '^acc_[0-7][0-9A-HJKMNP-TV-Z]{25}$';

const Email = (): PropertyDecorator =>
  field({
    code: ErrorCode.InvalidEmailAddress,
    allowed: `an e-mail address of at most ${MAX_EMAIL_LENGTH} characters`,
    fits: (value) => isText(value, MAX_EMAIL_LENGTH) && isEmailForm(value),
    schema: { type: 'string', format: 'idn-email', maxLength: MAX_EMAIL_LENGTH },
  });

/** A merchant's own id: an id in the form of the service's would be read as one of the service's. */
const OwnExternalId = (): PropertyDecorator =>
  field({
    code,
    allowed: 'an id of your own: acc_ and 26 characters is the form of ours',
    fits: (value) => typeof value !== 'string' || !isHolderId(value),
    schema: { not: { pattern: HOLDER_ID } },
  });

const HolderId = (): PropertyDecorator =>
  field({
    code,
    allowed: 'the id of an account holder: acc_ and 26 characters',
    fits: (value) => typeof value === 'string' && isHolderId(value),
    schema: { type: 'string', pattern: HOLDER_ID },
  });

/**
 * The stored data of a person (`docs/spec/payment-methods.md#account-holder-of-a-request`). Its errors have codes
 * 21xx.
 */
export class HolderFieldsDto {
  @OwnExternalId()
  @Text(100, { code })
  externalId?: string;
  @Text(100, { code }) name?: string;
  @Email() email?: string;
  @Text(40, { code }) phone?: string;
  @Nested(BillingContactDto, code, { codeInside: code }) billingContact?: BillingContactDto;
}

/** A change of an account holder. */
@AtLeastOneField()
export class HolderChangeDto extends HolderFieldsDto {}

/** The `accountHolder` of a request: one that exists, or one to be found or made by the merchant's own id. */
export class AccountHolderDto extends HolderFieldsDto {
  @ExactlyOneWith('id', 'externalId', code)
  @HolderId()
  id?: string;
}

/** Also an unknown field in it is 2100: "anything else". */
export const AccountHolderField = (): PropertyDecorator =>
  Nested(AccountHolderDto, code, { codeInside: code });
