import {
  NetworkSandboxControls,
  NetworkSandboxProcessor,
  noNoticeSource,
  SandboxClient,
  type SandboxState,
} from '@tillstream/processors';
import type { ClockOffset } from '@tillstream/payments';
import type { Config } from '../configuration/config.js';
import type { Log } from '../logging/log.js';
import type { OpenedSandbox } from './embedded-sandbox.js';
import { ConfigError } from '../configuration/setting.kinds.js';

/** One in so many connections may wait for an answer that came too late. */
const LATE_CONNECTIONS_DIVISOR = 4;
/** Who is asked again within this was asked just now, ms. */
const STATE_CACHE_MS = 250;

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
): Promise<OpenedSandbox> {
  const { sandboxConnections: connections, sandboxSecret: secret = '', timings } = config;
  const { name, url } = address;
  const report = (reason: string): void => log.warn('sandbox-trouble', { reason });
  const clockOffset = (): number => offset.offsetMs();
  const client = new SandboxClient({ url, secret, connections, clockOffset, report });
  const controls = new NetworkSandboxControls(client);
  const look = cachedState(() => controls.state());
  try {
    const state = await look();
    const wrong = wrongSetting(state, address, timings.processorDeadline);
    if (wrong !== undefined) throw new ConfigError(wrong);
    if (state.kind === 'Unreachable') report(unreachableTrouble(state, url));
  } catch (error) {
    client.close();
    throw error;
  }
  const lateCallsMax = Math.ceil(connections / LATE_CONNECTIONS_DIVISOR);
  return {
    terminals: controls.terminals,
    customers: controls.customers,
    processor: new NetworkSandboxProcessor({ client, lateCallsMax, report, name }),
    notices: noNoticeSource,
    // A customer may be waiting at a terminal; if the sandbox is away, the next call tells it.
    clockMoved: async () => void (await controls.state()),
    wrongSettings: async () => {
      const wrong = wrongSetting(await look(), address, timings.processorDeadline);
      return wrong === undefined ? [] : [wrong];
    },
    trouble: async () => {
      const state = await look();
      return state.kind === 'Unreachable' ? [unreachableTrouble(state, url)] : [];
    },
    close: () => client.close(),
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

function unreachableTrouble({ reason }: Extract<SandboxState, { kind: 'Unreachable' }>, url: string): string {
  return `the sandbox at ${url} can not be reached: ${reason}`;
}

/** However many ask at once, the sandbox is asked once. */
function cachedState(look: () => Promise<SandboxState>): () => Promise<SandboxState> {
  let latest: { readonly at: number; readonly state: Promise<SandboxState> } | undefined;
  return () => {
    const at = performance.now();
    if (!latest || at - latest.at > STATE_CACHE_MS) latest = { at, state: look() };
    return latest.state;
  };
}
