import type {
  AdminKeyItem,
  ApiKeyItem,
  CreatedPaymentMethod,
  Merchant as MerchantShape,
  OperatorPaymentMethod,
} from '@tillstream/contracts';
import { pick, type IssuedApiKey, type Merchant, type PaymentMethod } from '@tillstream/domain';
import type { AdminKey } from '@tillstream/domain/service';
import { paymentMethodListItem } from './payment-method.details.js';

/** Without payment methods and keys, which have their own lists. */
export function merchantShape(merchant: Merchant): MerchantShape {
  return {
    ...pick(merchant, 'id', 'name', 'status'),
    currencies: [...merchant.currencies],
    ...pick(merchant, 'timeZone', 'cutOff', 'locale', 'fundingType', 'managedWebhooks'),
    unreferencedRefunds: pick(merchant.unreferencedRefunds, 'enabled', 'dailyLimit'),
    ...pick(merchant, 'rateLimitPerSecond', 'createdAt', 'updatedAt'),
  };
}

export function apiKeyItem(key: IssuedApiKey): ApiKeyItem {
  return pick(key, 'id', 'name', 'readOnly', 'lastFour', 'createdAt', 'revokedAt');
}

export function adminKeyItem(key: AdminKey): AdminKeyItem {
  return pick(key, 'id', 'name', 'lastFour', 'createdAt', 'createdBy', 'revokedAt', 'revokedBy');
}

export function createdPaymentMethod(method: PaymentMethod): CreatedPaymentMethod {
  const { formConfig, allowedOrigins } = method;
  const { piiFields, ...config } = formConfig ?? {};
  return {
    ...paymentMethodListItem(method),
    ...(formConfig && { formConfig: { ...config, ...(piiFields && { piiFields: [...piiFields] }) } }),
    ...(allowedOrigins && { allowedOrigins: [...allowedOrigins] }),
  };
}

export function operatorPaymentMethod(method: PaymentMethod): OperatorPaymentMethod {
  return { ...createdPaymentMethod(method), disabled: method.disabled };
}
