import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Span,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type IdGenerator,
} from '@opentelemetry/sdk-trace-base';
import { withTimeout } from '@tillstream/runtime';
import type { ProcessInfo } from './metrics.registry.js';
import type { RequestSpan, SpanAttributes, TracedRequest, Tracing } from './tracing.js';

export interface OtlpOptions extends ProcessInfo {
  /** `http://collector:4318`; `/v1/traces` is added. */
  readonly endpoint: string;
  /** Percentage of the traces that begin here. The caller decides about the traces that it began. */
  readonly percent: number;
}

/** Spans are dropped if the collector does not answer: queue, calls and the last flush are bounded. */
const QUEUE_SPANS = 2_048;
const EXPORT_WITHIN_MS = 5_000;
const EXPORT_EVERY_MS = 1_000;
const CALLS_AT_ONCE = 2;
const STOP_WITHIN_MS = 2_000;

/** Sends spans by OTLP over HTTP, in JSON. */
export class OtlpTracing implements Tracing {
  readonly enabled = true;
  private readonly current = new AsyncLocalStorage<Span>();
  private readonly ids = new GivenTraceIds();
  private readonly provider: BasicTracerProvider;
  private readonly tracer: Tracer;

  constructor({ endpoint, percent, app, version, mode }: OtlpOptions) {
    const exporter = new OTLPTraceExporter({
      url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
      timeoutMillis: EXPORT_WITHIN_MS,
      concurrencyLimit: CALLS_AT_ONCE,
    });
    this.provider = new BasicTracerProvider({
      resource: resourceFromAttributes({
        'service.name': `tillstream-${app}`,
        'service.version': version,
        'deployment.environment.name': mode,
      }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(percent / 100) }),
      idGenerator: this.ids,
      spanProcessors: [
        new BatchSpanProcessor(exporter, {
          maxQueueSize: QUEUE_SPANS,
          scheduledDelayMillis: EXPORT_EVERY_MS,
          exportTimeoutMillis: EXPORT_WITHIN_MS,
        }),
      ],
    });
    this.tracer = this.provider.getTracer('tillstream', version);
  }

  request({ traceId, traceparent, method }: TracedRequest, run: () => void): RequestSpan {
    const parent = callersSpan(traceId, traceparent);
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    const options = { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } };
    const span = this.ids.with(traceId, () => this.tracer.startSpan(method, options, context));
    this.current.run(span, run);
    return {
      end: ({ route, status, attributes }) => {
        span.updateName(`${method} ${route}`);
        span.setAttributes({ 'http.route': route, 'http.response.status_code': status, ...attributes });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  async step<Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result> {
    const parent = this.current.getStore();
    if (!parent) return work();
    const context = trace.setSpan(ROOT_CONTEXT, parent);
    const span = this.tracer.startSpan(name, { attributes: { ...attributes } }, context);
    try {
      return await this.current.run(span, work);
    } catch (error) {
      // Not the error's message, which may contain personal data.
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
      throw error;
    } finally {
      span.end();
    }
  }

  leaf(name: string, attributes: SpanAttributes): (attributes: SpanAttributes) => void {
    const parent = this.current.getStore();
    if (!parent) return () => undefined;
    const options = { kind: SpanKind.CLIENT, attributes: { ...attributes } };
    const span = this.tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, parent));
    return (more) => {
      span.setAttributes({ ...more });
      span.end();
    };
  }

  async stop(): Promise<void> {
    await withTimeout(STOP_WITHIN_MS, 'the last spans', this.provider.shutdown()).catch(() => undefined);
  }
}

/** The caller's span of a trace. `traceId` was checked before. */
function callersSpan(traceId: string, traceparent: string | undefined): SpanContext | undefined {
  const [, id, spanId, flags] =
    /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/.exec(traceparent ?? '') ?? [];
  if (id !== traceId || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
}

/** Uses the trace id of the response for a trace that begins here. */
class GivenTraceIds implements IdGenerator {
  private given: string | undefined;

  with<Result>(traceId: string, begin: () => Result): Result {
    this.given = traceId;
    try {
      return begin();
    } finally {
      this.given = undefined;
    }
  }

  generateTraceId = (): string => this.given ?? randomBytes(16).toString('hex');
  generateSpanId = (): string => randomBytes(8).toString('hex');
}
