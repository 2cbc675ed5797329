/** A processor, for operators. */
export interface ProcessorState {
  name: string;
  /** Of this instance's circuit breaker: only `CloseResult` lets everything through. */
  state: 'Closed' | 'Open' | 'HalfOpen';
  /** Absent: nobody stopped sending to it. On all instances. */
  stopped?: { by: string; reason: string; since: string };
}
