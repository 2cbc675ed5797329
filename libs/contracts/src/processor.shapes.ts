/** A processor, for operators. */
export interface ProcessorState {
  name: string;
  /** Of this instance's circuit breaker. Only `Closed` lets all attempts through. */
  state: 'Closed' | 'Open' | 'HalfOpen';
  /** The processor switch, on all instances. Absent: not stopped. */
  stopped?: { by: string; reason: string; since: string };
}
