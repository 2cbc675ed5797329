export interface Liveness {
  status: 'live';
}

/** 200 when ready; 503 with a reason for each thing that is not. */
export interface Readiness {
  status: 'ready' | 'unavailable';
  reasons: string[];
  /** All that was looked at. */
  checks: HealthCheck[];
}

export interface HealthCheck {
  name: string;
  /** `warning`: somebody should look at it; requests are taken all the same. */
  state: 'ok' | 'warning' | 'failed';
  /** Absent where all is well. */
  reason?: string;
}
