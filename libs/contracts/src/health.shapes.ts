export interface Liveness {
  status: 'live';
}

/** 200 when ready; 503 with a reason for each thing that is not. */
export interface Readiness {
  status: 'ready' | 'unavailable';
  reasons: string[];
}
