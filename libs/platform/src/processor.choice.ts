import { join } from 'node:path';
import {
  NetworkSandboxControls,
  NetworkSandboxProcessor,
  SandboxLine,
  SandboxProcessor,
  type Processor,
  type SandboxState,
} from '@tillstream/processors';
import { controlsOf, openSandbox, type Sandbox, type WorldControls } from '@tillstream/sandbox';
import type { Config } from './config.js';
import type { Log } from './log.js';
import { ConfigError } from './setting.kinds.js';

/** The service's clock, which the sandbox lets move forward; both moves reject with a `SandboxRefusal`. */
export interface MovableClock {
  now(): number;
  offsetSeconds(): number;
  advance(seconds: number): Promise<void>;
  to(time: number): Promise<void>;
}

/** Who moves the money, and what may be turned there. */
export interface ChosenProcessor extends WorldControls {
  readonly processor: Processor;
  readonly clock: MovableClock;
  /** Settings that do not fit what is there: another instance may have the right ones. */
  wrongSettings(): Promise<readonly string[]>;
  /** Why no payment could be sent now, by any instance; empty where one could. */
  trouble(): Promise<readonly string[]>;
  close(): void;
}

type ProcessorSettings = Pick<
  Config,
  | 'dataDir'
  | 'sandbox'
  | 'sandboxUrl'
  | 'sandboxSecret'
  | 'sandboxConnections'
  | 'sandboxBrokenWordDelay'
  | 'timings'
>;

/** One in so many connections may wait for an answer that came too late. */
const SHARE_OF_LATE = 4;
/** Who is asked again within this was asked just now, ms. */
const FRESH_MS = 250;

/**
 * The sandbox, in this process or as a service of its own. The service's clock is in DATA_DIR either way, so that it never
 * goes back when this is changed. A sandbox that is down is no reason not to start: nothing is sent to it meanwhile. Rejects
 * with a `ConfigError` where what answers does not know our secret, or is no sandbox.
 */
export async function chosenProcessor(config: ProcessorSettings, log: Log): Promise<ChosenProcessor> {
  const { dataDir, timings, sandboxSecret: secret } = config;
  const own = openSandbox({
    file: join(dataDir, 'sandbox.db'),
    processorDeadlineMs: timings.processorDeadline,
    brokenWordDelayMs: config.sandboxBrokenWordDelay,
  });
  if (config.sandbox === 'embedded' || secret === undefined) {
    return {
      ...controlsOf(own),
      processor: new SandboxProcessor({ sandbox: own }),
      clock: clockOf(own, async () => undefined),
      wrongSettings: async () => [],
      trouble: async () => [],
      close: () => own.close(),
    };
  }
  try {
    return await overNetwork(config, secret, own, log);
  } catch (error) {
    own.close();
    throw error;
  }
}

async function overNetwork(
  config: ProcessorSettings,
  secret: string,
  own: Sandbox,
  log: Log,
): Promise<ChosenProcessor> {
  const { sandboxUrl: url, sandboxConnections: connections, timings } = config;
  const report = (reason: string): void => log.warn('sandbox-trouble', { reason });
  const clockOffset = (): number => own.clock.offsetMs();
  const line = new SandboxLine({ url, secret, connections, clockOffset, report });
  const controls = new NetworkSandboxControls(line, own);
  const look = lookedAtOnce(() => controls.state());
  try {
    const state = await look();
    const wrong = wrongSetting(state, url, timings.processorDeadline);
    if (wrong !== undefined) throw new ConfigError(wrong);
    if (state.kind === 'Unreachable') report(troubleOf(state, url));
  } catch (error) {
    line.close();
    throw error;
  }
  const mostLate = Math.ceil(connections / SHARE_OF_LATE);
  return {
    terminals: controls.terminals,
    customers: controls.customers,
    processor: new NetworkSandboxProcessor({ line, mostLate, report }),
    // Told at once, as somebody may be waiting at a terminal; should it be away, the next call tells it.
    clock: clockOf(own, async () => void (await controls.state())),
    wrongSettings: async () => {
      const wrong = wrongSetting(await look(), url, timings.processorDeadline);
      return wrong === undefined ? [] : [wrong];
    },
    trouble: async () => {
      const state = await look();
      return state.kind === 'Unreachable' ? [troubleOf(state, url)] : [];
    },
    close: () => {
      line.close();
      own.close();
    },
  };
}

function clockOf({ clock }: Sandbox, moved: () => Promise<void>): MovableClock {
  return {
    now: () => clock.now(),
    offsetSeconds: () => clock.offsetSeconds(),
    advance: async (seconds) => {
      clock.advance(seconds);
      await moved();
    },
    to: async (time) => {
      clock.to(time);
      await moved();
    },
  };
}

/** What an operator has to set right; it does not pass by itself. */
function wrongSetting(state: SandboxState, url: string, processorDeadline: number): string | undefined {
  if (state.kind === 'WrongSecret') {
    return `SANDBOX_SECRET is not the secret that the sandbox at ${url} was started with; set the same for both.`;
  }
  if (state.kind === 'NoSandbox') {
    return `SANDBOX_URL is ${url}, where something answers that is no sandbox; set the address of apps/sandbox.`;
  }
  if (state.kind === 'Good' && state.processorDeadlineMs !== processorDeadline) {
    return `PROCESSOR_DEADLINE_MS is ${processorDeadline}, and ${state.processorDeadlineMs} for the sandbox at ${url}; set the same for both.`;
  }
  return undefined;
}

function troubleOf({ reason }: Extract<SandboxState, { kind: 'Unreachable' }>, url: string): string {
  return `the sandbox at ${url} can not be reached: ${reason}`;
}

/** However many ask at once, the sandbox is asked once. */
function lookedAtOnce(look: () => Promise<SandboxState>): () => Promise<SandboxState> {
  let latest: { readonly at: number; readonly state: Promise<SandboxState> } | undefined;
  return () => {
    const at = performance.now();
    if (!latest || at - latest.at > FRESH_MS) latest = { at, state: look() };
    return latest.state;
  };
}
