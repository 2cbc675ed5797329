/** The application of a merchant to take payments (`docs/spec/operators.md#merchant-application`). */
export interface MerchantApplication {
  /** `app_…`. */
  id: string;
  /** `Started`, `InfoUploaded`, `RequiresAction`, `Submitted`, `Approved`, `Rejected`, or that of the reviewer. */
  status: string;
  /** Of the last step. */
  reason?: string;
  /** While the status is `RequiresAction`. */
  requiredActions?: string[];
}
