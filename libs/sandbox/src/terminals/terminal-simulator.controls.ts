import type { CustomerAct, TerminalScreen } from './customer.types.js';
import { invalidActFields } from './customers.js';
import type { Sandbox } from '../sandbox.js';
import { TERMINAL_CARDS } from './terminal.cards.js';
import { invalidSettingFields, type SimulatedTerminal } from './terminals.js';

/* The controls of the simulated terminals, for a sandbox in this process or in its own. */

export interface TerminalControls {
  get(id: string): Promise<SimulatedTerminal>;
  /** Rejects with a `TerminalControlError`, as `Terminals.set`. */
  set(
    id: string,
    settings: { readonly mode: string; readonly card: string | null },
  ): Promise<SimulatedTerminal>;
  invalidFields: typeof invalidSettingFields;
}

export interface CustomerControls {
  readonly cards: typeof TERMINAL_CARDS;
  /** Rejects with a `TerminalControlError`, as `Customers.act`. */
  act(terminalId: string, act: CustomerAct): Promise<SimulatedTerminal>;
  screen(terminalId: string): Promise<TerminalScreen>;
  invalidFields: typeof invalidActFields;
}

export interface TerminalSimulatorControls {
  readonly terminals: TerminalControls;
  readonly customers: CustomerControls;
}

/** The controls that need only the tables, and no sandbox. */
export interface TerminalSimulatorTables {
  readonly terminals: Pick<TerminalControls, 'invalidFields'>;
  readonly customers: Pick<CustomerControls, 'invalidFields' | 'cards'>;
}

export const TERMINAL_SIMULATOR_TABLES: TerminalSimulatorTables = {
  terminals: { invalidFields: invalidSettingFields },
  customers: { invalidFields: invalidActFields, cards: TERMINAL_CARDS },
};

/** For a sandbox in this process. */
export function terminalSimulatorControls({
  terminals,
  customers,
}: Pick<Sandbox, 'terminals' | 'customers'>): TerminalSimulatorControls {
  return {
    terminals: {
      get: async (id) => terminals.get(id),
      set: async (id, settings) => terminals.set(id, settings),
      ...TERMINAL_SIMULATOR_TABLES.terminals,
    },
    customers: {
      act: async (terminalId, act) => customers.act(terminalId, act),
      screen: async (terminalId) => customers.screen(terminalId),
      ...TERMINAL_SIMULATOR_TABLES.customers,
    },
  };
}
