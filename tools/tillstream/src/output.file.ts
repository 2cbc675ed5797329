import { existsSync, lstatSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { replacePrivateFile } from '@tillstream/platform';
import { errorMessage } from '@tillstream/runtime';
import { InvalidArgumentError, Option } from 'commander';
import { Failed, type CommandContext } from './command.types.js';

/* The file that a command's result goes to. */

export const outOption = (): Option =>
  new Option(
    '--out <file>',
    'write there, whole or not at all, readable by its owner only, in place of an older file; left out: on stdout',
  ).argParser(outputFile);

/** Checked before the work begins: nothing is done whose result can't be written. */
function outputFile(out: string): string {
  const file = resolve(out);
  // A device or a link would be replaced by a file.
  if (out === '' || lstatSync(file, { throwIfNoEntry: false })?.isFile() === false)
    throw new InvalidArgumentError(
      'It is not the name of an ordinary file, and only such a file can be replaced.',
    );
  const folder = dirname(file);
  if (!existsSync(folder))
    throw new InvalidArgumentError(`The folder "${folder}" does not exist; make it first.`);
  return out;
}

/** @param out undefined: on stdout. @throws Failed if the file can't be written */
export function writeResult(text: string, out: string | undefined, { terminal }: CommandContext): void {
  if (out === undefined) {
    terminal.line(text.trimEnd());
    return;
  }
  try {
    replacePrivateFile(resolve(out), text);
  } catch (error) {
    throw new Failed(`--out can not be written: ${errorMessage(error)}`);
  }
  terminal.error(`Written to ${resolve(out)}, readable by its owner only.`);
}
