import { benchCommand } from './bench.command.js';

/** Runs the command and collects what it prints. */
async function run(...args: string[]): Promise<{ code: number; printed: string; complained: string }> {
  const printed: string[] = [];
  const complained: string[] = [];
  const terminal = {
    line: (text: string) => void printed.push(text),
    error: (text: string) => void complained.push(text),
  };
  const code = await benchCommand(args, terminal);
  return { code, printed: printed.join('\n'), complained: complained.join('\n') };
}

describe('npm run bench', () => {
  it.each([
    ['transact', 'transact() : bare loop of group commits'],
    ['history', 'load and decide, 3,000 payments : 1,000 payments'],
    ['neighbors', 'sales beside a payment with 900 operations : alone'],
    ['bank-answers', 'answers of a bank : durable sales'],
    ['token-sales', 'p99 of token sale : bare handler, open loop'],
    ['list-pages', 'deep page of /fee-charges'],
    ['settlements', 'rebuild of settlements from'],
  ])(
    'measures %s in a short run, and says on which machine',
    async (name, figure) => {
      const { code, printed } = await run(name, '--quick');
      expect(code).toBe(0);
      expect(printed).toContain(`Node: ${process.version}`);
      expect(printed.includes('Ratios compare the API with a bare NestJS handler')).toBe(
        name === 'token-sales',
      );
      expect(printed.split('\n').find((line) => line.includes(figure))).toMatch(/ [0-9.]+ ×/);
    },
    120_000,
  );

  it('explains itself', async () => {
    const { code, printed } = await run('--help');
    expect(code).toBe(0);
    expect(printed).toContain('--quick');
    expect(printed).toMatch(/steady-memory .*only where named/);
  });

  it.each([['nonsense'], ['--nonsense']])('refuses %s and shows how it is used', async (argument) => {
    const { code, complained } = await run(argument);
    expect(code).toBe(2);
    expect(complained).toContain('nonsense');
    expect(complained).toContain('Usage:');
  });
});
