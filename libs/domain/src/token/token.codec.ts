import { eventCodec } from '../shared/codec.js';
import type { TokenEvent } from './token.events.js';

/** Frozen examples of each version are in `fixtures/`. */
export const tokenCodec = eventCodec<TokenEvent>({
  types: {
    TokenRequested: [],
    VerificationRequested: [],
    VerificationNotSent: [],
    VerificationInterrupted: [],
    TokenCreated: [],
    VerificationDeclined: [],
    VerificationCancelled: [],
    VerificationNotExecuted: [],
    TokenUpdated: [],
    TokenRemoved: [],
    TokenKeysDestroyed: [],
  },
});
