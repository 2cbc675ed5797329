import { endWithParent, readConfig, runService, settingsHelp } from '@tillstream/platform';
import { lowerProcessPriority } from '@tillstream/runtime';
import { startDispatcher } from './dispatcher.start.js';

endWithParent();
// Deliveries come in bursts, and no sale may wait for one.
lowerProcessPriority('Seventieth');
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
