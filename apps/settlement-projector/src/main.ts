import { endWithParent, readConfig, runService, settingsHelp } from '@tillstream/platform';
import { lowerProcessPriority } from '@tillstream/runtime';
import { startSettlement } from './settlement.start.js';

endWithParent();
// Its work comes in bursts, and no sale may wait for it.
lowerProcessPriority('Tenth');
await runService({
  help: settingsHelp,
  read: readConfig,
  address: ({ settlementProjectorPort: port, host }) => ({
    port,
    host,
    portSetting: 'SETTLEMENT_PROJECTOR_PORT',
    hostSetting: 'HOST',
  }),
  start: startSettlement,
});
