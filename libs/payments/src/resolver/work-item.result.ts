/**
 * The result of one run of a work item.
 * - `Again`: the run failed or found no outcome; the schedule says when the next run is.
 * - `NextInquiry`: the processor answered this late inquiry; the schedule may have another one.
 * - `Operator`: only an operator can go on.
 * - `Unconfigured`: the processor is not configured. No operator could start this work again, so it waits for the processor.
 */
export type WorkItemResult = 'Done' | 'Again' | 'NextInquiry' | 'Operator' | 'Unconfigured';
