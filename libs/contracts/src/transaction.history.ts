export type ActorType = 'ApiKey' | 'Customer' | 'Operator' | 'System';

/**
 * One recorded event of the payment or stored card that a transaction belongs to (`docs/spec/transactions.md#history`).
 */
export interface HistoryItem {
  /** From 0, without gaps. */
  sequence: number;
  type: string;
  timestamp: string;
  actor: { type: ActorType; name: string };
  reason?: string;
  traceId?: string;
  data: Record<string, unknown>;
}
