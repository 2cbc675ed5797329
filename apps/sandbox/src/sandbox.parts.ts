import type { Log } from '@tillstream/platform';
import type { StandaloneSandbox } from '@tillstream/sandbox';

/** What the controllers stand on, made before Nest and handed in. */
export interface SandboxParts {
  readonly sandbox: StandaloneSandbox;
  readonly secret: string;
  readonly log: Log;
  readonly gate: ReadinessGate;
}

export interface ReadinessGate {
  /** Why the process does not want requests now. */
  closedBecause: string | undefined;
}

/* Injection tokens. */
export const SANDBOX = Symbol('Sandbox');
export const SECRET = Symbol('Secret');
export const LOG = Symbol('Log');
export const GATE = Symbol('ReadinessGate');
