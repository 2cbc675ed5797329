import { CommanderError, type Command } from 'commander';
import type { Terminal } from './terminal.js';

export interface ProgramOptions {
  readonly terminal: Terminal;
  /** Exit code for arguments that are wrong. Left out: 2. */
  readonly wrongUse?: number;
  /** Takes secrets out of error messages, which may repeat an argument. */
  readonly redact?: (message: string) => string;
}

/** Ends a program with an exit code that is not 0. */
class ExitCode extends Error {
  constructor(readonly code: number) {
    super(`exit code ${code}`);
  }
}

/** Makes a commander action of a function that returns the exit code. */
export function action<Args extends unknown[]>(
  run: (...args: Args) => Promise<number>,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    const code = await run(...args);
    if (code !== 0) throw new ExitCode(code);
  };
}

/**
 * Parses `args` and runs the action that they name. Returns the exit code and never ends the process. Help goes to stdout;
 * an error about the arguments, with the help after it, to stderr. Rejects with what the action rejects with.
 */
export async function runProgram(
  program: Command,
  args: readonly string[],
  { terminal, wrongUse = 2, redact = (message) => message }: ProgramOptions,
): Promise<number> {
  const commands = withSubcommands(program);
  const output = { out: '', err: '' };
  for (const command of commands) {
    command
      .exitOverride()
      .showHelpAfterError()
      .configureOutput({
        writeOut: (text) => void (output.out += text),
        writeErr: (text) => void (output.err += text),
        outputError: (text, write) => write(redact(text)),
      });
  }
  try {
    refuseAmbiguousOptions(program, commands, args);
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof ExitCode) return error.code;
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : wrongUse;
    throw error;
  } finally {
    if (output.out !== '') terminal.line(output.out.trimEnd());
    if (output.err !== '') terminal.error(output.err.trimEnd());
  }
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

/**
 * Commander takes the last of an option's values, and takes `--name --json` as the name "--json". Neither is what an
 * operator meant.
 */
function refuseAmbiguousOptions(
  program: Command,
  commands: readonly Command[],
  args: readonly string[],
): void {
  const options = commands.flatMap((command) => command.options);
  const seen = new Set<string>();
  for (const [index, arg] of args.entries()) {
    if (arg === '--') return;
    const [flag = ''] = arg.split('=', 1);
    const option = options.find(({ long }) => long === flag);
    if (!option) continue;
    if (seen.has(flag) && !Array.isArray(option.defaultValue))
      program.error(`error: option '${flag}' is given twice`);
    seen.add(flag);
    if (option.required && arg === flag && args[index + 1]?.startsWith('-') === true) {
      program.error(
        `error: option '${option.flags}' needs a value; write ${flag}=… if it begins with a dash`,
      );
    }
  }
}
