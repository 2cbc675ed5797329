import type { ApiError } from '../../http/api.error.js';
import { invalidFields } from '../../http/api.error.js';
import { invalidField } from '../../validation/body.check.js';
import { received } from '../../validation/received.text.js';

export function currencyNotOffered(offered: readonly string[], currency: string | undefined): ApiError {
  const allowed = `one of ${offered.join(', ')}`;
  const message = `currency must be ${allowed}: the merchant takes no other.`;
  return invalidFields([invalidField('currency', message, `${received(currency)}, allowed ${allowed}`)]);
}
