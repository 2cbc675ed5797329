import type { Log } from '@tillstream/platform';
import type { NextFunction, Request, Response } from 'express';
import { callId, type WireRequest } from './wire.request.js';

/** Reads the call id of each request, and logs one line when the request has ended. */
export function requestLog(log: Log) {
  return (received: Request, response: Response, next: NextFunction): void => {
    const request = received as WireRequest;
    const startedAt = performance.now();
    request.callId = callId(request);
    request.logged = {};
    response.once('close', () => {
      log.info('request', {
        method: request.method,
        route: (request.route as { path?: unknown } | undefined)?.path,
        status: response.writableFinished ? response.statusCode : 499,
        ms: Math.round((performance.now() - startedAt) * 100) / 100,
        ...request.logged,
      });
    });
    next();
  };
}
