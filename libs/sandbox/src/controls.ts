import type { CustomerAct, TerminalScreen } from './customer.vocabulary.js';
import { refusedAct } from './customers.js';
import type { Sandbox } from './sandbox.js';
import { TERMINAL_CARDS } from './terminal.cards.js';
import { refusedSettings, type SimulatedTerminal } from './terminals.js';

/* What may be turned in the simulated world, wherever it is: in this process, or in one of its own. */

export interface TerminalControls {
  get(id: string): Promise<SimulatedTerminal>;
  /** Rejects with a `SandboxRefusal`, as `Terminals.set`. */
  set(
    id: string,
    settings: { readonly mode: string; readonly card: string | null },
  ): Promise<SimulatedTerminal>;
  /** Follows from the tables alone. */
  refused: typeof refusedSettings;
}

export interface CustomerControls {
  /** What may be presented: of the tables alone. */
  readonly cards: typeof TERMINAL_CARDS;
  /** Rejects with a `SandboxRefusal`, as `Customers.act`. */
  act(terminalId: string, act: CustomerAct): Promise<SimulatedTerminal>;
  screen(terminalId: string): Promise<TerminalScreen>;
  /** Follows from the tables alone. */
  refused: typeof refusedAct;
}

export interface WorldControls {
  readonly terminals: TerminalControls;
  readonly customers: CustomerControls;
}

/** What follows from the tables alone: it is the same wherever the sandbox is. */
export interface WorldTables {
  readonly terminals: Pick<TerminalControls, 'refused'>;
  readonly customers: Pick<CustomerControls, 'refused' | 'cards'>;
}

export const WORLD_TABLES: WorldTables = {
  terminals: { refused: refusedSettings },
  customers: { refused: refusedAct, cards: TERMINAL_CARDS },
};

/** Of a sandbox in this process. */
export function controlsOf({
  terminals,
  customers,
}: Pick<Sandbox, 'terminals' | 'customers'>): WorldControls {
  return {
    terminals: {
      get: async (id) => terminals.get(id),
      set: async (id, settings) => terminals.set(id, settings),
      ...WORLD_TABLES.terminals,
    },
    customers: {
      act: async (terminalId, act) => customers.act(terminalId, act),
      screen: async (terminalId) => customers.screen(terminalId),
      ...WORLD_TABLES.customers,
    },
  };
}
