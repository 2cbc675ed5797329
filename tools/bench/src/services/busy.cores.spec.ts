import { limitText, whileWatched } from './busy.cores.js';

const api = { name: 'API', processes: 1 };

it.each([
  [{ API: 1, PostgreSQL: 0.5, sandbox: 0.4 }, 'The limit is the machine'],
  [{ API: 0.95, PostgreSQL: 0.2 }, 'The limit is the thread of the API.'],
  [{ API: 0.5, PostgreSQL: 0.92 }, 'The limit is PostgreSQL.'],
  [{ API: 0.5, PostgreSQL: 0.2 }, 'No processor is the limit'],
])('names what limits the rate: %j', (busy, limit) => {
  expect(limitText(busy, api, 2)).toContain(limit);
});

it('counts two API processes with a core each', () => {
  expect(limitText({ API: 0.95, sandbox: 0.1 }, { name: 'API', processes: 2 }, 4)).toContain('No processor');
});

it('says which share each of them used, the most first', () => {
  expect(limitText({ sandbox: 0.25, API: 0.5 }, api, 2)).toMatch(
    /^Cores in use: API 0.50, sandbox 0.25; together 0.75 of 2\./,
  );
});

it('measures the processor time of a process while it works', async () => {
  const { value, busy } = await whileWatched({ own: [process.pid], none: [] }, async () => {
    const until = performance.now() + 300;
    while (performance.now() < until);
    return 'done';
  });
  expect(value).toBe('done');
  // Other work on the machine may take most of the core.
  expect(busy['own']).toBeGreaterThan(0.05);
  expect(busy['none']).toBe(0);
});
