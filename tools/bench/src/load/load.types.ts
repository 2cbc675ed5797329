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
  /** The loop ends after so many sales, if it lasts that long. Left out: with the time. */
  readonly salesMax?: number;
  /** The status that a sale has to be answered with. Left out: `Completed`. */
  readonly answeredAs?: 'Completed' | 'Processing';
}

/** Ends the loop of a driver before its time. */
export const HALT = 'halt';

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
  /** Sales that were completed, by the time of their answer. */
  readonly timeline?: Timeline;
}

/** On the clock of `pace.ts`, which all processes of a machine share. */
export interface Timeline {
  readonly startedAt: number;
  /** The counts of the slices of 100 ms from the start on. */
  readonly counts: readonly number[];
}

export const SLICE_MS = 100;

export type DriverReply =
  { readonly kind: 'done'; readonly traffic: Traffic } | { readonly kind: 'failed'; readonly reason: string };
