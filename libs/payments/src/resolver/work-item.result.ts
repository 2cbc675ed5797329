/**
 * What a piece of work came to. `Again`: it could not be done or is not known yet, and the schedule says when to try it
 * again. `NextLook`: this inquiry was answered, and the schedule may have another. `Operator`: only a person can go on.
 * `Unconfigured`: its processor is not configured, and no operator could begin it again later, so it waits for that one.
 */
export type WorkItemResult = 'Done' | 'Again' | 'NextLook' | 'Operator' | 'Unconfigured';
