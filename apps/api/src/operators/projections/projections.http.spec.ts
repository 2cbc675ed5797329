import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import type { ListPage, Projection } from '@tillstream/contracts';
import { noLog } from '@tillstream/platform';
import { PROJECTIONS, RebuildRefused, type ProjectionName, type ReadModels } from '@tillstream/read-models';
import { refusal, startTestApi, type TestApi } from '../../testing/test.api.js';
import { RebuildingProjections } from './projection.rebuilds.js';
import { throwAsConflict } from './projections.controller.js';

const PATH = '/admin/v1/projections';

describe('Projections over HTTP', () => {
  let api: TestApi;
  beforeAll(async () => (api = await startTestApi()));
  afterAll(() => api.stop());

  const list = (query = ''): Promise<ListPage<Projection>> => api.list<Projection>(PATH + query);
  const rebuild = (name: string, call = {}) =>
    api.call('POST', `${PATH}/${name}/rebuild`, { body: {}, ...call });
  const untilLive = async (name: string): Promise<Projection> => {
    const until = Date.now() + 60_000;
    for (;;) {
      const found = (await list()).data.find((one) => one.name === name);
      if (found?.status === 'Live') return found;
      if (Date.now() > until) throw new Error(`${name} is ${found?.status}`);
      await new Promise((resume) => setTimeout(resume, 50));
    }
  };

  it('are all listed, with where they are', async () => {
    await api.transaction('physical-sale', { amount: 100 });
    const page = await list();
    expect(page).toMatchObject({ hasMore: false, nextCursor: null });
    expect(page.data.map(({ name }) => name)).toEqual([...PROJECTIONS]);
    for (const projection of page.data) {
      expect(projection).toMatchObject({
        status: 'Live',
        lagEvents: expect.any(Number) as number,
        updatedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      });
    }
  });

  // Elsewhere threads have no priorities of their own; lists in PostgreSQL are kept on the service's own thread, in small pages.
  if (process.platform === 'linux' && globalThis.SHARED_STORE !== 'postgres') {
    it('are kept on a thread that gives way to sales', () => {
      expect(nicenesses()).toContain(Math.min(getPriority() + 10, 19));
    });
  }

  it('come in pages', async () => {
    const names: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await list(`?limit=3${cursor && `&cursor=${cursor}`}`);
      names.push(...page.data.map(({ name }) => name));
      cursor = page.nextCursor;
    }
    expect(names).toEqual([...PROJECTIONS]);
  });

  it('are rebuilt while the lists are answered: the same transactions after it', async () => {
    const sale = await api.transaction('physical-sale', { amount: 100 });
    const before = (await api.list('/v1/transactions')).data;
    const reply = await rebuild('transactions');
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.text)).toMatchObject({ name: 'transactions', status: 'Rebuilding' });
    expect((await api.list('/v1/transactions')).data).toEqual(before);
    await untilLive('transactions');
    expect((await api.list('/v1/transactions')).data).toEqual(before);
    expect(before.map(({ id }) => id)).toContain(sale.id);
  });

  it('need no body, and are rebuilt once under an Idempotency-Key', async () => {
    const call = { body: undefined, headers: { 'idempotency-key': 'rebuild-1' } };
    const first = await rebuild('holders', call);
    expect(first.status).toBe(200);
    await untilLive('holders');
    expect((await rebuild('holders', call)).text).toBe(first.text);
  });

  it('that nothing is called: 404, 4000', async () => {
    for (const name of ['settlements-of-old', '__proto__', 'Transactions']) {
      expect(refusal(await rebuild(name))).toBe('404 4000 Rejected');
    }
  });

  it('take no fields, names or parameters that they do not know', async () => {
    expect(refusal(await rebuild('tokens', { body: { now: true } }))).toBe('400 2000 Rejected now');
    const call = { headers: { 'x-actor': 'x'.repeat(101) } };
    expect(refusal(await rebuild('tokens', call))).toBe('400 2000 Rejected x-actor');
    expect(refusal(await api.get(`${PATH}?limit=0`))).toBe('400 2000 Rejected limit');
    expect(refusal(await api.get(`${PATH}?name=tokens`))).toBe('400 2000 Rejected name');
  });

  it('are an operator’s: 401, 1000', async () => {
    expect(refusal(await api.get(PATH, { key: api.key }))).toBe('401 1000 Rejected');
    expect(refusal(await rebuild('tokens', { key: api.key }))).toBe('401 1000 Rejected');
  });
});

