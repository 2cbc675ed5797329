/** Sales on keep-alive connections, one at a time on each. */
export interface Load {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly apiKey: string;
  /** One connection for each id. A terminal serves one sale at a time; a stored card may be here several times. */
  readonly paymentMethodIds: readonly string[];
  readonly ms: number;
  /** Through hosted forms: submitted by a customer, or left waiting for one. Left out: by one request. */
  readonly byForm?: 'Submitted' | 'Waiting';
  readonly withReferenceId: boolean;
  readonly withIdempotencyKey: boolean;
  /** Rate of an open loop. Left out: a closed loop. */
  readonly perSecond?: number;
}

export interface Traffic {
  /** Completed sales per second. */
  readonly rate: number;
  /** Sales that were not completed, for example because the disk stalled. */
  readonly refused: number;
  /** Latency, ms: from the planned instant in an open loop, from the sending in a closed loop. */
  readonly p50: number;
  readonly p99: number;
  /** 99th percentile of the delay between instant and sending, ms; 0 in a closed loop. */
  readonly lateP99: number;
}

export type DriverReply =
  { readonly kind: 'done'; readonly traffic: Traffic } | { readonly kind: 'failed'; readonly reason: string };
