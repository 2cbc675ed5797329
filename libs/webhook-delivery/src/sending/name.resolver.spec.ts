import { parseHosts, systemResolver } from './name.resolver.js';

describe('The names of the hosts file', () => {
  it('have their addresses, without comments and in any case', () => {
    const table = parseHosts(
      '127.0.0.1 localhost Hooks.Internal # local\n\n# 10.0.0.1 no\n::1 localhost\nnot-an-address x\n',
    );
    expect(table.get('localhost')).toEqual(['127.0.0.1', '::1']);
    expect(table.get('hooks.internal')).toEqual(['127.0.0.1']);
    expect([table.has('no'), table.has('x')]).toEqual([false, false]);
  });

  it('are resolved by the first look-ups too, which start together', async () => {
    const resolve = systemResolver();
    const found = await Promise.all([1, 2, 3].map(() => resolve('localhost')));
    for (const addresses of found) expect(addresses).toContain('127.0.0.1');
  });

  it('are resolved without a name server', async () => {
    expect(await systemResolver()('LOCALHOST.')).toContain('127.0.0.1');
  });
});
