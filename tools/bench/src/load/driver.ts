import { LoadConnection } from './connection.js';
import { backToBack, paced, type LoopControl } from './loops.js';
import { sellerOf } from './sellers.js';
import { HALT, type DriverReply, type Load, type Traffic } from './load.types.js';

/* A process of its own, so that the driver does not share the event loop of the measured service. */

let running: LoopControl | undefined;

async function drive(load: Load): Promise<Traffic> {
  const control = { isHalted: false, salesLeft: load.salesMax ?? Number.POSITIVE_INFINITY };
  running = control;
  const { paymentMethodIds, ms, perSecond } = load;
  const connections = await Promise.all(paymentMethodIds.map(() => LoadConnection.open(load)));
  const sellers = connections.map((one, index) => sellerOf(load, one, paymentMethodIds[index] ?? ''));
  try {
    return await (perSecond === undefined
      ? backToBack(sellers, ms, control)
      : paced(sellers, ms, perSecond, control));
  } finally {
    for (const connection of connections) connection.close();
  }
}

process.on('message', (load: Load | typeof HALT) => {
  if (load === HALT) {
    if (running) running.isHalted = true;
    return;
  }
  const reply = (message: DriverReply): void => void process.send?.(message);
  drive(load)
    .then((traffic) => reply({ kind: 'done', traffic }))
    .catch((error: unknown) => reply({ kind: 'failed', reason: String(error) }));
});
