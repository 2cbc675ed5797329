import { randomBytes } from 'node:crypto';
import { readConfig, runService, settingsHelp } from '@tillstream/platform';
import { startApi } from './start/api.start.js';
import { startSettlementProjector, startWebhookDispatcher } from './start/companions.js';
import { welcomeText } from './start/welcome.text.js';

/** One Ctrl-C under npm is two signals: the terminal's own, and the one that npm forwards. */
const ONE_SIGNAL_MS = 1_000;

await runService({
  help: settingsHelp,
  read: readConfig,
  address: ({ port, host }) => ({ port, host, portSetting: 'PORT', hostSetting: 'HOST' }),
  // The second one does not wait for requests in flight.
  impatientAfterMs: ONE_SIGNAL_MS,
  async start(config, log) {
    const api = await startApi(config, log);
    const suffix = randomBytes(3).toString('hex');
    process.stdout.write(welcomeText(api.facts, config.dataDir, suffix, api.madeMasterKeyFile));
    const companions = [
      ...(config.settlementProjector === 'beside' ? [startSettlementProjector(log)] : []),
      ...(config.webhookDispatcher === 'beside' ? [startWebhookDispatcher(log)] : []),
    ];
    return {
      async stop() {
        await Promise.all([api, ...companions].map((running) => running.stop()));
      },
    };
  },
});
