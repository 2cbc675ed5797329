import type { Proof } from '../proof.types.js';
import { MachinesTrial, TERMINALS } from './machines.trial.js';
import { SharedServers } from './shared.servers.js';

export const severalMachines: Proof = {
  name: 'several-machines',
  claim:
    'two machines with an API, a webhook dispatcher and a settlement projector each share PostgreSQL and EventStoreDB: their processes are killed at random, the database is restarted, stopped, and its connections are cut; nothing is lost, charged or batched twice, and every webhook is delivered (rounds: payments under kills)',
  least: { kills: 6, restarts: 1, outages: 1, payments: 60, webhooks: 60 },
  async run(options) {
    const servers = await SharedServers.start(options.quick);
    const deployments = [servers.newMachine(TERMINALS), servers.newMachine(TERMINALS)] as const;
    const trial = new MachinesTrial(servers, deployments, options);
    try {
      await trial.start();
      await trial.payUnderKills();
      options.say(`killed ${trial.counts.kills} times, ${trial.counts.payments} payments`);
      await trial.payUnderFaults();
      await trial.settle();
      await trial.stopMachines();
      return await trial.finish();
    } finally {
      await trial.stopMachines();
      await servers.stop();
      for (const deployment of deployments) deployment.remove();
    }
  },
};
