import type { Request, Response } from 'express';
import type { Caller } from '../access/caller.kinds.js';

/** A request on its way through the API, with what was found out about it. */
export interface ApiRequest extends Request {
  /** 32 hex. */
  traceId: string;
  /** Set by the guard once the credential was found valid; never on a route for anyone. */
  caller?: Caller;
  /** From here on a failure can't promise any more that nothing was stored. */
  mayHaveStored?: boolean;
  /** No earlier request under its `Idempotency-Key` was stored: the key was looked up, and is free. */
  isFirstOfItsKey?: boolean;
  /** Its body has a `referenceId`; undefined: the body was not read. */
  namesReference?: boolean;
  /** For the line of the request log. */
  logged: { transactionId?: string; code?: number; error?: string; stack?: string; replayed?: boolean };
}

export type ApiResponse = Response;
