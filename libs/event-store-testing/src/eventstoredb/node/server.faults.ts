import type { CallKind, ObservedCall } from '../double.options.js';

/** What goes wrong with a call. Where nothing else is said, an append with the fault is not written. */
export type ServerFault =
  /** Resets the connection; of a read or a subscription after so many events (left out: 0). */
  | { readonly kind: 'DropConnection'; readonly afterEvents?: number }
  /** "Server Is Not Ready", as a server says while it starts. */
  | { readonly kind: 'NotReady' }
  /** A gRPC status. In a batch: 7 is AccessDenied, 4 and 10 are Timeout, 14 ends all of the batch call, others Unknown. */
  | {
      readonly kind: 'Refuse';
      readonly code: number;
      readonly details?: string;
      readonly trailers?: Readonly<Record<string, string>>;
    }
  /** Goes on after so many ms. */
  | { readonly kind: 'Delay'; readonly ms: number }
  /** An append is told that the stream's last revision is another, whatever it is. Other calls: nothing. */
  | { readonly kind: 'WrongVersion'; readonly current: number | 'none' }
  /** Is never answered; the connection stays open. */
  | { readonly kind: 'Silence' }
  | { readonly kind: 'NotLeader'; readonly leader: { readonly address: string; readonly port: number } }
  /** An append is written and its answer lost, by a reset or by silence. Other calls: only the loss. */
  | { readonly kind: 'LoseAnswer'; readonly then: 'drop' | 'silence' }
  /**
   * An append is not written when asked, and not answered. It is written when another with the same first event id
   * arrives, before that one is looked at (left out) or after it, and after so many ms if none came. Those that wait
   * are gone at `stop`. Other calls: only the loss.
   */
  | {
      readonly kind: 'CommitLate';
      readonly then: 'drop' | 'silence';
      readonly order?: 'beforeRepeat' | 'afterRepeat';
      readonly ms?: number;
    };

/** Which calls have the fault. What is left out fits every call, except that gossip and features must be named. */
export interface FaultTarget {
  readonly call?: CallKind | readonly CallKind[];
  readonly stream?: string | RegExp;
  readonly when?: (call: ObservedCall) => boolean;
  /** Calls that have it. Left out: 1. */
  readonly times?: number;
}

const ON_REQUEST: readonly CallKind[] = ['features', 'gossip'];

/** The faults that wait for their calls. */
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
