/** What the driver's process is asked for: sales on keep-alive connections, each on a terminal of its own, one at a time. */
export interface Load {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly apiKey: string;
  /** One connection for each. */
  readonly terminals: readonly string[];
  readonly ms: number;
  readonly withReferenceId: boolean;
  readonly withIdempotencyKey: boolean;
}

export interface Traffic {
  /** Sales a second, each answered as completed. */
  readonly rate: number;
  /** Latency, ms. */
  readonly p50: number;
  readonly p99: number;
}

export type DriverReply =
  { readonly kind: 'done'; readonly traffic: Traffic } | { readonly kind: 'failed'; readonly reason: string };
