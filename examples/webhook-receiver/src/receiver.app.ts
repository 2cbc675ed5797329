import { SqliteInbox, webhookMiddleware, WebhookReceiver, type WebhookSecrets } from '@tillstream/webhooks';
import express from 'express';
import type { Database } from './database.js';
import { PaidOrders } from './paid.orders.js';

export interface ReceiverApp {
  readonly app: express.Express;
  readonly receiver: WebhookReceiver;
}

/** `POST /webhooks` receives; `GET /paid-orders` shows what came of it. `log` gets one line for each event and problem. */
export function receiverApp(
  database: Database,
  secrets: WebhookSecrets,
  log: (line: string) => void,
): ReceiverApp {
  const orders = new PaidOrders(database);
  const receiver = new WebhookReceiver({
    secrets,
    inbox: new SqliteInbox(database),
    handle: (payload) => {
      const { type, id } = payload.event;
      const paid = orders.record(payload);
      log(
        paid
          ? `${type} ${id}: ${paid.referenceId} is paid, ${paid.amount} ${paid.currency}`
          : `${type} ${id}`,
      );
    },
    // The handler takes milliseconds. What a killed process had begun is handled again after this time.
    leaseMs: 5_000,
    onProblem: ({ kind, error }) => log(`${kind}: ${String(error)}`),
  });

  const app = express();
  // Before express.json(): the signature is over the bytes of the body.
  app.post('/webhooks', webhookMiddleware(receiver));
  app.use(express.json());
  app.get('/paid-orders', (_request, response) => {
    response.json(orders.all());
  });
  return { app, receiver };
}
