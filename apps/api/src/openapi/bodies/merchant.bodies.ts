import { NewApiKeyDto } from '../../operators/keys/api-keys.dto.js';
import {
  MerchantChangeDto,
  NewMerchantDto,
  ReasonDto,
  UnreferencedRefundsDto,
} from '../../operators/merchants/merchants.dto.js';
import {
  FormDefaultsDto,
  NewFormDto,
  NewTerminalDto,
  PaymentMethodChangeDto,
} from '../../operators/payment-methods/payment-methods.dto.js';
import { requestSchema } from '../request.schema.js';

/* Merchants, their keys and payment methods (`docs/spec/operators.md#merchants`). */

const UNREFERENCED_REFUNDS = requestSchema(
  UnreferencedRefundsDto,
  'UnreferencedRefunds',
  'Refunds without an original; taken as a whole.',
  {
    enabled: { description: 'Whether the merchant can make them.', example: true },
    dailyLimit: { description: 'Cents per currency and day. Left out: none.', example: 100_000 },
  },
);

const settings = {
  name: { description: 'Its name, printed on receipts.', example: 'Maple Street Books' },
  currencies: { description: 'What it can take.', example: ['USD', 'CAD'] },
  timeZone: { description: 'IANA name.', example: 'America/New_York' },
  cutOff: { description: 'When its day ends, in that time zone.', example: '22:00' },
  locale: { description: 'The language of receipts and forms.', example: 'en-US' },
  fundingType: {
    description: '`Net` takes fees off each settlement, `Gross` charges them monthly.',
    example: 'Net',
  },
  managedWebhooks: { description: 'Whether it can set up managed webhooks by itself.', example: false },
  unreferencedRefunds: { description: 'Refunds without an original.', of: UNREFERENCED_REFUNDS },
  rateLimitPerSecond: {
    description: 'Requests a second and instance; 0 is no limit. Left out: the service’s own.',
    example: 500,
  },
};

export const NEW_MERCHANT = requestSchema(
  NewMerchantDto,
  'NewMerchant',
  'A merchant; it can take payments at once.',
  {
    ...settings,
    currencies: { ...settings.currencies, default: ['USD', 'CAD'] },
    timeZone: { ...settings.timeZone, default: 'America/New_York' },
    cutOff: { ...settings.cutOff, default: '22:00' },
    locale: { ...settings.locale, default: 'en-US' },
    fundingType: { ...settings.fundingType, default: 'Net' },
    managedWebhooks: { ...settings.managedWebhooks, default: false },
  },
);

export const MERCHANT_CHANGE = requestSchema(
  MerchantChangeDto,
  'MerchantChange',
  'What changes; at least one field.',
  settings,
  { atLeastOne: true },
);

export const REASON = requestSchema(ReasonDto, 'Reason', 'Why, for the record.', {
  reason: { description: 'In your own words.', example: 'asked for by the merchant' },
});

export const NEW_API_KEY = requestSchema(NewApiKeyDto, 'NewApiKey', 'A key of a merchant.', {
  name: { description: 'What it is for.', example: 'Web shop' },
  readOnly: { description: 'Whether it may only read.', default: false, example: false },
});

const FORM_DEFAULTS = requestSchema(
  FormDefaultsDto,
  'FormConfig',
  'What a hosted form shows and asks for where a request does not say it.',
  {
    billingInfoCaptureLevel: {
      description: '`Minimal` asks for country and ZIP code, cards only; `Full` for the whole address.',
      example: 'Full',
    },
    enable3DSecure: { description: 'Whether cardholders are authenticated; cards only.', example: true },
    piiFields: { description: 'What else is asked for.', example: ['Email'] },
  },
);

const method = {
  description: { description: 'A name for people.', example: 'Second till' },
  currency: {
    description: 'What it takes; required where the merchant has both currencies.',
    example: 'USD',
  },
  isDefault: {
    description: 'Whether it is meant where a request names none; one per merchant and type.',
    example: false,
  },
};
const form = {
  formConfig: { description: 'What counts where a request does not say it.', of: FORM_DEFAULTS },
  allowedOrigins: {
    description: 'Pages that the form may tell of its end.',
    example: ['https://shop.example'],
  },
};

export const NEW_TERMINAL = requestSchema(NewTerminalDto, 'NewTerminal', 'A payment terminal.', method);

export const NEW_FORM = requestSchema(NewFormDto, 'NewForm', 'A hosted form.', {
  ...method,
  ...form,
  type: {
    description: '`Virtual` takes cards, `VirtualAch` US and `VirtualEft` Canadian bank accounts.',
    example: 'Virtual',
  },
});

export const PAYMENT_METHOD_CHANGE = requestSchema(
  PaymentMethodChangeDto,
  'PaymentMethodChange',
  'What changes; at least one field.',
  {
    ...method,
    ...form,
    type: { description: 'The one that it is: it can’t change.', example: 'Virtual' },
    disabled: { description: 'Whether it is refused in new requests.', example: false },
  },
  { atLeastOne: true },
);
