import type { SettlementAdapters } from '@tillstream/platform';

/** Closed until the start is over, and again once the process stops. */
export interface ReadinessGate {
  /** Why the process does nothing now. */
  closedBecause: string | undefined;
}

/* Injection tokens: the parts are interfaces, which Nest can't tell apart by type. */
export const ADAPTERS = Symbol('SettlementAdapters');
export const READINESS = Symbol('ReadinessGate');

export interface SettlementParts {
  readonly adapters: SettlementAdapters;
  readonly readiness: ReadinessGate;
}
