import type { Observability, SpanAttributes } from '@tillstream/platform';
import { callerIds } from '../access/caller.js';
import type { ApiRequest } from '../http/api.request.js';
import type { Middleware } from '../http/in.turn.js';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** A client that went away before it was answered. */
const GONE = 499;
const RATE_LIMITED = 429;

/** Counts, times and traces each request, once it was named. By route templates: nothing that a client sends is a label. */
export function measuring({ metrics, tracing }: Pick<Observability, 'metrics' | 'tracing'>): Middleware {
  return (request, response, next) => {
    const began = performance.now();
    const method = METHODS.has(request.method) ? request.method : 'OTHER';
    metrics.httpInFlight.now += 1;
    response.on('close', () => {
      metrics.httpInFlight.now -= 1;
      const status = response.writableFinished ? response.statusCode : GONE;
      const route = routeOf(request);
      metrics.httpDuration
        .withLabels(method, route, String(status))
        .observe((performance.now() - began) / 1000);
      if (status === RATE_LIMITED) metrics.rateLimited.withLabels().inc();
      span.end({ route, status, attributes: tracing.enabled ? attributesOf(request) : {} });
    });
    const { traceId, headers } = request;
    const { traceparent } = headers;
    const caller = typeof traceparent === 'string' ? { traceparent } : {};
    const span = tracing.request({ traceId, method, ...caller }, next);
  };
}

/** The template that Express found; what nothing answers is one of its own. */
function routeOf({ route }: ApiRequest): string {
  const path = (route as { readonly path?: unknown } | undefined)?.path;
  return typeof path === 'string' ? path : 'none';
}

function attributesOf(request: ApiRequest): SpanAttributes {
  const { transactionId, code } = request.logged;
  const { merchantId } = callerIds(request);
  return {
    ...(merchantId !== undefined && { 'tillstream.merchant_id': merchantId }),
    ...(transactionId !== undefined && { 'tillstream.transaction_id': transactionId }),
    ...(code !== undefined && { 'tillstream.error_code': code }),
  };
}
