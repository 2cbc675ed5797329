import type { SettlementAdapters } from '@tillstream/platform';

/** Closed during the start and the stop. */
export interface ReadinessGate {
  /** Why the process is not ready. */
  closedBecause: string | undefined;
}

/* Injection tokens, because Nest can't inject interfaces by type. */
export const ADAPTERS = Symbol('SettlementAdapters');
export const READINESS = Symbol('ReadinessGate');

export interface SettlementParts {
  readonly adapters: SettlementAdapters;
  readonly readiness: ReadinessGate;
}
