import {
  NetworkSandboxControls,
  NetworkSandboxProcessor,
  noNotices,
  SandboxLine,
  type SandboxState,
} from '@tillstream/processors';
import type { ClockOffset } from '@tillstream/payments';
import type { Config } from './config.js';
import type { Log } from './log.js';
import type { SandboxWorld } from './sandbox.worlds.js';
import { ConfigError } from './setting.kinds.js';

/** One in so many connections may wait for an answer that came too late. */
const SHARE_OF_LATE = 4;
/** Who is asked again within this was asked just now, ms. */
const FRESH_MS = 250;

type NetworkSettings = Pick<Config, 'sandboxSecret' | 'sandboxConnections' | 'timings'>;

/** Where a sandbox is a service of its own. */
export interface SandboxAddress {
  readonly name: string;
  readonly url: string;
  /** How a message begins that names its setting. */
  readonly named: string;
}

/**
 * A sandbox that is a process of its own. Each call tells it the service's clock. One that is down is no reason not to
 * start: nothing is sent to it meanwhile. Rejects with a `ConfigError` where what answers does not know our secret, or is
 * no sandbox.
 */
export async function networkSandbox(
  config: NetworkSettings,
  address: SandboxAddress,
  offset: Pick<ClockOffset, 'offsetMs'>,
  log: Log,
): Promise<SandboxWorld> {
  const { sandboxConnections: connections, sandboxSecret: secret = '', timings } = config;
  const { name, url } = address;
  const report = (reason: string): void => log.warn('sandbox-trouble', { reason });
  const clockOffset = (): number => offset.offsetMs();
  const line = new SandboxLine({ url, secret, connections, clockOffset, report });
  const controls = new NetworkSandboxControls(line);
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
