import type { Log } from '@tillstream/platform';
import type { NextFunction, Request, Response } from 'express';
import { callId, type WireRequest } from './wire.request.js';

/** First of all: names the call, and logs one line when it is over. */
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
