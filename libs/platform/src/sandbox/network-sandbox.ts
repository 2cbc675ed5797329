import {
  bankNotices,
  networkBankMessages,
  NetworkSandboxControls,
  NetworkSandboxProcessor,
  NetworkThreeDsServer,
  SandboxClient,
  type SandboxState,
} from '@tillstream/processors';
import type { ClockOffset } from '@tillstream/payments';
import { cachedLookup } from '@tillstream/runtime';
import type { Config } from '../configuration/config.js';
import type { Log } from '../logging/log.js';
import type { OpenedSandbox } from './embedded-sandbox.js';
import { ConfigError } from '../configuration/setting.kinds.js';

/** A quarter of the connections may wait for late responses. */
const LATE_CONNECTIONS_DIVISOR = 4;
const STATE_CACHE_MS = 250;
const NOTICE_POLL_MS = 1_000;

type NetworkSettings = Pick<Config, 'sandboxSecret' | 'sandboxConnections' | 'timings'>;

/** The address of a sandbox that is a service of its own. */
export interface SandboxAddress {
  readonly name: string;
  readonly url: string;
  /** The start of a message about its setting. */
  readonly named: string;
}

/**
 * Connects to a sandbox that is a process of its own. Resolves also if the sandbox is down. Rejects with a `ConfigError` if
 * the sandbox refuses the secret, or if another program answers.
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
  const readState = cachedLookup(STATE_CACHE_MS, () => controls.state());
  try {
    const state = await readState();
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
    threeDs: new NetworkThreeDsServer({ client, name }),
    challenges: controls.challenges,
    notices: bankNotices(networkBankMessages(client), {
      processor: name,
      everyMs: NOTICE_POLL_MS,
      report,
    }),
    // At once, because a customer may be waiting at a terminal. Later calls carry the clock too.
    clockMoved: async () => void (await controls.state()),
    wrongSettings: async () => {
      const wrong = wrongSetting(await readState(), address, timings.processorDeadline);
      return wrong === undefined ? [] : [wrong];
    },
    trouble: async () => {
      const state = await readState();
      return state.kind === 'Unreachable' ? [unreachableTrouble(state, url)] : [];
    },
    close: () => client.close(),
  };
}

/** A wrong setting that an operator has to correct. */
function wrongSetting(
  state: SandboxState,
  { url, named }: SandboxAddress,
  processorDeadline: number,
): string | undefined {
  if (state.kind === 'WrongSecret') {
    return `SANDBOX_SECRET is not the secret that the sandbox at ${url} was started with; set the same for both.`;
  }
  if (state.kind === 'NoSandbox') {
    return `${named} ${url}, where another program answers; set the address of apps/sandbox.`;
  }
  if (state.kind === 'Good' && state.processorDeadlineMs !== processorDeadline) {
    return `PROCESSOR_DEADLINE_MS is ${processorDeadline}, and ${state.processorDeadlineMs} for the sandbox at ${url}; set the same for both.`;
  }
  return undefined;
}

function unreachableTrouble({ reason }: Extract<SandboxState, { kind: 'Unreachable' }>, url: string): string {
  return `the sandbox at ${url} can not be reached: ${reason}`;
}
