import { noLog, readSandboxServiceConfig } from '@tillstream/platform';
import { startSandboxService, type RunningSandbox } from '../sandbox.start.js';

/*
 * Several sandbox services in one process, for tests, because loading the modules takes longer than the tests themselves.
 * `{ start: <environment>, id }` by IPC opens a service and answers `{ id, origin }`, `{ stop: <id> }` ends it.
 */

type HostRequest =
  | { readonly id: number; readonly start: Readonly<Record<string, string>> }
  | { readonly id: number; readonly stop: number };

const running = new Map<number, RunningSandbox>();

process.on('message', (request: HostRequest) => {
  handleRequest(request)
    .then((result) => process.send?.({ id: request.id, ...result }))
    .catch((error: unknown) => process.send?.({ id: request.id, error: String(error) }));
});
process.once('disconnect', () => process.exit(0));
process.send?.({ id: 0 });

async function handleRequest(request: HostRequest): Promise<{ readonly origin?: string }> {
  if ('stop' in request) {
    await running.get(request.stop)?.stop();
    running.delete(request.stop);
    return {};
  }
  const service = await startSandboxService(readSandboxServiceConfig(request.start), noLog);
  running.set(request.id, service);
  return { origin: service.origin };
}
