import type { AttemptEventData, SendWindow } from '../attempt/index.js';
import type { Encrypted, ThreeDsFacts } from '../shared/event.shapes.js';

/*
 * The data of events about the authentication of a cardholder by 3-D Secure, for all aggregates that have hosted forms.
 * Storage: these shapes never change (docs/adr/0014).
 */

/** The cardholder was authenticated without a challenge, and the attempt goes on to the processor. */
export interface ThreeDsCompleted extends AttemptEventData {
  readonly threeDs: ThreeDsFacts;
  /** The new send window of the attempt. */
  readonly resumes: SendWindow;
}

/** Version 2. In version 1 the processor itself ran each challenge, so there was no `threeDsServer`. */
export interface ChallengeOpened extends AttemptEventData {
  readonly challengeId: string;
  /** A path is a page of this service. */
  readonly redirectUrl: string;
  readonly expiresAt: string;
  /** The 3-D Secure server of the service that runs the challenge. Absent: the processor does. */
  readonly threeDsServer?: string;
  /** What the processor gets besides the card, sealed under a key of the attempt. The vault has the card. */
  readonly personal?: Encrypted;
}

export interface ChallengeEnded extends AttemptEventData {
  readonly challengeId: string;
  readonly threeDs: ThreeDsFacts;
  /** The new send window, if the attempt goes on to the processor. */
  readonly resumes?: SendWindow;
}
