import { companionContract } from '@tillstream/companion-server/testing/contract';

const AT_REST = [
  'webhook_deliveries_in_flight 0',
  'webhook_deliveries_waiting{when="now"} 0',
  'webhook_deliveries_waiting{when="later"} 0',
  'webhook_oldest_due_age_seconds 0',
  'webhook_numbering_lag_events 0',
  'webhook_numbering_lag_seconds 0',
  'webhook_numbering_halted 0',
  'webhook_endpoints{state="well"} 0',
  'webhook_endpoints{state="disabled_failing"} 0',
  'webhook_endpoint_failing_longest_seconds 0',
  'webhook_endpoint_changes_total{change="exhausted"} 0',
  'ready{check="stores"} 1',
];

companionContract({
  name: 'A webhook dispatcher',
  main: new URL('../dist/bundled/main.js', import.meta.url).pathname,
  startedEvent: 'webhooks-started',
  portSetting: 'WEBHOOK_DISPATCHER_PORT',
  app: 'webhook-dispatcher',
  metrics: AT_REST,
});
