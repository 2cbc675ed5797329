import type { Deployment } from '../support/deployment.js';
import { ProgramProcess } from './program.process.js';

export class SettlementProcess extends ProgramProcess {
  constructor(deployment: Deployment) {
    const environment = { LOG_LEVEL: 'info' };
    super('apps/settlement-projector/dist/bundled/main.js', deployment, { environment });
  }

  ready(): Promise<void> {
    return this.untilReady('settlement projector', () => this.logged.includes('settlement-started'));
  }
}
