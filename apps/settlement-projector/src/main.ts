import { endWithParent, readConfig, runService, settingsHelp } from '@tillstream/platform';
import { startSettlement } from './settlement.start.js';

endWithParent();
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
