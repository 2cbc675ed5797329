/** Names and ids of the service, never personal or card data. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface TracedRequest {
  /** 32 hexadecimal digits. The response names it. */
  readonly traceId: string;
  /** The caller's header, if its trace is continued. */
  readonly traceparent?: string;
  readonly method: string;
}

export interface RequestSpan {
  /** Call it when the response was sent. `route`: the template. */
  end(answer: { readonly route: string; readonly status: number; readonly attributes: SpanAttributes }): void;
}

/** The spans of requests. */
export interface Tracing {
  /** False: no spans are collected. */
  readonly enabled: boolean;
  /** Starts the span of a request. All work that `run` starts belongs to it. */
  request(request: TracedRequest, run: () => void): RequestSpan;
  /** Runs `work` in a span of the current request; without a request it just runs `work`. */
  step<Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result>;
  /** Starts a span without child spans. The returned function ends it. */
  leaf(name: string, attributes: SpanAttributes): (attributes: SpanAttributes) => void;
  /** Sends the last spans, within a time limit. Never rejects. */
  stop(): Promise<void>;
}

const noSpan: RequestSpan = { end: () => undefined };
const noLeaf = (): void => undefined;

export const noTracing: Tracing = {
  enabled: false,
  request: (_request, run) => {
    run();
    return noSpan;
  },
  step: (_name, _attributes, work) => work(),
  leaf: () => noLeaf,
  stop: () => Promise.resolve(),
};
