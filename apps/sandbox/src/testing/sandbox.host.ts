import { noLog, readSandboxServiceConfig } from '@tillstream/platform';
import { startSandboxService, type RunningSandbox } from '../sandbox.start.js';

/*
 * Several sandbox services in one process, for tests: `{ start: <environment>, id }` by IPC opens one and answers
 * `{ id, origin }`, `{ stop: <id> }` ends it. Loading what they are made of takes longer than all they do.
 */

type HostRequest =
  | { readonly id: number; readonly start: Readonly<Record<string, string>> }
  | { readonly id: number; readonly stop: number };

const running = new Map<number, RunningSandbox>();

process.on('message', (ask: HostRequest) => {
  handleRequest(ask)
    .then((said) => process.send?.({ id: ask.id, ...said }))
    .catch((error: unknown) => process.send?.({ id: ask.id, error: String(error) }));
});
process.once('disconnect', () => process.exit(0));
process.send?.({ id: 0 });

async function handleRequest(ask: HostRequest): Promise<{ readonly origin?: string }> {
  if ('stop' in ask) {
    await running.get(ask.stop)?.stop();
    running.delete(ask.stop);
    return {};
  }
  const service = await startSandboxService(readSandboxServiceConfig(ask.start), noLog);
  running.set(ask.id, service);
  return { origin: service.origin };
}
