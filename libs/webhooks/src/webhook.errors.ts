/** Why a request is no delivery that can be trusted. */
export type RefusalCode =
  /** The request has the headers of no method whose secret was given. */
  | 'SignatureMissing'
  /** A header of the signature is there, but not in its form. */
  | 'HeaderInvalid'
  /** The signed time is longer ago than the tolerance: a replay, or a clock that is ahead. */
  | 'TimestampTooOld'
  /** The signed time is in the future by more than the tolerance: the clock of this machine is behind. */
  | 'TimestampTooNew'
  /** No secret makes one of the signatures: another secret, or other bytes than those that were sent. */
  | 'SignatureWrong'
  /** The signature is right, but the body is not the JSON of an event. */
  | 'PayloadInvalid';

/** The request must not be used. The message has neither a secret nor a part of the body. */
export class WebhookRefusedError extends Error {
  override readonly name = 'WebhookRefusedError';

  constructor(
    readonly code: RefusalCode,
    message: string,
  ) {
    super(message);
  }
}

/** The receiving program is set up wrongly: a malformed secret, a body that was read before, a store that can lose data. */
export class WebhookSetupError extends Error {
  override readonly name = 'WebhookSetupError';
}
