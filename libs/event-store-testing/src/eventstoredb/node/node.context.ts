import type { Metadata } from '@grpc/grpc-js';
import { setTimeout as sleep } from 'node:timers/promises';
import { accessRefusal } from './access.rules.js';
import type { ConnectionGate } from './connection.gate.js';
import type { CallKind, DoubleOptions, ObservedCall } from '../double.options.js';
import { DelayedCommits } from './delayed.commits.js';
import type { LogView } from '../log/log.view.js';
import type { LogAppendResult, AppendRequest, LogWriter } from '../log/log.writer.js';
import type { CallRefusal } from './call.refusal.js';
import { ServerFaults, type ServerFault } from './server.faults.js';

const CALLS_KEPT_MAX = 10_000;
/** How long a follower waits for a missing leader; a real follower waits for seconds. */
const FORWARD_TIMEOUT_MS = 100;

/** A node's place in its cluster. */
export interface NodeRole {
  isLeader(): boolean;
  /** The leader's address; undefined while no leader answers. */
  leader(): { readonly address: string; readonly port: number } | undefined;
}

/** Whether the node executes a call, refuses it, or never answers it. */
export type Admission =
  | { readonly kind: 'Go'; readonly fault: ServerFault | undefined }
  | { readonly kind: 'Refused'; readonly refusal: CallRefusal }
  | { readonly kind: 'Silent' };

export interface CallOrigin {
  readonly metadata: Metadata;
  getPeer(): string;
}

/** The state that all calls of one server share. */
export class NodeContext {
  readonly calls: ObservedCall[] = [];
  readonly faults = new ServerFaults();
  readonly delayedCommits = new DelayedCommits();
  /** Grows with each stop: calls that began before it must not continue. */
  #life = 0;
  #readyAt = 0;

  readonly view: LogView;
  readonly writer: LogWriter;
  readonly role: NodeRole;
  readonly options: DoubleOptions;

  constructor(
    { view, writer, role, options }: Pick<NodeContext, 'view' | 'writer' | 'role' | 'options'>,
    readonly gate: ConnectionGate,
  ) {
    this.view = view;
    this.writer = writer;
    this.role = role;
    this.options = options;
  }

  /** Records a completely received call, and applies its faults before execution. */
  async admit(origin: CallOrigin, facts: Omit<ObservedCall, 'requiresLeader' | 'at'>): Promise<Admission> {
    const life = this.#life;
    if (this.gate.frozen) await this.gate.waitUntilThawed();
    if (life !== this.#life) return { kind: 'Silent' };
    const requiresLeader = origin.metadata.get('requires-leader')[0] === 'true';
    const call = { ...facts, requiresLeader, at: Date.now() };
    this.#observe(call);
    const refusal = this.#refusal(origin, call);
    if (refusal?.kind === 'Timeout') await sleep(FORWARD_TIMEOUT_MS);
    if (refusal !== undefined) return { kind: 'Refused', refusal };
    const fault = this.faults.take(call);
    const admission = await this.#suffer(fault, origin);
    return life === this.#life ? admission : { kind: 'Silent' };
  }

  /** Resets the connection of the call. */
  dropConnection(origin: CallOrigin): void {
    this.gate.drop(origin.getPeer());
  }

  /** Whether this fault loses the answer. Also resets the connection if the fault says so. */
  losesResponse(origin: CallOrigin, fault: ServerFault | undefined): boolean {
    if (fault?.kind !== 'LoseAnswer' && fault?.kind !== 'CommitLate') return false;
    if (fault.then === 'drop') this.dropConnection(origin);
    return true;
  }

  append(request: AppendRequest): LogAppendResult {
    this.delayedCommits.commitDue(request, 'beforeRepeat');
    const outcome = this.writer.append(request);
    this.delayedCommits.commitDue(request, 'afterRepeat');
    return outcome;
  }

  /** Calls in flight are lost. */
  onStop(): void {
    this.#life += 1;
    this.delayedCommits.clear();
  }

  onStart(notReadyMs: number): void {
    this.#readyAt = performance.now() + notReadyMs;
  }

  #observe(call: ObservedCall): void {
    this.calls.push(call);
    if (this.calls.length > 2 * CALLS_KEPT_MAX) this.calls.splice(0, CALLS_KEPT_MAX);
  }

  #refusal(origin: CallOrigin, call: ObservedCall): CallRefusal | undefined {
    if (isOpen(call.call)) return undefined;
    const access = accessRefusal(this.options, origin.metadata);
    if (access !== undefined) return access;
    if (performance.now() < this.#readyAt) return { kind: 'NotReady' };
    if (this.role.isLeader()) return undefined;
    const leader = this.role.leader();
    if (call.requiresLeader) return { kind: 'NotLeader', leader };
    const writes = call.call !== 'read' && call.call !== 'subscribe';
    return writes && leader === undefined ? { kind: 'Timeout', why: 'Forwarding timeout' } : undefined;
  }

  async #suffer(fault: ServerFault | undefined, origin: CallOrigin): Promise<Admission> {
    switch (fault?.kind) {
      case 'Delay':
        await sleep(fault.ms);
        if (this.gate.frozen) await this.gate.waitUntilThawed();
        return { kind: 'Go', fault: undefined };
      case 'NotReady':
        return { kind: 'Refused', refusal: { kind: 'NotReady' } };
      case 'NotLeader':
        return { kind: 'Refused', refusal: { kind: 'NotLeader', leader: fault.leader } };
      case 'Refuse': {
        const { code, details = 'injected', trailers = {} } = fault;
        return { kind: 'Refused', refusal: { kind: 'Status', code, details, trailers } };
      }
      case 'Silence':
        return { kind: 'Silent' };
      case 'DropConnection':
        if (fault.afterEvents !== undefined) return { kind: 'Go', fault };
        this.dropConnection(origin);
        return { kind: 'Silent' };
      case 'LoseAnswer':
      case 'CommitLate':
      case 'WrongVersion':
      case undefined:
        return { kind: 'Go', fault };
    }
  }
}

/** Clients make this call before they authenticate. */
function isOpen(call: CallKind): boolean {
  return call === 'features' || call === 'gossip';
}
