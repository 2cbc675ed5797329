import { join } from 'node:path';
import type { ClockOffset } from '@tillstream/payments';
import { openSandbox, type WorldControls } from '@tillstream/sandbox';
import type { Config } from './config.js';
import { booksOf } from './data-directory/books.files.js';
import { openingFile } from './data-directory/damaged.files.js';
import type { Log } from './log.js';
import { networkSandbox } from './network.sandbox.js';
import { combinedProcessors, type CombinedProcessors, type OpenedProcessor } from './opened.processors.js';
import { PROCESSOR_OPENINGS, type ProcessorOpening } from './processor.openings.js';
import { combinedWorlds, embeddedSandbox, type SandboxWorld } from './sandbox.worlds.js';

/** All processors, and what may be turned in the simulated worlds. The first processor is the sandbox of `SANDBOX…`. */
export interface ChosenProcessors extends CombinedProcessors, WorldControls {
  /** Tells each simulated world at once that the service's clock was moved. */
  clockMoved(): Promise<void>;
  close(): void;
}

/** One simulated processor of the settings. */
interface SandboxPlace {
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
export async function chosenProcessors(
  config: Config,
  offset: Pick<ClockOffset, 'offsetMs'>,
  log: Log,
  openings: readonly ProcessorOpening[] = PROCESSOR_OPENINGS,
): Promise<ChosenProcessors> {
  const worlds: SandboxWorld[] = [];
  const others: OpenedProcessor[] = [];
  const close = (): void => {
    for (const one of others) one.close();
    for (const world of worlds) world.close();
  };
  try {
    for (const { name, url, named } of placesIn(config)) {
      worlds.push(
        url === undefined
          ? embeddedSandbox(name, await openBooks(config, name, offset))
          : await networkSandbox(config, { name, url, named }, offset, log),
      );
    }
    for (const opening of openings.filter((one) => one.isConfigured(config)))
      others.push(await opening.open(config, log));
    return { ...together(worlds), ...combinedProcessors([...worlds, ...others]), close };
  } catch (error) {
    close();
    throw error;
  }
}

function placesIn({ sandbox, sandboxUrl, moreSandboxes = [] }: Config): readonly SandboxPlace[] {
  const first = { name: 'sandbox', named: 'SANDBOX_URL is' };
  return [
    sandbox === 'embedded' ? first : { ...first, url: sandboxUrl },
    ...moreSandboxes.map((further) => ({ ...further, named: 'MORE_SANDBOXES names' })),
  ];
}

function openBooks(config: Config, name: string, offset: Pick<ClockOffset, 'offsetMs'>) {
  const file = join(config.dataDir, booksOf(name));
  return openingFile(file, () =>
    openSandbox({
      file,
      processorDeadlineMs: config.timings.processorDeadline,
      brokenWordDelayMs: config.sandboxBrokenWordDelay,
      serviceNow: () => Date.now() + offset.offsetMs(),
    }),
  );
}

function together(worlds: readonly SandboxWorld[]): WorldControls & Pick<ChosenProcessors, 'clockMoved'> {
  const [first, ...others] = worlds;
  if (!first) throw new RangeError('there is always a first sandbox');
  const { terminals, customers } = combinedWorlds(first, others);
  return {
    terminals,
    customers,
    clockMoved: async () => void (await Promise.all(worlds.map((one) => one.clockMoved()))),
  };
}
