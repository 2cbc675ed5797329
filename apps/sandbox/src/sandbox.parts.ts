import type { Log } from '@tillstream/platform';
import type { StandaloneSandbox } from '@tillstream/sandbox';

/** Made before Nest starts, and injected into the controllers. */
export interface SandboxParts {
  readonly sandbox: StandaloneSandbox;
  readonly secret: string;
  readonly log: Log;
  readonly gate: ReadinessGate;
}

export interface ReadinessGate {
  /** Why the process accepts no requests now. */
  closedBecause: string | undefined;
}

export const SANDBOX = Symbol('Sandbox');
export const SECRET = Symbol('Secret');
export const LOG = Symbol('Log');
export const GATE = Symbol('ReadinessGate');
