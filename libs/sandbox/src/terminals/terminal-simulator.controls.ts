import { invalidActFields, type CustomerAct, type TerminalScreen } from './customers.js';
import type { Sandbox } from '../sandbox.js';
import { TERMINAL_CARDS } from './terminal.cards.js';
import { invalidSettingFields, type GivenSettings, type SimulatedTerminal } from './terminals.js';

/** The controls that need only the tables, and no sandbox. */
export const TERMINAL_SIMULATOR_TABLES = {
  terminals: { invalidFields: invalidSettingFields },
  customers: { invalidFields: invalidActFields, cards: TERMINAL_CARDS },
};
type Tables = typeof TERMINAL_SIMULATOR_TABLES;

/** The controls of the simulated terminals, for a sandbox in this process or in its own. */
export interface TerminalSimulatorControls {
  readonly terminals: Tables['terminals'] & {
    get(id: string): Promise<SimulatedTerminal>;
    /** Rejects with a `TerminalControlError`, as `Terminals.set`. */
    set(id: string, settings: GivenSettings): Promise<SimulatedTerminal>;
  };
  readonly customers: Tables['customers'] & {
    /** Rejects with a `TerminalControlError`, as `Customers.act`. */
    act(terminalId: string, act: CustomerAct): Promise<SimulatedTerminal>;
    screen(terminalId: string): Promise<TerminalScreen>;
  };
}

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
