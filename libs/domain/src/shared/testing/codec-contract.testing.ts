import { expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UnknownEvent, type EventCodec, type StoredEvent } from '../aggregate.js';

/** The value with every field present, also the optional ones. */
export type Complete<Value> = Value extends readonly (infer Item)[]
  ? readonly Complete<Item>[]
  : Value extends object
    ? { [Key in keyof Value]-?: Complete<Value[Key]> }
    : Value;

interface AnyEvent {
  readonly type: string;
  readonly data: object;
}

export type CompleteExamples<Event extends AnyEvent> = {
  readonly [Type in Event['type']]: Complete<Extract<Event, { type: Type }>['data']>;
};

/** An older version of an event as stored, and the event that the codec makes of it now. */
export interface OlderVersion<Event extends AnyEvent> {
  readonly stored: StoredEvent;
  readonly readAs: Event;
}

/**
 * Stored events stay readable for ever. Every version of every type has a frozen example in `folder`, one file each;
 * `checksums.json` detects a changed file. `FREEZE_FIXTURES=1` writes the missing files and no others. A changed shape is
 * a new version.
 */
export function codecContract<Event extends AnyEvent>(
  codec: EventCodec<Event>,
  folder: string,
  examples: CompleteExamples<Event>,
  older: readonly OlderVersion<Event>[] = [],
): void {
  const current = codec.types.map((type: Event['type']) => {
    const event = { type, data: examples[type] } as unknown as Event;
    return { stored: codec.encode(event), readAs: event };
  });
  const versions = [...older, ...current];
  const named = versions.map((version) => [fileOf(version.stored), version] as const);
  if (process.env['FREEZE_FIXTURES']) freeze(folder, versions);

  it('there is a frozen example of every version of every type, and no other file', () => {
    for (const type of codec.types) {
      const numbers = versions
        .filter(({ stored }) => stored.type === type)
        .map(({ stored }) => stored.schemaVersion);
      expect(numbers).toEqual(Array.from({ length: codec.versionOf(type) }, (_, index) => index + 1));
    }
    const files = readdirSync(folder).filter((name) => name !== 'checksums.json');
    expect(files.sort()).toEqual(named.map(([name]) => name).sort());
  });

  it.each(named)('%s is read as before', (name, { readAs }) => {
    expect(codec.decode(read(folder, name) as StoredEvent)).toEqual(readAs);
  });

  it.each(named)('%s is unchanged', (name) => {
    expect(read(folder, 'checksums.json')).toHaveProperty([name], checksum(read(folder, name)));
  });

  it.each(current)('$stored.type is stored as its frozen example', ({ stored }) => {
    expect(JSON.parse(JSON.stringify(stored))).toEqual(read(folder, fileOf(stored)));
  });

  it.each(codec.types)('rejects a newer version of %s than this program knows', (type: Event['type']) => {
    const schemaVersion = codec.versionOf(type) + 1;
    expect(() => codec.decode({ type, schemaVersion, data: {} })).toThrow(UnknownEvent);
  });

  it.each(['Teleported', '__proto__', 'constructor', 'toString', ''])('rejects the type "%s"', (type) => {
    expect(() => codec.decode({ type, schemaVersion: 1, data: {} })).toThrow(UnknownEvent);
  });

  it.each([0, -1, 1.5, Number.NaN, '1' as unknown as number])('rejects the version %s', (schemaVersion) => {
    const type = codec.types[0] as string;
    expect(() => codec.decode({ type, schemaVersion, data: {} })).toThrow(UnknownEvent);
  });
}

function fileOf({ type, schemaVersion }: StoredEvent): string {
  return `${type}.v${schemaVersion}.json`;
}

function read(folder: string, name: string): unknown {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}

/** Independent of white space. */
function checksum(json: unknown): string {
  return createHash('sha256').update(JSON.stringify(json)).digest('hex');
}

function freeze(folder: string, versions: readonly { readonly stored: StoredEvent }[]): void {
  mkdirSync(folder, { recursive: true });
  const list = join(folder, 'checksums.json');
  const checksums = (existsSync(list) ? read(folder, 'checksums.json') : {}) as Record<string, string>;
  for (const { stored } of versions) {
    const name = fileOf(stored);
    if (existsSync(join(folder, name))) continue;
    writeFileSync(join(folder, name), JSON.stringify(stored, null, 2) + '\n');
    checksums[name] = checksum(stored);
  }
  writeFileSync(list, JSON.stringify(checksums, null, 2) + '\n');
}
