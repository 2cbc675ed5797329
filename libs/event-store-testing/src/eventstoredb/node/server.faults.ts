import type { CallKind, ObservedCall } from '../double.options.js';

/** A fault of a call. An append with a fault is not written, unless the fault says otherwise. */
export type ServerFault =
  /** Resets the connection; for a read or a subscription after `afterEvents` events (left out: 0). */
  | { readonly kind: 'DropConnection'; readonly afterEvents?: number }
  /** "Server Is Not Ready", as a server answers while it starts. */
  | { readonly kind: 'NotReady' }
  /** A gRPC status. In a batch: 7 is AccessDenied, 4 and 10 are Timeout, 14 ends all of the batch call, others Unknown. */
  | {
      readonly kind: 'Refuse';
      readonly code: number;
      readonly details?: string;
      readonly trailers?: Readonly<Record<string, string>>;
    }
  /** Executes the call after `ms`. */
  | { readonly kind: 'Delay'; readonly ms: number }
  /** An append is answered with a conflict. No effect on other calls. */
  | { readonly kind: 'WrongVersion'; readonly current: number | 'none' }
  /** The call is never answered; the connection stays open. */
  | { readonly kind: 'Silence' }
  | { readonly kind: 'NotLeader'; readonly leader: { readonly address: string; readonly port: number } }
  /** An append is written and its answer is lost, by a reset or by silence. For other calls: only the loss. */
  | { readonly kind: 'LoseAnswer'; readonly then: 'drop' | 'silence' }
  /**
   * An append is not answered and written late: when another one with the same first event id arrives, before that one (left
   * out) or after it; and after `ms` if none arrives. `stop` discards the waiting appends. For other calls: only the loss.
   */
  | {
      readonly kind: 'CommitLate';
      readonly then: 'drop' | 'silence';
      readonly order?: 'beforeRepeat' | 'afterRepeat';
      readonly ms?: number;
    };

/** Which calls have the fault. A left-out field matches every call, but gossip and features must be named. */
export interface FaultTarget {
  readonly call?: CallKind | readonly CallKind[];
  readonly stream?: string | RegExp;
  readonly when?: (call: ObservedCall) => boolean;
  /** Number of calls that have the fault. Left out: 1. */
  readonly times?: number;
}

const ON_REQUEST: readonly CallKind[] = ['features', 'gossip'];

/** The faults that no call has had yet. */
export class ServerFaults {
  readonly #waiting: { readonly fault: ServerFault; readonly where: FaultTarget; left: number }[] = [];

  inject(fault: ServerFault, where: FaultTarget = {}): void {
    this.#waiting.push({ fault, where, left: where.times ?? 1 });
  }

  clear(): void {
    this.#waiting.length = 0;
  }

  take(call: ObservedCall): ServerFault | undefined {
    const index = this.#waiting.findIndex(({ where }) => fits(where, call));
    const found = this.#waiting[index];
    if (found === undefined) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.#waiting.splice(index, 1);
    return found.fault;
  }
}

function fits(where: FaultTarget, call: ObservedCall): boolean {
  const kinds = where.call === undefined ? undefined : [where.call].flat();
  if (kinds === undefined ? ON_REQUEST.includes(call.call) : !kinds.includes(call.call)) return false;
  if (
    where.stream instanceof RegExp &&
    !new RegExp(where.stream.source, where.stream.flags.replace(/[gy]/g, '')).test(call.stream ?? '')
  )
    return false;
  if (typeof where.stream === 'string' && where.stream !== call.stream) return false;
  return where.when?.(call) !== false;
}
