import type { Observability, SpanAttributes } from '@tillstream/platform';
import { callerIds } from '../access/caller.js';
import type { ApiRequest, Middleware } from '../http/api.request.js';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** The client closed the connection before the response. */
const CLIENT_CLOSED = 499;
const RATE_LIMITED = 429;

/** Counts, times and traces each request. Labels are route templates: nothing that a client sends is a label. */
export function measuring({ metrics, tracing }: Pick<Observability, 'metrics' | 'tracing'>): Middleware {
  return (request, response, next) => {
    const startedAt = performance.now();
    const method = METHODS.has(request.method) ? request.method : 'OTHER';
    metrics.httpInFlight.now += 1;
    response.on('close', () => {
      metrics.httpInFlight.now -= 1;
      const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED;
      const route = routeOf(request);
      metrics.httpDuration
        .labels(method, route, String(status))
        .observe((performance.now() - startedAt) / 1000);
      // The limits of hosted forms and of requests in flight have metrics of their own.
      if (status === RATE_LIMITED && request.caller?.kind !== 'FormSession' && !request.hasNoTurn)
        metrics.rateLimited.labels().inc();
      span.end({ route, status, attributes: tracing.enabled ? attributesOf(request) : {} });
    });
    const { traceId, headers } = request;
    const { traceparent } = headers;
    const caller = typeof traceparent === 'string' ? { traceparent } : {};
    const span = tracing.request({ traceId, method, ...caller }, next);
  };
}

/** The template of Express's route; an unknown path has the template of its fallback controller. */
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
