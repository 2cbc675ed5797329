import { mergeReports } from '../audit/deployment.audit.js';
import { roundCount, type Proof } from '../proof.types.js';
import { Drill } from './drill.trial.js';
import { embeddedStores, serverStores } from './drill.stores.js';

export const restoreDrill: Proof = {
  name: 'restore-drill',
  claim:
    'after the loss of all stores an older copy is restored, exactly what the processor executed since is listed and brought in, and the books agree, on both sets of stores (rounds: operations before the copy, and as many after it)',
  least: { missing: 20, 'answers compared': 20 },
  async run(options) {
    const operations = roundCount(options, 3_000, 60);
    const embedded = await new Drill(embeddedStores(), operations, options.say).run();
    const servers = await new Drill(await serverStores(), operations, options.say).run();
    return mergeReports([embedded, servers]);
  },
};
