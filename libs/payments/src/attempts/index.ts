export { AttemptSender, type AttemptSenderParts, type Sent } from './attempt.sender.js';
export { planOf, startAttempt, type AttemptStart } from './attempt.start.js';
export type { Attempted, Recording, Secret } from './attempted.js';
export { OutcomeRetries } from './outcome.retries.js';
export { PaymentAttempts, type PaymentSender } from './payment.attempts.js';
export { processorKey } from './processor.requests.js';
export { VerificationAttempts, type VerificationSender } from './verification.attempts.js';
