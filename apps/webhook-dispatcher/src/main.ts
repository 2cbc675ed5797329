import { endWithParent, readConfig, runService, settingsHelp } from '@tillstream/platform';
import { startDispatcher } from './dispatcher.start.js';

endWithParent();
await runService({
  help: settingsHelp,
  read: readConfig,
  address: ({ webhookDispatcherPort: port, host }) => ({
    port,
    host,
    portSetting: 'WEBHOOK_DISPATCHER_PORT',
    hostSetting: 'HOST',
  }),
  start: startDispatcher,
});
