import { ConsumerGroup } from '@tillstream/event-consumers';
import { consumerLog } from '@tillstream/payments';
import { noLog, openDispatcherAdapters, type Config } from '@tillstream/platform';
import { NumberingConsumer } from '@tillstream/webhook-delivery';

/** Numbers webhook events as the dispatcher does, and sends none: their deliveries stay as they are. */
export async function numberWebhooks(config: Config): Promise<() => Promise<void>> {
  const adapters = await openDispatcherAdapters(config, noLog);
  const { store, leases, deliveries, deliverySealer: sealer, clock } = adapters;
  const numbering = new NumberingConsumer({
    ...{ store, tables: deliveries, sealer },
    now: () => clock.now(),
    onDeliveries: () => undefined,
  });
  const log = consumerLog(noLog, 'webhooks');
  const group = new ConsumerGroup({
    ...{ store, leases, lease: 'webhooks' },
    consumers: [numbering],
    tasks: [],
    log,
  });
  void group.start();
  return async () => {
    await group.stop();
    await adapters.close();
  };
}
