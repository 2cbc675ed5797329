import { join } from 'node:path';
import type { ClockOffset } from '@tillstream/payments';
import type { Processor, ThreeDsServer } from '@tillstream/processors';
import { openSandbox, type ChallengeControls, type TerminalSimulatorControls } from '@tillstream/sandbox';
import type { Config } from '../configuration/config.js';
import { ledgerFileName } from '../data-directory/sandbox-ledger.files.js';
import { withDamageCheck } from '../data-directory/damaged-file.check.js';
import type { Log } from '../logging/log.js';
import { networkSandbox, type SandboxAddress } from '../sandbox/network-sandbox.js';
import { PROCESSOR_FACTORIES, type OpenedProcessor, type ProcessorFactory } from './processor.factories.js';
import { combinedControls, embeddedSandbox, type OpenedSandbox } from '../sandbox/embedded-sandbox.js';

/** All processors, and the controls of the sandboxes. The first processor is the sandbox of `SANDBOX…`. */
export interface ConfiguredProcessors extends TerminalSimulatorControls, Omit<OpenedProcessor, 'processor'> {
  readonly processors: readonly Processor[];
  /** Authenticates the cardholders of all processors. */
  readonly threeDs: ThreeDsServer;
  /** The challenges of the simulated 3-D Secure server. */
  readonly challenges: ChallengeControls;
  /** Sends the moved clock to each sandbox at once. */
  clockMoved(): Promise<void>;
}

/** One configured sandbox. Without an address it is in this process, with its ledger in a file of DATA_DIR. */
type SandboxLocation = Omit<SandboxAddress, 'url'> & { readonly url?: string };

/**
 * Opens the sandboxes, each in this process or as a service of its own, and every other configured processor. Rejects as
 * `networkSandbox` and `ProcessorFactory.open` do, and with a `ConfigError` if a ledger file is damaged.
 */
export async function openConfiguredProcessors(
  config: Config,
  offset: Pick<ClockOffset, 'offsetMs'>,
  log: Log,
  factories: readonly ProcessorFactory[] = PROCESSOR_FACTORIES,
): Promise<ConfiguredProcessors> {
  const sandboxes: OpenedSandbox[] = [];
  const others: OpenedProcessor[] = [];
  const close = (): void => {
    for (const opened of [...others, ...sandboxes]) opened.close();
  };
  try {
    for (const { name, url, named } of sandboxLocations(config)) {
      sandboxes.push(
        url === undefined
          ? embeddedSandbox(name, await openSandboxLedger(config, name, offset), log)
          : await networkSandbox(config, { name, url, named }, offset, log),
      );
    }
    for (const factory of factories)
      if (factory.isConfigured(config)) others.push(await factory.open(config, log));
    return { ...combinedProcessors(sandboxes, others), close };
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

function combinedProcessors(
  sandboxes: readonly OpenedSandbox[],
  others: readonly OpenedProcessor[],
): Omit<ConfiguredProcessors, 'close'> {
  const all = [...sandboxes, ...others];
  const { terminals, customers } = combinedControls(sandboxes);
  const [first] = sandboxes;
  if (!first) throw new RangeError('there is always a first sandbox');
  // A real 3-D Secure server takes its place here (docs/spec/three-d-secure.md#a-real-server).
  const { threeDs, challenges } = first;
  return {
    terminals,
    customers,
    threeDs,
    challenges,
    processors: all.map(({ processor }) => processor),
    notices: {
      listen: (inbox) => all.forEach(({ notices }) => notices.listen(inbox)),
      deliverDue: () => sumOf(all.map(({ notices }) => notices.deliverDue())),
      countDue: () => sumOf(all.map(({ notices }) => notices.countDue())),
      stop: async () => void (await Promise.all(all.map(({ notices }) => notices.stop()))),
    },
    wrongSettings: async () => (await Promise.all(all.map((each) => each.wrongSettings()))).flat(),
    trouble: async () => (await Promise.all(all.map((each) => each.trouble()))).flat(),
    clockMoved: async () => void (await Promise.all(sandboxes.map((sandbox) => sandbox.clockMoved()))),
  };
}

async function sumOf(counts: readonly Promise<number>[]): Promise<number> {
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
