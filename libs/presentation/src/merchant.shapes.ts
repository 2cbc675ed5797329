import type {
  AdminKeyItem,
  ApiKeyItem,
  CreatedPaymentMethod,
  Merchant as MerchantShape,
  OperatorPaymentMethod,
} from '@tillstream/contracts';
import type { AdminKey, IssuedApiKey, Merchant, PaymentMethod } from '@tillstream/domain';
import { paymentMethodListItem } from './payment-method.details.js';

/** Without payment methods and keys, which have their own lists. */
export function merchantShape(merchant: Merchant): MerchantShape {
  const { unreferencedRefunds, rateLimitPerSecond, currencies } = merchant;
  const { enabled, dailyLimit } = unreferencedRefunds;
  return {
    id: merchant.id,
    name: merchant.name,
    status: merchant.status,
    currencies: [...currencies],
    timeZone: merchant.timeZone,
    cutOff: merchant.cutOff,
    locale: merchant.locale,
    fundingType: merchant.fundingType,
    managedWebhooks: merchant.managedWebhooks,
    unreferencedRefunds: { enabled, ...(dailyLimit !== undefined && { dailyLimit }) },
    ...(rateLimitPerSecond !== undefined && { rateLimitPerSecond }),
    createdAt: merchant.createdAt,
    updatedAt: merchant.updatedAt,
  };
}

export function apiKeyItem({ id, name, readOnly, lastFour, createdAt, revokedAt }: IssuedApiKey): ApiKeyItem {
  return { id, name, readOnly, lastFour, createdAt, ...(revokedAt !== undefined && { revokedAt }) };
}

export function adminKeyItem(key: AdminKey): AdminKeyItem {
  const { id, name, lastFour, createdAt, createdBy, revokedAt, revokedBy } = key;
  return {
    id,
    name,
    lastFour,
    createdAt,
    createdBy,
    ...(revokedAt !== undefined && { revokedAt }),
    ...(revokedBy !== undefined && { revokedBy }),
  };
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
