import { Command, Option } from 'commander';
import { action, runProgram } from './program.js';

describe('a program', () => {
  let lines: string[];
  let errors: string[];
  let ran: unknown[];

  beforeEach(() => {
    [lines, errors, ran] = [[], [], []];
  });

  const run = (args: string[], more: { wrongUse?: number } = {}) => {
    const program = new Command('program');
    program
      .command('copy')
      .argument('<file>')
      .option('--name <name>')
      .addOption(new Option('--each <name>').default([]).argParser((one, all: string[]) => [...all, one]))
      .option('--json')
      .action(
        action(async (file, options) => {
          ran.push(file, options);
          if (file === 'broken') throw new Error('it broke');
          return file === 'bad' ? 3 : 0;
        }),
      );
    return runProgram(program, args, {
      terminal: { line: (text) => void lines.push(text), error: (text) => void errors.push(text) },
      redact: (message) => message.replaceAll('secret', '…'),
      ...more,
    });
  };

  it('returns the exit code of its action', async () => {
    expect([await run(['copy', 'good', '--name=-x']), await run(['copy', 'bad'])]).toEqual([0, 3]);
    expect(ran).toEqual(['good', { each: [], name: '-x' }, 'bad', { each: [] }]);
    await expect(run(['copy', 'broken'])).rejects.toThrow('it broke');
  });

  it('prints its help to stdout, and to stderr if no command is given', async () => {
    expect([await run(['copy', '--help']), errors]).toEqual([0, []]);
    expect(lines.join()).toContain('--name <name>');
    expect([await run([]), errors.join()]).toEqual([2, expect.stringContaining('copy [options] <file>')]);
  });

  it.each([
    [['copy'], "missing required argument 'file'"],
    [['cpoy'], 'Did you mean copy?'],
    [['copy', 'a', '--nam', 'x'], 'Did you mean --name?'],
    [['copy', 'a', '--json', '--json'], "option '--json' is given twice"],
    [['copy', 'a', '--name', '--json'], "option '--name <name>' needs a value; write --name=…"],
    [['copy', 'a', 'secret', '--secret'], "unknown option '--…'"],
  ])('refuses %j, shows its help, and runs nothing', async (args, message) => {
    expect([await run(args), await run(args, { wrongUse: 1 })]).toEqual([2, 1]);
    expect([lines, ran]).toEqual([[], []]);
    expect(errors[0]).toContain(message);
    expect(errors[0]).toContain('Usage: program');
  });

  it('accepts an option several times that collects its values', async () => {
    await run(['copy', 'a', '--each', 'x', '--each', 'y']);
    expect(ran[1]).toEqual({ each: ['x', 'y'] });
  });
});
