export { AttemptSender, type AttemptSenderParts, type SendResult } from './attempt.sender.js';
export { planAttempt, startAttempt, type AttemptStart } from './send-window.js';
export type { AttemptAggregate, ResponseToRecord, PaymentSecret } from './attempt.aggregate.js';
export { OutcomeRetries } from './outcome-retries.js';
export { PaymentAttempts, type PaymentSender } from './payment.attempts.js';
export { processorKey } from './processor-requests.js';
export { CardVerificationAttempts, type CardVerificationSender } from './card-verification.attempts.js';
