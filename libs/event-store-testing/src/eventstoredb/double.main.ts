import { startEventStoreDbDouble } from './double.js';

/*
 * A double in its own process, for benchmarks and experiments: `node double.main.js [port]`, or the port in
 * EVENTSTOREDB_DOUBLE_PORT. Prints its address in one line of JSON on stdout.
 */
const port = Number(process.argv[2] ?? process.env['EVENTSTOREDB_DOUBLE_PORT'] ?? 0);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  process.stderr.write('The port is a number from 0 to 65535.\n');
  process.exit(1);
}
const double = await startEventStoreDbDouble({ port });
process.stderr.write(
  'This is a test double of EventStoreDB. It keeps everything in memory and forgets it when it ends.\n',
);
process.stdout.write(`${JSON.stringify({ url: double.url })}\n`);
const end = () => void double.close().then(() => process.exit(0));
process.once('SIGTERM', end);
process.once('SIGINT', end);
