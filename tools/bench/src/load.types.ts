/** What the driver's process is asked for: sales on keep-alive connections, one at a time on each. */
export interface Load {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly apiKey: string;
  /** One connection for each. A terminal serves one sale at a time; a stored card can be here several times. */
  readonly paymentMethodIds: readonly string[];
  readonly ms: number;
  readonly withReferenceId: boolean;
  readonly withIdempotencyKey: boolean;
  /**
   * An open loop: so many sales a second, at instants that are fixed before the first is sent. Left out, a connection
   * sells again as soon as it was answered.
   */
  readonly perSecond?: number;
}

export interface Traffic {
  /** Sales a second, each answered as completed. */
  readonly rate: number;
  /** Those that were answered otherwise, as where the disk stood still for longer than a sale waits for it. */
  readonly refused: number;
  /** Latency, ms: in an open loop from the planned instant, else from the sending. */
  readonly p50: number;
  readonly p99: number;
  /** By how much the 99th of a hundred requests was sent after its instant, ms; 0 in a closed loop. */
  readonly lateP99: number;
}

export type DriverReply =
  { readonly kind: 'done'; readonly traffic: Traffic } | { readonly kind: 'failed'; readonly reason: string };
