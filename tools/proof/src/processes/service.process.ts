import { readFileSync } from 'node:fs';
import { freePort, type Deployment } from '../support/deployment.js';
import { get, ProgramProcess, type ProgramOptions } from './program.process.js';

interface StartOptions extends Pick<ProgramOptions, 'onOutput' | 'root'> {
  /** Left out: a free port. */
  readonly port?: number;
  /** `name:nth` or `name:nth:stop`. */
  readonly crashPoint?: string;
}

/** A built API process, as a user starts it. */
export class ServiceProcess extends ProgramProcess {
  private constructor(
    deployment: Deployment,
    readonly port: number,
    { crashPoint, ...options }: StartOptions,
  ) {
    super('apps/api/dist/bundled/main.js', deployment, {
      ...options,
      environment: {
        PORT: String(port),
        ...(crashPoint !== undefined && { SANDBOX_CRASH_POINT: crashPoint }),
      },
    });
  }

  /** Does not wait until the service is ready. */
  static spawn(
    deployment: Deployment,
    port: number,
    options: Pick<StartOptions, 'crashPoint'> = {},
  ): ServiceProcess {
    return new ServiceProcess(deployment, port, options);
  }

  static async start(deployment: Deployment, options: StartOptions = {}): Promise<ServiceProcess> {
    const service = new ServiceProcess(deployment, options.port ?? (await freePort()), options);
    await service.ready();
    return service;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  ready(): Promise<void> {
    return this.untilReady('service', async () => (await this.health()).status === 200);
  }

  /** Status 0 means that the service did not answer. */
  health(): ReturnType<typeof get> {
    return get(`${this.origin}/health/ready`);
  }

  /** Whether SIGSTOP halts the process in time: it neither runs nor has ended. */
  haltedWithin(ms: number): Promise<boolean> {
    return this.comesTo(() => processState(this.pid ?? 0) === 'T', ms);
  }
}

/** Linux gives the state as one letter, after the name in brackets. */
function processState(pid: number): string | undefined {
  try {
    return /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

export type Pair = Awaited<ReturnType<typeof startPair>>;

/** Two processes on one data directory, as behind a load balancer. */
export async function startPair(deployment: Deployment) {
  const first = await ServiceProcess.start(deployment);
  try {
    const second = await ServiceProcess.start(deployment);
    const origins: readonly [string, string] = [first.origin, second.origin];
    return { origins, stop: () => Promise.all([first.stop(), second.stop()]) };
  } catch (error) {
    await first.kill();
    throw error;
  }
}
