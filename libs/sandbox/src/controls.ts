import type { CustomerAct, TerminalScreen } from './customer.vocabulary.js';
import type { Customers } from './customers.js';
import type { Sandbox } from './sandbox.js';
import type { SimulatedTerminal, Terminals } from './terminals.js';

/* What may be turned in the simulated world, wherever it is: in this process, or in one of its own. */

export interface TerminalControls {
  get(id: string): Promise<SimulatedTerminal>;
  /** Rejects with a `SandboxRefusal`, as `Terminals.set`. */
  set(
    id: string,
    settings: { readonly mode: string; readonly card: string | null },
  ): Promise<SimulatedTerminal>;
  /** Follows from the tables alone. */
  refused: Terminals['refused'];
}

export interface CustomerControls {
  /** What may be presented: of the tables alone. */
  readonly cards: Customers['cards'];
  /** Rejects with a `SandboxRefusal`, as `Customers.act`. */
  act(terminalId: string, act: CustomerAct): Promise<SimulatedTerminal>;
  screen(terminalId: string): Promise<TerminalScreen>;
  /** Follows from the tables alone. */
  refused: Customers['refused'];
}

export interface WorldControls {
  readonly terminals: TerminalControls;
  readonly customers: CustomerControls;
}

/** Of a sandbox in this process. */
export function controlsOf({
  terminals,
  customers,
}: Pick<Sandbox, 'terminals' | 'customers'>): WorldControls {
  return {
    terminals: {
      get: async (id) => terminals.get(id),
      set: async (id, settings) => terminals.set(id, settings),
      refused: (settings) => terminals.refused(settings),
    },
    customers: {
      cards: customers.cards,
      act: async (terminalId, act) => customers.act(terminalId, act),
      screen: async (terminalId) => customers.screen(terminalId),
      refused: (act) => customers.refused(act),
    },
  };
}
