import { action } from '@tillstream/platform/command-line';
import { Command } from 'commander';
import type { CommandContext, Tool } from './command.types.js';

/** Commands that another tool parses and runs, `--help` included. */
export function delegatedCommands(context: CommandContext): Command[] {
  const delegated = (name: string, tool: Tool, summary: string): Command =>
    new Command(name)
      .summary(summary)
      .argument('[arguments...]')
      .helpOption(false)
      .allowUnknownOption()
      .passThroughOptions()
      .action(action((args: readonly string[]) => context.runTool(tool, args)));
  return [
    delegated('verify', 'verify', 'checks the hash chain of every stream of events'),
    delegated('rebuild', 'rebuild', 'rebuilds lists from the events, or checks that they are equal'),
    delegated('vault', 'vault-keys', 'status of the vault, and exchange of its master key'),
  ];
}
