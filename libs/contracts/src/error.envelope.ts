/** `docs/spec/errors.md#execution-status`. */
export type ExecutionStatus = 'Completed' | 'Rejected' | 'Interrupted' | 'Unknown';

export interface ErrorDetail {
  code: number;
  /** A JSON path such as `amountBreakdown.tip`, or the name of a header or parameter. */
  field?: string;
  /** A sentence for a developer. */
  message: string;
  /** The received and the allowed value; for an interrupted operation, its transaction id. */
  details?: string;
}

/** The body of every error response (`docs/spec/errors.md#envelope`). */
export interface ErrorEnvelope {
  code: number;
  status: ExecutionStatus;
  message: string;
  /** 32 hex; the same as the header `x-trace-id`. */
  traceId: string;
  timestamp: string;
  errorDetails: ErrorDetail[];
}
