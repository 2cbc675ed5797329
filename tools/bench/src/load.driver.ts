import { LoadConnection } from './load.connection.js';
import { backToBack, paced } from './load.loops.js';
import { sellerOf } from './load.sellers.js';
import type { DriverReply, Load, Traffic } from './load.types.js';

/* A process of its own, so that the driver does not share the event loop of the measured service. */

async function drive(load: Load): Promise<Traffic> {
  const { paymentMethodIds, ms, perSecond } = load;
  const connections = await Promise.all(paymentMethodIds.map(() => LoadConnection.open(load)));
  const sellers = connections.map((one, index) => sellerOf(load, one, paymentMethodIds[index] ?? ''));
  try {
    return await (perSecond === undefined ? backToBack(sellers, ms) : paced(sellers, ms, perSecond));
  } finally {
    for (const connection of connections) connection.close();
  }
}

process.on('message', (load: Load) => {
  const reply = (message: DriverReply): void => void process.send?.(message);
  drive(load)
    .then((traffic) => reply({ kind: 'done', traffic }))
    .catch((error: unknown) => reply({ kind: 'failed', reason: String(error) }));
});
