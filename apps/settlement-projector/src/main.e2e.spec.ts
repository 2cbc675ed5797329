import { companionContract } from '@tillstream/companion-server/testing/contract';

companionContract({
  name: 'A settlement projector',
  main: new URL('../dist/bundled/main.js', import.meta.url).pathname,
  startedEvent: 'settlement-started',
  portSetting: 'SETTLEMENT_PROJECTOR_PORT',
  app: 'settlement-projector',
  metrics: ['ready{check="stores"} 1'],
});
