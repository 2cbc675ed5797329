import { join } from 'node:path';
import {
  NetworkSandboxControls,
  NetworkSandboxProcessor,
  noNotices,
  SandboxLine,
  SandboxProcessor,
  type SandboxState,
} from '@tillstream/processors';
import { controlsOf, openSandbox, type Sandbox, type WorldControls } from '@tillstream/sandbox';
import type { Config } from './config.js';
import { openingFile } from './data-directory/damaged.files.js';
import type { Log } from './log.js';
import { combinedProcessors, type CombinedProcessors, type OpenedProcessor } from './opened.processors.js';
import { PROCESSOR_OPENINGS, type ProcessorOpening } from './processor.openings.js';
import type { FurtherSandbox } from './processor.settings.js';
import { combinedWorlds } from './sandbox.worlds.js';
import { ConfigError } from './setting.kinds.js';

/** The service's clock, which the sandbox lets move forward; both moves reject with a `SandboxRefusal`. */
export interface MovableClock {
  now(): number;
  offsetSeconds(): number;
  advance(seconds: number): Promise<void>;
  to(time: number): Promise<void>;
}

/** Who moves the money, and what may be turned in the simulated worlds. The first is the sandbox of `SANDBOX…`. */
export interface ChosenProcessors extends CombinedProcessors, WorldControls {
  readonly clock: MovableClock;
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
  | 'moreSandboxes'
  | 'timings'
>;

/** One in so many connections may wait for an answer that came too late. */
const SHARE_OF_LATE = 4;
/** Who is asked again within this was asked just now, ms. */
const FRESH_MS = 250;

/**
 * The sandboxes and every other processor that is configured. The first sandbox is in this process or a service of its own;
 * the service's clock is in DATA_DIR either way, so that it never goes back when this is changed. A sandbox that is down is
 * no reason not to start: nothing is sent to it meanwhile. Rejects with a `ConfigError` where what answers does not know our
 * secret, or is no sandbox, and as `ProcessorOpening.open`.
 */
export async function chosenProcessors(
  config: Config,
  log: Log,
  openings: readonly ProcessorOpening[] = PROCESSOR_OPENINGS,
): Promise<ChosenProcessors> {
  const own = await sandboxAt(config, 'sandbox.db');
  const worlds: SandboxWorld[] = [];
  const others: OpenedProcessor[] = [];
  const close = (): void => {
    for (const one of others) one.close();
    for (const world of worlds) world.close();
    own.close();
  };
  try {
    const { sandbox: place, sandboxUrl: url } = config;
    worlds.push(
      place === 'embedded'
        ? inThisProcess('sandbox', own, () => undefined)
        : await overNetwork(config, { name: 'sandbox', url, named: 'SANDBOX_URL is' }, own, log),
    );
    for (const further of config.moreSandboxes ?? [])
      worlds.push(await openFurther(config, further, own, log));
    for (const opening of openings.filter((one) => one.isConfigured(config)))
      others.push(await opening.open(config, log));
    return {
      ...together(worlds, own),
      ...combinedProcessors([...worlds, ...others], config.processorRoutes),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** A simulated processor, with what may be turned in its world. */
interface SandboxWorld extends OpenedProcessor, WorldControls {
  /** Told at once that the service's clock was moved. */
  clockMoved(): Promise<void>;
}

function together(
  worlds: readonly SandboxWorld[],
  own: Sandbox,
): WorldControls & { readonly clock: MovableClock } {
  const [first, ...others] = worlds;
  if (!first) throw new RangeError('there is always a first sandbox');
  const clockMoved = async (): Promise<void> =>
    void (await Promise.all(worlds.map((one) => one.clockMoved())));
  const { terminals, customers } = combinedWorlds(first, others);
  return { terminals, customers, clock: clockOf(own, clockMoved) };
}

function inThisProcess(name: string, sandbox: Sandbox, close: () => void): SandboxWorld {
  return {
    ...controlsOf(sandbox),
    processor: new SandboxProcessor({ sandbox, name }),
    notices: noNotices,
    clockMoved: async () => undefined,
    wrongSettings: async () => [],
    trouble: async () => [],
    close,
  };
}

/** One of `MORE_SANDBOXES`. In this process it has a file of its own, and the service's clock. */
async function openFurther(
  config: ProcessorSettings,
  { name, url }: FurtherSandbox,
  own: Sandbox,
  log: Log,
): Promise<SandboxWorld> {
  if (url !== undefined) return overNetwork(config, { name, url, named: 'MORE_SANDBOXES names' }, own, log);
  const sandbox = await sandboxAt(config, `sandbox-${name}.db`, () => own.clock.now());
  return inThisProcess(name, sandbox, () => sandbox.close());
}

/** @param serviceNow left out: the file's own clock is the service's */
function sandboxAt(config: ProcessorSettings, name: string, serviceNow?: () => number): Promise<Sandbox> {
  const file = join(config.dataDir, name);
  return openingFile(file, () =>
    openSandbox({
      file,
      processorDeadlineMs: config.timings.processorDeadline,
      brokenWordDelayMs: config.sandboxBrokenWordDelay,
      ...(serviceNow && { serviceNow }),
    }),
  );
}

interface SandboxAddress {
  readonly name: string;
  readonly url: string;
  /** How a message begins that names its setting. */
  readonly named: string;
}

async function overNetwork(
  config: ProcessorSettings,
  address: SandboxAddress,
  own: Sandbox,
  log: Log,
): Promise<SandboxWorld> {
  const { sandboxConnections: connections, sandboxSecret: secret = '', timings } = config;
  const { name, url } = address;
  const report = (reason: string): void => log.warn('sandbox-trouble', { reason });
  const clockOffset = (): number => own.clock.offsetMs();
  const line = new SandboxLine({ url, secret, connections, clockOffset, report });
  const controls = new NetworkSandboxControls(line, own);
  const look = lookedAtOnce(() => controls.state());
  try {
    const state = await look();
    const wrong = wrongSetting(state, address, timings.processorDeadline);
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
    processor: new NetworkSandboxProcessor({ line, mostLate, report, name }),
    notices: noNotices,
    // A customer may be waiting at a terminal; if the sandbox is away, the next call tells it.
    clockMoved: async () => void (await controls.state()),
    wrongSettings: async () => {
      const wrong = wrongSetting(await look(), address, timings.processorDeadline);
      return wrong === undefined ? [] : [wrong];
    },
    trouble: async () => {
      const state = await look();
      return state.kind === 'Unreachable' ? [troubleOf(state, url)] : [];
    },
    close: () => line.close(),
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
function wrongSetting(
  state: SandboxState,
  { url, named }: SandboxAddress,
  processorDeadline: number,
): string | undefined {
  if (state.kind === 'WrongSecret') {
    return `SANDBOX_SECRET is not the secret that the sandbox at ${url} was started with; set the same for both.`;
  }
  if (state.kind === 'NoSandbox') {
    return `${named} ${url}, where something answers that is no sandbox; set the address of apps/sandbox.`;
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
