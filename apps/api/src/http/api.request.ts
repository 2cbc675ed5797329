import type { Actor, IdempotencyTicket } from '@tillstream/payments';
import type { NextFunction, Request, Response } from 'express';
import type { Caller } from '../access/caller.kinds.js';
import type { Turn } from '../access/merchant.turns.js';
import type { Column } from '../csv/csv.columns.js';
import type { JsonResponse } from './json.response.js';

/** An HTTP request with what the API found out about it. */
export interface ApiRequest extends Request {
  /** 32 hex. */
  traceId: string;
  /** The guard sets it once the credential is valid; never on a route for `Anyone`. */
  caller?: Caller;
  /** Of a merchant's request. The HTTP adapter and the error filter end it, before they send the response. */
  turn?: Turn;
  /** It was refused because its merchant has too many requests in flight. */
  hasNoTurn?: boolean;
  /** From here on an error can't promise that nothing was stored. */
  mayHaveStored?: boolean;
  /** Under an `Idempotency-Key`. */
  keyed?: KeyedRequest;
  /** The caller's actor with the name in `x-actor`, if a writing request has that header. */
  actor?: Actor;
  /** Of a writing request that `RequestGuard` has received. */
  responder?: Responder;
  /** Of a request for a list whose client prefers CSV. */
  csvColumns?: readonly Column[];
  /** For the line of the request log. */
  logged: { transactionId?: string; code?: number; error?: string; stack?: string; replayed?: boolean };
}

/** Ends a writing request. */
export interface Responder {
  /** The response to what the controller's method returned. */
  ofResult(result: object): Promise<JsonResponse>;
  /** The error to send after an error of the request. Never rejects. */
  ofError(error: unknown): Promise<unknown>;
}

export interface KeyedRequest {
  readonly owner: string;
  readonly key: string;
  readonly fingerprint: string;
  /** Set once the key was looked up and is free. */
  ticket?: IdempotencyTicket;
  /** Of a change: the key is reserved durably. */
  isReserved?: boolean;
}

export type ApiResponse = Response;
export type Middleware = (request: ApiRequest, response: ApiResponse, next: NextFunction) => void;

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

export function isReading({ method }: Pick<ApiRequest, 'method'>): boolean {
  return READING.has(method);
}
