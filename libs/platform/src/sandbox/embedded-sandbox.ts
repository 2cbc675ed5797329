import { noNoticeSource, SandboxProcessor } from '@tillstream/processors';
import {
  terminalSimulatorControls,
  type Sandbox,
  type SimulatedTerminal,
  type TerminalScreen,
  type TerminalSimulatorControls,
} from '@tillstream/sandbox';
import type { OpenedProcessor } from '../processors/combined-processors.js';

/** One simulated processor, with what may be turned in its world. */
export interface OpenedSandbox extends OpenedProcessor, TerminalSimulatorControls {
  /** Told at once that the service's clock was moved. */
  clockMoved(): Promise<void>;
}

/** A sandbox that is a part of this process, under its processor's name. */
export function embeddedSandbox(name: string, sandbox: Sandbox): OpenedSandbox {
  return {
    ...terminalSimulatorControls(sandbox),
    processor: new SandboxProcessor({ sandbox, name }),
    notices: noNoticeSource,
    // It looks at the service's own clock.
    clockMoved: async () => undefined,
    wrongSettings: async () => [],
    trouble: async () => [],
    close: () => sandbox.close(),
  };
}

/**
 * The controls of several simulated worlds as one. A terminal is set in all of them, since routes decide which world a
 * payment comes to; its customer acts in the world that waits for one. A world that can't be reached is passed over, as
 * long as another one answers; only a terminal that could not be set everywhere is a failure.
 */
export function combinedControls(
  first: TerminalSimulatorControls,
  others: readonly TerminalSimulatorControls[],
): TerminalSimulatorControls {
  if (others.length === 0) return first;
  const worlds = [first, ...others];
  const waitingFor = async (id: string): Promise<TerminalSimulatorControls> => {
    const found = await collectResponses(worlds, async (world) => ({
      world,
      terminal: await world.terminals.get(id),
    }));
    return (found.find(({ terminal }) => isWaiting(terminal)) ?? found[0]).world;
  };
  return {
    terminals: {
      get: async (id) => (await waitingFor(id)).terminals.get(id),
      set: async (id, settings) => {
        const set = await Promise.allSettled(worlds.map(({ terminals }) => terminals.set(id, settings)));
        for (const one of set) if (one.status === 'rejected') throw one.reason;
        return (await waitingFor(id)).terminals.get(id);
      },
      invalidFields: (settings) => first.terminals.invalidFields(settings),
    },
    customers: {
      cards: first.customers.cards,
      act: async (id, act) => (await waitingFor(id)).customers.act(id, act),
      screen: async (id) => {
        const screens = await collectResponses(worlds, ({ customers }) => customers.screen(id));
        return screens.reduce((shown, screen) => (isNewer(screen, shown) ? screen : shown));
      },
      invalidFields: (act) => first.customers.invalidFields(act),
    },
  };
}

/** Of those that answered, in their order. Rejects as the first one where none did. */
async function collectResponses<Answer>(
  worlds: readonly TerminalSimulatorControls[],
  ask: (world: TerminalSimulatorControls) => Promise<Answer>,
): Promise<readonly [Answer, ...Answer[]]> {
  const asked = await Promise.allSettled(worlds.map(ask));
  const [answer, ...more] = asked.filter((one) => one.status === 'fulfilled').map(({ value }) => value);
  if (answer === undefined) throw asked.find((one) => one.status === 'rejected')?.reason;
  return [answer, ...more];
}

function isWaiting({ waiting }: SimulatedTerminal): boolean {
  return waiting !== null;
}

/** What goes on comes before what has ended, the latest end first, and nothing at all last. */
function isNewer(screen: TerminalScreen, shown: TerminalScreen): boolean {
  return timeOf(screen) > timeOf(shown);
}

function timeOf(screen: TerminalScreen): number {
  if (screen.kind === 'Idle') return Number.NEGATIVE_INFINITY;
  return screen.kind === 'Ended' ? screen.at : Number.POSITIVE_INFINITY;
}
