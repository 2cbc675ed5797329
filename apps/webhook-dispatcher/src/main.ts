import { readConfig, runService, settingsHelp } from '@tillstream/platform';
import { startDispatcher } from './dispatcher.start.js';

/** A dispatcher that the API started ends with the API, also if the API ended while this process was loading. */
function endWithParent(): void {
  const { connected } = process as { readonly connected?: boolean };
  if (connected === undefined) return;
  if (!connected) process.exit(0);
  process.on('disconnect', () => process.exit(0));
}

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
