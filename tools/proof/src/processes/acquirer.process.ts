import type { Deployment } from '../support/deployment.js';
import { get, ProgramProcess } from './program.process.js';

export class AcquirerProcess extends ProgramProcess {
  private readonly url: string;

  constructor(deployment: Deployment) {
    const { dataDir, acquirerDir = dataDir, environment } = deployment;
    const url = environment['SANDBOX_URL'] ?? '';
    super('apps/sandbox/dist/bundled/main.js', deployment, {
      environment: { SANDBOX_PORT: new URL(url).port, SANDBOX_DATA_DIR: acquirerDir },
    });
    this.url = url;
  }

  ready(): Promise<void> {
    return this.untilReady('acquirer', async () => (await get(`${this.url}/health/ready`)).status === 200);
  }
}
