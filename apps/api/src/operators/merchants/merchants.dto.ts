import { CURRENCIES, ErrorCode, FUNDING_TYPES } from '@tillstream/contracts';
import { MAX_AMOUNT, type MerchantSettings } from '@tillstream/domain';
import { AtLeastOneField } from '../../validation/body.check.js';
import { COUNTRY_CODES } from '../../validation/country.codes.js';
import { Flag, Form, Integer, ListOf, Nested, OneOf, Text } from '../../validation/field.decorators.js';
import { field } from '../../validation/field.rule.js';
import { DefaultsHere, Described, RequestSchema } from '../../openapi/request.schema.js';

const MAX_REASON_LENGTH = 500;
/** As `RATE_LIMIT_PER_SECOND`. */
const MAX_RATE_LIMIT = 1_000_000;
const LONGEST_TIME_ZONE = 64;
const LOCALE = /^(?:en|fr)(?:-([A-Z]{2}))?$/;
const CUT_OFF = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;

const TimeZone = (): PropertyDecorator =>
  field({
    allowed: 'a time zone of the IANA database, such as America/New_York',
    fits: (value) => typeof value === 'string' && isTimeZone(value),
    schema: { type: 'string', minLength: 1, maxLength: LONGEST_TIME_ZONE },
  });

/** The languages that receipts and forms are written in. */
const Locale = (): PropertyDecorator =>
  field({
    allowed: 'en or fr, with or without a country of ISO 3166-1 alpha-2 in capitals: en-US, fr-CA',
    fits: (value) => typeof value === 'string' && isLocale(value),
    schema: { type: 'string', pattern: '^(en|fr)(-[A-Z]{2})?$' },
  });

/** Taken whole: a limit that is left out is none. */
@RequestSchema('UnreferencedRefunds', 'Refunds without an original; taken as a whole.')
class UnreferencedRefundsDto {
  @Described('Whether the merchant can make them.', true)
  @Flag({ required: true })
  enabled!: boolean;
  @Described('The limit in cents per currency and day. Left out: no limit.', 100_000)
  @Integer(0, MAX_AMOUNT)
  dailyLimit?: number;
}

/** Everything but the name (`docs/spec/operators.md#merchants`). */
class MerchantSettingsDto {
  @Described('The currencies that it takes.', ['USD', 'CAD'])
  @ListOf(CURRENCIES, `a list of one or more of ${CURRENCIES.join(', ')}, each once`, 1)
  currencies?: ('USD' | 'CAD')[];
  @Described('IANA name.', 'America/New_York')
  @TimeZone()
  timeZone?: string;
  @Described('The cut-off of its batches, in that time zone.', '22:00')
  @Form(CUT_OFF, 'a time of day as HH:MM, from 00:00 to 23:59')
  cutOff?: string;
  @Described('The language of receipts and forms.', 'en-US')
  @Locale()
  locale?: string;
  @Described('`Net` subtracts fees from each settlement; `Gross` charges them monthly.', 'Net')
  @OneOf(FUNDING_TYPES)
  fundingType?: 'Net' | 'Gross';
  @Described('Whether the merchant can set up managed webhooks.', false)
  @Flag()
  managedWebhooks?: boolean;
  @Described('Refunds without an original.')
  @Nested(UnreferencedRefundsDto, ErrorCode.RequestValidationGenericError)
  unreferencedRefunds?: UnreferencedRefundsDto;
  @Described('Requests a second and instance; 0 is no limit. Left out: the limit of the service.', 500)
  @Integer(0, MAX_RATE_LIMIT, { allowed: `an integer from 0 to ${MAX_RATE_LIMIT}; 0 is no limit` })
  rateLimitPerSecond?: number;
}

/** The settings of a merchant that its creation omits (`docs/spec/operators.md#merchants`). */
export const MERCHANT_DEFAULTS = {
  currencies: ['USD', 'CAD'] as ('USD' | 'CAD')[],
  timeZone: 'America/New_York',
  cutOff: '22:00',
  locale: 'en-US',
  fundingType: 'Net' as const,
  managedWebhooks: false,
  unreferencedRefunds: { enabled: false },
} satisfies Omit<MerchantSettings, 'name'>;

@RequestSchema('NewMerchant', 'A merchant.')
@DefaultsHere<NewMerchantDto>(MERCHANT_DEFAULTS)
export class NewMerchantDto extends MerchantSettingsDto {
  @Described('Its name, printed on receipts.', 'Maple Street Books')
  @Text(100, { required: true })
  name!: string;
}

@RequestSchema('MerchantChange', 'The fields to change; at least one.')
@AtLeastOneField()
export class MerchantChangeDto extends MerchantSettingsDto {
  @Described('Its name, printed on receipts.', 'Maple Street Books')
  @Text(100)
  name?: string;
}

@RequestSchema('Reason', 'The reason of a change.')
export class ReasonDto {
  @Described('The reason, which is recorded.', 'requested by the merchant')
  @Text(MAX_REASON_LENGTH)
  reason?: string;
}

/** Only in the spelling of the IANA database, because other programs compare names exactly. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Z]/.test(text) || text.length > LONGEST_TIME_ZONE) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions();
    // Intl resolves an old name to its new one, and a name in another spelling to the same name.
    return timeZone === text || timeZone.toLowerCase() !== text.toLowerCase();
  } catch {
    return false;
  }
}

function isLocale(text: string): boolean {
  const match = LOCALE.exec(text);
  return match !== null && (match[1] === undefined || COUNTRY_CODES.has(match[1]));
}
