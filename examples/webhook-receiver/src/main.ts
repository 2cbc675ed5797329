import type { AddressInfo } from 'node:net';
import type { WebhookSecrets } from '@tillstream/webhooks';
import { openDatabase, receiverApp } from './index.js';

const {
  PORT = '3400',
  DATABASE = 'webhook-receiver.db',
  WEBHOOK_SECRET,
  LEGACY_WEBHOOK_SECRET,
} = process.env;
/** Several are separated by commas, while one replaces the other. */
const secrets: WebhookSecrets = {
  managed: WEBHOOK_SECRET?.split(',') ?? [],
  legacy: LEGACY_WEBHOOK_SECRET?.split(',') ?? [],
};

const log = (line: string): void => void process.stdout.write(`${line}\n`);
const database = await openDatabase(DATABASE);
const { app, receiver } = receiverApp(database, secrets, log);
receiver.start();
const server = app.listen(Number(PORT), '127.0.0.1', () => {
  log(`Webhooks are received on http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`);
});

process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  void receiver.stop().then(() => database.close());
});