describe('A rebuild that an operator began', () => {
  type Rebuild = ReadModels['rebuild'];
  const logged: string[] = [];
  const log = {
    ...noLog,
    info: (event: string) => void logged.push(event),
    error: (event: string) => void logged.push(event),
  };
  const projections = (rebuild: Rebuild, status: ReadModels['status'] = async () => []) =>
    new RebuildingProjections({ status, rebuild }, log, async () => void logged.push('recorded'));
  const name: ProjectionName = 'tokens';
  const operator = { actor: { type: 'Operator', name: 'Anna' }, traceId: 'a'.repeat(32) } as const;
  const done = { projection: name, generation: 2, events: 1, rows: 1, durationMs: 1 };
  /** Begins, and goes on until it is stopped. */
  const endless: Rebuild = (_name, { signal, onProgress } = {}) => {
    onProgress?.({ phase: 'Reading', events: 0 });
    return new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason as Error)),
    );
  };
  beforeEach(() => void logged.splice(0));

  it('is not begun a second time while it runs, here or elsewhere', async () => {
    const here = projections(endless);
    await here.startRebuild(name, operator);
    await expect(here.startRebuild(name, operator)).rejects.toThrow(RebuildRefused);
    await here.stop();
    const rebuilding = { name, status: 'Rebuilding', lagEvents: 0, updatedAt: '' } as const;
    const elsewhere = projections(endless, async () => [rebuilding]);
    await expect(elsewhere.startRebuild(name, operator)).rejects.toThrow(RebuildRefused);
    expect(logged).toEqual(['recorded', 'rebuild-began', 'rebuild-stopped']);
  });

  it('in another process is a conflict: 409, 3401; any other error passes through', () => {
    const refusedRebuild = new RebuildRefused(name, 'another rebuild of it is running');
    expect(() => throwAsConflict(refusedRebuild)).toThrow(expect.objectContaining({ http: 409, code: 3401 }));
    const broken = new Error('no room on the disk');
    expect(() => throwAsConflict(broken)).toThrow(broken);
  });

  it('is refused if another process starts one between the check and the rebuild', async () => {
    const faster = projections(() => Promise.reject(new RebuildRefused(name, 'another one is at it')));
    await expect(faster.startRebuild(name, operator)).rejects.toThrow('another one is at it');
  });

  it('ends with the stop of the service, which waits for it and logs no failure', async () => {
    const here = projections(endless);
    await here.startRebuild(name, operator);
    await here.stop();
    expect(logged).toEqual(['recorded', 'rebuild-began', 'rebuild-stopped']);
    await expect(here.startRebuild(name, operator)).rejects.toThrow('the service stops');
  });

  it('that fails later is logged, and can be begun again', async () => {
    let fail: (error: Error) => void = () => undefined;
    const here = projections((_name, { onProgress } = {}) => {
      onProgress?.({ phase: 'Reading', events: 0 });
      return new Promise((_resolve, reject) => (fail = reject));
    });
    await here.startRebuild(name, operator);
    fail(new Error('no room on the disk'));
    await new Promise((resume) => setImmediate(resume));
    expect(logged).toEqual(['recorded', 'rebuild-began', 'rebuild-failed']);
    await here.startRebuild(name, operator);
  });

  it('that can not begin fails its call', async () => {
    const here = projections(() => Promise.reject(new Error('no room on the disk')));
    await expect(here.startRebuild(name, operator)).rejects.toThrow('no room on the disk');
  });

  it('over a short history may be through before anybody looks', async () => {
    await projections(() => Promise.resolve(done)).startRebuild(name, operator);
    expect(logged.sort()).toEqual(['rebuild-began', 'rebuild-ended', 'recorded']);
  });
});

/** Of all threads of this process (the nineteenth field: proc(5)). */
function nicenesses(): number[] {
  const tasks = '/proc/self/task';
  return readdirSync(tasks).map((task) => {
    const stat = readFileSync(`${tasks}/${task}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[16]);
  });
}
