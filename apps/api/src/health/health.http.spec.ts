import type { HealthCheck, Readiness } from '@tillstream/contracts';
import type { Adapters } from '@tillstream/platform';
import { startTestApi } from '../testing/test.api.js';
import { HealthController } from './health.controller.js';

const read = (text: string) => JSON.parse(text) as Readiness;

describe('Health', () => {
  it('is live and ready, without a key, once the service has started', async () => {
    const api = await startTestApi();
    const live = await api.get('/health/live', { key: null });
    expect([live.status, live.text]).toEqual([200, '{"status":"live"}']);
    const ready = await api.get('/health/ready', { key: null });
    expect(ready.status).toBe(200);
    expect(read(ready.text)).toEqual({
      status: 'ready',
      reasons: [],
      checks: ['start', 'stores', 'disk', 'lists', 'processors'].map((name) => ({ name, state: 'ok' })),
    });
    await api.stop();
  });

  it('is 503 while less room is on the disk than is asked for, and says so; payments go on', async () => {
    const api = await startTestApi({ MIN_FREE_DISK_MB: '900000000' });
    const ready = await api.get('/health/ready', { key: null });
    expect(ready.status).toBe(503);
    const { reasons, checks } = read(ready.text);
    expect(reasons).toEqual([expect.stringMatching(/MB are free on the disk of DATA_DIR/)]);
    expect(checks).toContainEqual({ name: 'disk', state: 'failed', reason: reasons[0] });
    expect((await api.operation('physical-sale', { amount: 1_000 })).status).toBe(200);
    await api.stop();
  });
});

/** What of an instance is looked at, all well but for what is given. */
function looked(
  ill: {
    stores?: readonly string[];
    disk?: string;
    lists?: object;
    processors?: object;
    asked?: readonly string[];
    closedBecause?: string;
  } = {},
) {
  const adapters = {
    notReady: () => Promise.resolve(ill.stores ?? []),
    processorTrouble: () => Promise.resolve(ill.asked ?? []),
    disk: { trouble: () => Promise.resolve(ill.disk) },
    readModels: {
      status: () => Promise.resolve([{ name: 'tokens', status: 'Live', lagEvents: 0, ...ill.lists }]),
    },
    processors: { status: () => Promise.resolve([{ name: 'p', state: 'Closed', ...ill.processors }]) },
  } as unknown as Adapters;
  return new HealthController(adapters, { closedBecause: ill.closedBecause }).getReadiness();
}

describe('An instance', () => {
  it.each([
    ['a store can not be written', { stores: ['disk full'] }, { name: 'stores', reason: 'disk full' }],
    ['there is too little room', { disk: '3 MB are free' }, { name: 'disk', reason: '3 MB are free' }],
    ['it starts or stops', { closedBecause: 'stopping' }, { name: 'start', reason: 'stopping' }],
  ])('is not ready where %s: 503 with the reason', async (_what, ill, failed) => {
    const { status, body } = await looked(ill);
    expect(status).toBe(503);
    const { status: said, reasons, checks } = read(body);
    expect([said, reasons]).toEqual(['unavailable', [failed.reason]]);
    expect(checks).toContainEqual({ ...failed, state: 'failed' });
  });

  const stopped = { by: 'Ada', reason: 'wrong amounts', since: '2026-03-01T12:00:00.000Z' };
  it.each([
    [
      'a list is halted',
      { lists: { status: 'Halted', reason: 'Teleported' } },
      'the list of tokens is halted: Teleported',
    ],
    [
      'a list is far behind',
      { lists: { lagEvents: 1_000 } },
      'the list of tokens is 1000 events behind, or more',
    ],
    [
      'a processor is stopped',
      { processors: { stopped } },
      'processor p is stopped by Ada since 2026-03-01T12:00:00.000Z: wrong amounts',
    ],
    [
      'a processor does not answer',
      { processors: { state: 'Open' } },
      'processor p does not answer: its circuit breaker is Open',
    ],
    ['a processor, asked, says so itself', { asked: ['it is down'] }, 'it is down'],
  ])('is ready with a warning where %s: looking up payments goes on', async (_what, ill, reason) => {
    const { status, body } = await looked(ill);
    expect(status).toBe(200);
    const warnings: HealthCheck[] = read(body).checks.filter(({ state }) => state !== 'ok');
    expect(warnings).toEqual([{ name: expect.any(String) as string, state: 'warning', reason }]);
  });

  it('with a check that fails reports it, and still responds', async () => {
    const { status, body } = await looked({
      processors: Object.defineProperty({}, 'name', {
        enumerable: true,
        get: () => {
          throw new Error('away');
        },
      }) as object,
    });
    expect(status).toBe(200);
    expect(read(body).checks.find(({ name }) => name === 'processors')).toMatchObject({ state: 'warning' });
  });
});
