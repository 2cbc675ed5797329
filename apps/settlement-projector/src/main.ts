import { readConfig, runService, settingsHelp } from '@tillstream/platform';
import { startSettlement } from './settlement.start.js';

/** A settlement projector that the API started ends with the API, also if the API ended while this process was loading. */
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
  address: ({ settlementProjectorPort: port, host }) => ({
    port,
    host,
    portSetting: 'SETTLEMENT_PROJECTOR_PORT',
    hostSetting: 'HOST',
  }),
  start: startSettlement,
});
