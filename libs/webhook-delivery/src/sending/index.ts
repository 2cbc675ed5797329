export type { AttemptOptions, DeliverySeals, SendingClock } from './attempt.js';
export {
  ANSWER_BYTES_MAX,
  TIME_LIMIT_MS,
  type DeliveryAnswer,
  type DeliveryRequest,
} from './posted.delivery.js';
export { systemResolver, type NameResolver } from './name.resolver.js';
export { ATTEMPTS_MAX, nextAttemptAt, RETRY_STEPS_MS } from './retry.schedule.js';
export { AllowedAddresses, literalAddress } from './special.address.js';
export { DeliverySender, type SenderLog, type SenderOptions } from './delivery.sender.js';
export type { EndpointHealthLog } from './endpoint.health.js';
export type { EndpointDisablerOptions } from './endpoint.disabler.js';
export { defaultSendingLimits, type SendingLimits } from './sending.capacity.js';
