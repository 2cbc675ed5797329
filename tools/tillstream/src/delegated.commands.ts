import type { Command, Tool } from './command.types.js';

/*
 * Commands that are tools of their own: they take the same arguments, `--help` included, and give their own exit code, so
 * that both ways to start them do the same.
 */

const delegated = (tool: Tool, summary: string): Command => ({
  summary,
  run: (args, world) => world.run(tool, args),
});

export const verifyCommand = delegated('verify', 'checks the hash chain of every stream of events');
export const rebuildCommand = delegated(
  'rebuild',
  'makes lists anew from the events, or proves that they are equal',
);
export const vaultCommand = delegated('vault-keys', 'status of the vault, and exchange of its master key');
