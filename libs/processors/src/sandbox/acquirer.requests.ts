import type {
  CardOperation,
  CardRequest,
  FollowUpOperation,
  FollowUpRequest as AcquirerFollowUp,
} from '@tillstream/sandbox';
import type { FollowUpRequest, PaymentRequest } from '../processor.port.js';

export function cardRequest(operation: CardOperation, request: PaymentRequest, key: string): CardRequest {
  const { merchantId, account, channel, amount, currency, terminalId, card, billing, networkTransactionId } =
    request;
  return {
    operation,
    key,
    merchantId,
    account,
    channel,
    amount,
    currency,
    ...(terminalId !== undefined && { terminalId }),
    ...(card && { card }),
    ...(billing?.zipCode !== undefined && { zipCode: billing.zipCode }),
    ...(networkTransactionId !== undefined && { networkTransactionId }),
  };
}

export function followUpRequest(
  operation: FollowUpOperation,
  { merchantId, account, channel, amount, currency, originalKey }: FollowUpRequest,
  key: string,
): AcquirerFollowUp {
  return { operation, key, merchantId, account, channel, amount, currency, originalKey };
}
