import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createPrivateFile, replacePrivateFile } from '../files/private-files.js';
import { ConfigError, keyFromBase64 } from '../configuration/setting.kinds.js';

const OTHERS = 0o077;

/** The master keys of the vault in a file, one a line in base64, the current one first. Changes replace the whole file. */
export class MasterKeyFile {
  constructor(
    readonly path: string,
    /** For error messages: the setting that names the file, or its path. */
    private readonly name: string,
  ) {}

  exists(): boolean {
    return existsSync(this.path);
  }

  /** Creates the file with one new key. False if it exists; then it is unchanged. */
  create(): boolean {
    return createPrivateFile(this.path, linesOf([newKey()]));
  }

  /** @throws ConfigError if the file can't be read, if others can read it, or if a line is no key */
  read(): readonly Uint8Array[] {
    const lines = this.content()
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    const keys = lines.map(keyFromBase64);
    const wrong = keys.indexOf(undefined);
    if (wrong >= 0 || keys.length === 0) {
      const problem = keys.length === 0 ? 'holds no key' : `has a line ${wrong + 1} that is no key`;
      throw new ConfigError(
        `${this.name} ${problem}; allowed are lines of 32 random bytes in base64 (openssl rand -base64 32).`,
      );
    }
    return keys.filter((key) => key !== undefined);
  }

  addKey(): void {
    this.write([newKey(), ...this.read()]);
  }

  /** Removes the other keys. At least one must stay. */
  keepOnly(isKept: (key: Uint8Array) => boolean): void {
    const kept = this.read().filter(isKept);
    if (kept.length === 0) throw new ConfigError(`${this.name} would hold no key any more.`);
    this.write(kept);
  }

  /** Keeps a symbolic link. No other process may write the file at the same time. */
  private write(keys: readonly Uint8Array[]): void {
    try {
      const file = realpathSync(this.path);
      replacePrivateFile(file, linesOf(keys));
      removeDraftsOf(file);
    } catch (error) {
      const code = codeOf(error);
      const allowed =
        code === 'ENOSPC' ? 'a disk with room for it' : 'a file of this user, in a directory of it';
      throw new ConfigError(`${this.name} can not be changed (${code}); allowed is ${allowed}.`);
    }
  }

  private content(): string {
    let file: number;
    try {
      file = openSync(this.path, 'r');
    } catch (error) {
      throw new ConfigError(
        `${this.name} can not be read (${codeOf(error)}); allowed is a file of this user.`,
      );
    }
    try {
      const state = fstatSync(file);
      if (!state.isFile()) throw new ConfigError(`${this.name} is no file.`);
      if ((state.mode & OTHERS) !== 0) {
        throw new ConfigError(
          `${this.name} can be used by others than its owner; take that away: chmod 600 ${this.path}.`,
        );
      }
      return readFileSync(file, 'utf8');
    } finally {
      closeSync(file);
    }
  }
}

/** A process that was killed during a change leaves a draft, which contains keys too. */
function removeDraftsOf(file: string): void {
  const draft = /^\.\d+\.[0-9a-f]{8}$/;
  for (const name of readdirSync(dirname(file))) {
    const isDraft = name.startsWith(basename(file)) && draft.test(name.slice(basename(file).length));
    if (isDraft) unlinkSync(join(dirname(file), name));
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

const newKey = (): Uint8Array => new Uint8Array(randomBytes(32));

const linesOf = (keys: readonly Uint8Array[]): string =>
  keys.map((key) => `${Buffer.from(key).toString('base64')}\n`).join('');
