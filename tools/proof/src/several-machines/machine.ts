import { setTimeout } from 'node:timers/promises';
import { DispatcherProcess } from '../processes/dispatcher.process.js';
import { ServiceProcess } from '../processes/service.process.js';
import { SettlementProcess } from '../processes/settlement.process.js';
import { poll } from '../support/concurrency.js';
import type { Deployment } from '../support/deployment.js';

const READY_TIMEOUT_MS = 60_000;
/** A killed process stays away for up to this time. */
const ABSENCE_MAX_MS = 1_000;

/** One of the processes of a machine, which is killed and started again. */
export interface Part {
  readonly name: string;
  /** Kills it, and starts it again after a while. Resolves when it is ready. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

type PartProcess = ServiceProcess | DispatcherProcess | SettlementProcess;

/** An API, a webhook dispatcher and a settlement projector with a data directory of their own. */
export class Machine {
  readonly parts: readonly Part[];

  private constructor(
    readonly deployment: Deployment,
    private readonly service: () => ServiceProcess,
    parts: readonly Part[],
  ) {
    this.parts = parts;
  }

  static async start(deployment: Deployment, port: number): Promise<Machine> {
    let service = ServiceProcess.spawn(deployment, port);
    await service.ready();
    const api = await startPart('API', () => (service = ServiceProcess.spawn(deployment, port)), service);
    const dispatcher = await startPart('dispatcher', () => new DispatcherProcess(deployment));
    const projector = await startPart('settlement projector', () => new SettlementProcess(deployment));
    return new Machine(deployment, () => service, [api, dispatcher, projector]);
  }

  get origin(): string {
    return this.service().origin;
  }

  /** Whether the API becomes ready in time. */
  untilReady(): Promise<boolean> {
    const isReady = async (): Promise<boolean> => (await this.service().health()).status === 200;
    return poll(isReady, Boolean, READY_TIMEOUT_MS);
  }

  async stop(): Promise<void> {
    for (const part of [...this.parts].reverse()) await part.stop();
  }
}

async function startPart(name: string, start: () => PartProcess, first = start()): Promise<Part> {
  let running = first;
  await running.ready();
  return {
    name,
    async restart() {
      await running.kill();
      await setTimeout(Math.random() * ABSENCE_MAX_MS);
      running = start();
      await running.ready();
    },
    stop: () => running.stop(),
  };
}
