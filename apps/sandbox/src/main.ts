import { readSandboxServiceConfig, runService, sandboxServiceHelp } from '@tillstream/platform';
import { startSandboxService } from './sandbox.start.js';

await runService({
  help: sandboxServiceHelp,
  read: readSandboxServiceConfig,
  address: ({ port, host }) => ({ port, host, portSetting: 'SANDBOX_PORT', hostSetting: 'SANDBOX_HOST' }),
  async start(config, log) {
    const service = await startSandboxService(config, log);
    process.stdout.write(`The sandbox listens on ${service.origin}; its ledger is in ${config.dataDir}.\n`);
    return service;
  },
});
