import type { Deployment } from '../support/deployment.js';
import { ProgramProcess } from './program.process.js';

export class DispatcherProcess extends ProgramProcess {
  constructor(deployment: Deployment) {
    const environment = { LOG_LEVEL: 'info' };
    super('apps/webhook-dispatcher/dist/bundled/main.js', deployment, { environment });
  }

  ready(): Promise<void> {
    return this.untilReady('webhook dispatcher', () => this.logged.includes('webhooks-started'));
  }
}
