import { ErrorCode } from '@tillstream/contracts';
import { isHolderId } from '@tillstream/domain';
import { ExactlyOneWith, isText, Nested, Text } from '../validation/field.decorators.js';
import { AtLeastOneField } from '../validation/body.check.js';
import { field } from '../validation/field.rule.js';
import { BillingContactDto } from './billing-contact.dto.js';
import { Described, RequestSchema } from '../openapi/request.schema.js';
import { SAMPLE } from '../openapi/samples.js';

const code = ErrorCode.InvalidAccountHolderInformation;
const MAX_EMAIL_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
const MAX_LABEL_LENGTH = 63;
/** Letters and digits of any script, and what else stands in an address without quotes. */
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~.-]+$/u;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;
/** `isHolderId`, for the description of the API. */
const HOLDER_ID = '^acc_[0-7][0-9A-HJKMNP-TV-Z]{25}$';

export const Email = (): PropertyDecorator =>
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

/** The stored data of a person (`docs/spec/payment-methods.md#account-holder-of-a-request`). Its errors have codes 21xx. */
export class HolderFieldsDto {
  @Described(
    'Your own id of the person; one per person. An id of the form `acc_…` is refused.',
    'customer-1001',
  )
  @OwnExternalId()
  @Text(100, { code })
  externalId?: string;
  @Described('Name.', 'Ann Maple')
  @Text(100, { code })
  name?: string;
  @Described('E-mail address.', 'ann@example.com')
  @Email()
  email?: string;
  @Described('Phone number.', '+1 617 555 0100')
  @Text(40, { code })
  phone?: string;
  @Described('Billing address.')
  @Nested(BillingContactDto, code, { codeInside: code })
  billingContact?: BillingContactDto;
}

@RequestSchema('NewAccountHolder', 'A person. Without any field the person is anonymous.')
export class NewAccountHolderDto extends HolderFieldsDto {}

@RequestSchema(
  'AccountHolderChange',
  'The fields to change; at least one. `billingContact` is replaced as a whole.',
)
@AtLeastOneField()
export class AccountHolderChangeDto extends HolderFieldsDto {}

/** The `accountHolder` of a request: one that exists, or one to be found or made by the merchant's own id. */
@RequestSchema(
  'AccountHolderOfRequest',
  'The person who owns a card: by `id` an existing one; by `externalId` one that is found or created. Other fields are ' +
    'ignored if the person exists.',
)
export class AccountHolderDto extends HolderFieldsDto {
  @Described('An existing account holder.', SAMPLE.holder)
  @ExactlyOneWith('id', 'externalId', code)
  @HolderId()
  id?: string;
}

/** Also an unknown field in it is 2100: "anything else". */
export const AccountHolderField = (): PropertyDecorator =>
  Nested(AccountHolderDto, code, { codeInside: code });

/** One local part, and a domain with a dot. Whether mail arrives is not checked. */
function isEmailForm(text: string): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const labels = text.slice(at + 1).split('.');
  return (
    at > 0 &&
    local.length <= MAX_LOCAL_LENGTH &&
    LOCAL.test(local) &&
    !local.startsWith('.') &&
    !local.endsWith('.') &&
    !local.includes('..') &&
    labels.length >= 2 &&
    labels.every((label) => label.length <= MAX_LABEL_LENGTH && LABEL.test(label))
  );
}
