import { ServiceProcess, type StartOptions } from './service.process.js';
import { freePort, type Deployment } from '../support/deployment.js';

export interface Pair {
  readonly processes: readonly [ServiceProcess, ServiceProcess];
  stop(): Promise<void>;
}

/** Two processes on one data directory, as behind a load balancer. */
export async function startPair(deployment: Deployment, second: Partial<StartOptions> = {}): Promise<Pair> {
  const first = await ServiceProcess.start(deployment, { port: await freePort() });
  try {
    const other = await ServiceProcess.start(deployment, { port: await freePort(), ...second });
    const stop = async (): Promise<void> => void (await Promise.all([first.stop(), other.stop()]));
    return { processes: [first, other], stop };
  } catch (error) {
    await first.kill();
    throw error;
  }
}
