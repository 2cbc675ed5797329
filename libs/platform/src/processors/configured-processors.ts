import { join } from 'node:path';
import type { ClockOffset } from '@tillstream/payments';
import { openSandbox, type TerminalSimulatorControls } from '@tillstream/sandbox';
import type { Config } from '../configuration/config.js';
import { ledgerFileName } from '../data-directory/sandbox-ledger.files.js';
import { withDamageCheck } from '../data-directory/damaged-file.check.js';
import type { Log } from '../logging/log.js';
import { networkSandbox } from '../sandbox/network-sandbox.js';
import { combinedProcessors, type CombinedProcessors, type OpenedProcessor } from './combined-processors.js';
import { PROCESSOR_FACTORIES, type ProcessorFactory } from './processor.factories.js';
import { combinedControls, embeddedSandbox, type OpenedSandbox } from '../sandbox/embedded-sandbox.js';

/** All processors, and what may be turned in the simulated worlds. The first processor is the sandbox of `SANDBOX…`. */
export interface ConfiguredProcessors extends CombinedProcessors, TerminalSimulatorControls {
  /** Tells each simulated world at once that the service's clock was moved. */
  clockMoved(): Promise<void>;
  close(): void;
}

/** One simulated processor of the settings. */
interface SandboxLocation {
  readonly name: string;
  /** Left out: in this process, with its books in a file of DATA_DIR. */
  readonly url?: string;
  /** How a message about its address begins. */
  readonly named: string;
}

/**
 * The sandboxes, each in this process or as a service of its own and all by the service's clock, and every other processor
 * that is configured. Rejects as `networkSandbox` and `ProcessorOpening.open` do, and with a `ConfigError` where a file of
 * books is damaged.
 */
export async function openConfiguredProcessors(
  config: Config,
  offset: Pick<ClockOffset, 'offsetMs'>,
  log: Log,
  openings: readonly ProcessorFactory[] = PROCESSOR_FACTORIES,
): Promise<ConfiguredProcessors> {
  const worlds: OpenedSandbox[] = [];
  const others: OpenedProcessor[] = [];
  const close = (): void => {
    for (const one of others) one.close();
    for (const world of worlds) world.close();
  };
  try {
    for (const { name, url, named } of sandboxLocations(config)) {
      worlds.push(
        url === undefined
          ? embeddedSandbox(name, await openSandboxLedger(config, name, offset))
          : await networkSandbox(config, { name, url, named }, offset, log),
      );
    }
    for (const opening of openings.filter((one) => one.isConfigured(config)))
      others.push(await opening.open(config, log));
    return { ...combinedSandboxes(worlds), ...combinedProcessors([...worlds, ...others]), close };
  } catch (error) {
    close();
    throw error;
  }
}

function sandboxLocations({ sandbox, sandboxUrl, moreSandboxes = [] }: Config): readonly SandboxLocation[] {
  const first = { name: 'sandbox', named: 'SANDBOX_URL is' };
  return [
    sandbox === 'embedded' ? first : { ...first, url: sandboxUrl },
    ...moreSandboxes.map((further) => ({ ...further, named: 'MORE_SANDBOXES names' })),
  ];
}

function openSandboxLedger(config: Config, name: string, offset: Pick<ClockOffset, 'offsetMs'>) {
  const file = join(config.dataDir, ledgerFileName(name));
  return withDamageCheck(file, () =>
    openSandbox({
      file,
      processorDeadlineMs: config.timings.processorDeadline,
      lateExecutionDelayMs: config.sandboxBrokenWordDelay,
      serviceNow: () => Date.now() + offset.offsetMs(),
    }),
  );
}

function combinedSandboxes(
  worlds: readonly OpenedSandbox[],
): TerminalSimulatorControls & Pick<ConfiguredProcessors, 'clockMoved'> {
  const [first, ...others] = worlds;
  if (!first) throw new RangeError('there is always a first sandbox');
  const { terminals, customers } = combinedControls(first, others);
  return {
    terminals,
    customers,
    clockMoved: async () => void (await Promise.all(worlds.map((one) => one.clockMoved()))),
  };
}
