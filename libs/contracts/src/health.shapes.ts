export interface Liveness {
  status: 'live';
}

/** HTTP 200 when ready; else 503, with a reason for each failed check. */
export interface Readiness {
  status: 'ready' | 'unavailable';
  reasons: string[];
  checks: HealthCheck[];
}

export interface HealthCheck {
  name: string;
  /** `warning`: an operator should look at it; the service still takes requests. */
  state: 'ok' | 'warning' | 'failed';
  /** Absent if the state is `ok`. */
  reason?: string;
}
