import {
  bankNotices,
  embeddedBankMessages,
  SandboxProcessor,
  SandboxThreeDsServer,
  type ThreeDsServer,
} from '@tillstream/processors';
import {
  challengeControls,
  terminalSimulatorControls,
  type ChallengeControls,
  type Sandbox,
  type TerminalScreen,
  type TerminalSimulatorControls,
} from '@tillstream/sandbox';
import type { Log } from '../logging/log.js';
import type { OpenedProcessor } from '../processors/processor.factories.js';

/** A sandbox with its controls. */
export interface OpenedSandbox extends OpenedProcessor, TerminalSimulatorControls {
  readonly threeDs: ThreeDsServer;
  readonly challenges: ChallengeControls;
  /** Sends the moved clock of the service to the sandbox at once. */
  clockMoved(): Promise<void>;
}

/** Reads two indexes if no notice is due. */
const NOTICE_POLL_MS = 250;

/** A sandbox in this process. */
export function embeddedSandbox(name: string, sandbox: Sandbox, log: Log): OpenedSandbox {
  const report = (reason: string): void => log.warn('sandbox-trouble', { reason });
  return {
    ...terminalSimulatorControls(sandbox),
    processor: new SandboxProcessor({ sandbox, name }),
    threeDs: new SandboxThreeDsServer({ sandbox, name }),
    challenges: challengeControls(sandbox),
    notices: bankNotices(embeddedBankMessages(sandbox), {
      processor: name,
      everyMs: NOTICE_POLL_MS,
      report,
    }),
    // The sandbox reads the service's own clock.
    clockMoved: async () => undefined,
    wrongSettings: async () => [],
    trouble: async () => [],
    close: () => sandbox.close(),
  };
}

/**
 * Combines the controls of several sandboxes. A terminal is set in all of them, because routes decide which sandbox gets a
 * payment; its customer acts in the sandbox that waits for one. A sandbox that can't be reached is skipped while another one
 * answers, but `set` must succeed in all of them.
 */
export function combinedControls(all: readonly TerminalSimulatorControls[]): TerminalSimulatorControls {
  const [first, ...others] = all;
  if (!first) throw new RangeError('there is always a first sandbox');
  if (others.length === 0) return first;
  const waitingFor = async (id: string): Promise<TerminalSimulatorControls> => {
    const found = await collectResponses(all, async (sandbox) => ({
      sandbox,
      terminal: await sandbox.terminals.get(id),
    }));
    return (found.find(({ terminal }) => terminal.waiting !== null) ?? found[0]).sandbox;
  };
  return {
    terminals: {
      get: async (id) => (await waitingFor(id)).terminals.get(id),
      set: async (id, settings) => {
        const results = await Promise.allSettled(all.map(({ terminals }) => terminals.set(id, settings)));
        for (const result of results) if (result.status === 'rejected') throw result.reason;
        return (await waitingFor(id)).terminals.get(id);
      },
      invalidFields: (settings) => first.terminals.invalidFields(settings),
    },
    customers: {
      cards: first.customers.cards,
      act: async (id, act) => (await waitingFor(id)).customers.act(id, act),
      screen: async (id) => {
        const screens = await collectResponses(all, ({ customers }) => customers.screen(id));
        return screens.reduce((newest, screen) => (timeOf(screen) > timeOf(newest) ? screen : newest));
      },
      invalidFields: (act) => first.customers.invalidFields(act),
    },
  };
}

/** The responses of the sandboxes that answered, in their order. Rejects with the first error if none answered. */
async function collectResponses<Response>(
  sandboxes: readonly TerminalSimulatorControls[],
  ask: (sandbox: TerminalSimulatorControls) => Promise<Response>,
): Promise<readonly [Response, ...Response[]]> {
  const results = await Promise.allSettled(sandboxes.map(ask));
  const [first, ...more] = results
    .filter((result) => result.status === 'fulfilled')
    .map(({ value }) => value);
  if (first === undefined) throw results.find((result) => result.status === 'rejected')?.reason;
  return [first, ...more];
}

/** A running transaction counts as newer than an ended one, and an idle screen as the oldest. */
function timeOf(screen: TerminalScreen): number {
  if (screen.kind === 'Idle') return Number.NEGATIVE_INFINITY;
  return screen.kind === 'Ended' ? screen.at : Number.POSITIVE_INFINITY;
}
