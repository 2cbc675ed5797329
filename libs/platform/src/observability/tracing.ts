/** Values of a span's attributes: names of ours and ids, never what a person or a card is. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface TracedRequest {
  /** 32 hex: the trace that the answer names. */
  readonly traceId: string;
  /** As it was received, where it was used. */
  readonly traceparent?: string;
  readonly method: string;
}

export interface RequestSpan {
  /** Once the answer has left. `route`: the template. */
  end(answer: { readonly route: string; readonly status: number; readonly attributes: SpanAttributes }): void;
}

/** Spans of what this process does for a request, for whoever collects them. */
export interface Tracing {
  /** False: nothing is collected, and nobody needs to ask for spans. */
  readonly enabled: boolean;
  /** What `run` starts belongs to the span, until its promises are done. */
  request(request: TracedRequest, run: () => void): RequestSpan;
  /** A step of the request that is being served; without one just `work`. */
  step<Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result>;
  /** A step that has no steps of its own. What it gives back ends it. */
  leaf(name: string, attributes: SpanAttributes): (attributes: SpanAttributes) => void;
  /** Sends what was collected, for a short while; never rejects. */
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
