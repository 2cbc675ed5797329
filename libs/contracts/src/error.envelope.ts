/** `docs/spec/errors.md#execution-status`. */
export type ExecutionStatus = 'Completed' | 'Rejected' | 'Interrupted' | 'Unknown';

export interface ErrorDetail {
  code: number;
  /** A JSON path such as `amountBreakdown.tip`, or the name of a header or parameter. */
  field?: string;
  /** A sentence for a developer. */
  message: string;
  /** What was received and what is allowed; of an interrupted operation its transaction id. */
  details?: string;
}

/** The body of every answer that is no success (`docs/spec/errors.md#envelope`). */
export interface ErrorEnvelope {
  code: number;
  status: ExecutionStatus;
  message: string;
  /** 32 hex; the same as the header `x-trace-id`. */
  traceId: string;
  timestamp: string;
  errorDetails: ErrorDetail[];
}
