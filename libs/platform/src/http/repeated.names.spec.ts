import fc from 'fast-check';
import { repeatedName, type RepeatedName } from './repeated.names.js';

const repeated = (json: string): string | undefined => {
  JSON.parse(json);
  return repeatedName(json)?.path.join(' ');
};

describe('A name that an object of a JSON text has twice', () => {
  it.each([
    ['at the top', '{"a":1,"a":2}', 'a'],
    ['with equal values', '{"a":1,"a":1}', 'a'],
    ['with another one between', '{"a":1,"b":1,"a":1}', 'a'],
    ['a hundred names later', `{"a":1,${names(100)},"a":1}`, 'a'],
    ['in an inner object', '{"a":{"b":1,"b":2}}', 'a b'],
    ['in an object of a list', '{"a":[0,[],{"b":1,"c":{},"b":2}]}', 'a 2 b'],
    ['in a list at the top', '[{},{"a":1,"a":2}]', '1 a'],
    ['after an inner object', '{"a":{"b":{}},"c":[{}],"a":1}', 'a'],
    ['whose value is itself an object or list', '{"a":{},"a":[]}', 'a'],
    ['in the value that the second one replaces', '{"a":{"b":1,"b":1},"c":1}', 'a b'],
    ['written with an escape', String.raw`{"a":1,"\u0061":2}`, 'a'],
    ['written with two escapes', String.raw`{"\/":1,"\u002F":2}`, '/'],
    ['with an escaped quote', String.raw`{"\"":1,"\u0022":2}`, '"'],
    ['that ends with a backslash', String.raw`{"a\\":1,"a\\":2}`, 'a\\'],
    ['beyond the basic plane', String.raw`{"😀":1,"\ud83d\ude00":2}`, '😀'],
    ['that is half a character', String.raw`{"\ud83d":1,"\uD83D":2}`, '\ud83d'],
    ['that is empty', '{"":1,"":2}', ''],
    ['that objects inherit', '{"__proto__":1,"__proto__":2}', '__proto__'],
    ['that is a method of objects', '{"hasOwnProperty":1,"hasOwnProperty":2}', 'hasOwnProperty'],
    ['that looks like an index', '{"0":1,"0":2}', '0'],
    ['with white space around it', '{ "a" \n:\t1 ,\r "a" : 2 }', 'a'],
  ])('is found %s', (_where, json, path) => {
    expect(repeated(json)).toBe(path);
  });

  it.each([
    ['two names', '{"a":1,"b":2}'],
    ['two cases of a letter', '{"a":1,"A":2}'],
    ['two forms of an accent', '{"é":1,"e\u0301":2}'],
    ['an object and one in it', '{"a":{"a":{"a":1}}}'],
    ['two objects of a list', '[{"a":1},{"a":1}]'],
    ['two objects side by side', '{"b":{"a":1},"c":{"a":1}}'],
    ['a name and an equal value', '{"a":"a","b":"a"}'],
    ['equal texts of a list', '{"a":["a","a","a"]}'],
    ['one that objects inherit', '{"__proto__":1,"constructor":1,"toString":1}'],
    ['a text that looks like an object', String.raw`{"a":"{\"a\":1,\"a\":2}","b":"\",\"a\":"}`],
    ['a name that looks like an object', String.raw`{"{\"a\":1,\"a":1,"a":2}`],
    ['a text of brackets', '{"a":"[{]}","b":"}{"}'],
    ['an escaped backslash at the end of a text', String.raw`{"a":"\\","b":"\\\\"}`],
    ['a plain text', '"a"'],
    ['an empty object', '{}'],
  ])('is not in %s', (_what, json) => {
    expect(repeated(json)).toBeUndefined();
  });

  it('is found in every text in which a second reader of JSON finds one, in the same place', () => {
    let found = 0;
    fc.assert(
      fc.property(tree(), fc.func(fc.nat(3)), (value, spelling) => {
        const json = textOf(value, (text) => spelled(text, spelling(text)));
        JSON.parse(json);
        const expected = new Reader(json).repeated();
        if (expected) found += 1;
        expect(repeatedName(json)).toEqual(expected);
      }),
      { numRuns: 2_000 },
    );
    expect(found).toBeGreaterThan(200);
  });

  it('is found in linear time, in the widest and the deepest body of 100 kB', () => {
    const deep = 16_000;
    for (const json of [
      `{${names(11_000)},"n0":1}`,
      `${'{"a":'.repeat(deep)}{"b":1,"b":1}${'}'.repeat(deep)}`,
      `{"a":${'['.repeat(49_000)}${']'.repeat(49_000)},"a":1}`,
      `{"a":"${'\\"'.repeat(45_000)}","a":1}`,
      `{"${'\\u0061'.repeat(8_000)}":1,"${'a'.repeat(8_000)}":2}`,
    ]) {
      const since = performance.now();
      expect(repeatedName(json)).toBeDefined();
      expect(performance.now() - since).toBeLessThan(1_000);
    }
  });
});

function names(count: number): string {
  return Array.from({ length: count }, (_one, n) => `"n${n}":1`).join();
}

/** JSON as it is written: an object is a list of members, so that a name can come twice. */
type Tree =
  string | number | null | readonly Tree[] | { readonly members: readonly (readonly [string, Tree])[] };

function tree(): fc.Arbitrary<Tree> {
  const name = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('a', 'b', '"', '\\', '', '__proto__', '{"a":1,"a":2}') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
  );
  return fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.oneof(name, fc.integer(), fc.constant(null)),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.array(fc.tuple(name, tie('tree')), { maxLength: 4 }).map((members) => ({ members })),
    ),
  })).tree;
}

function textOf(value: Tree, write: (text: string) => string): string {
  if (typeof value === 'string') return write(value);
  if (typeof value === 'number' || value === null) return String(value);
  if ('members' in value)
    return `{${value.members.map(([name, inner]) => `${write(name)} :${textOf(inner, write)}`).join(', ')}}`;
  return `[${value.map((one) => textOf(one, write)).join(',')}]`;
}

/** The same text in one of four spellings. */
function spelled(text: string, spelling: number): string {
  if (spelling !== 0) return JSON.stringify(text);
  const units = Array.from({ length: text.length }, (_one, at) => text.charCodeAt(at));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}

/** A reader of JSON by recursive descent, which shares nothing with the scan. */
class Reader {
  private at = 0;
  private first: RepeatedName | undefined;

  constructor(private readonly json: string) {}

  repeated(): RepeatedName | undefined {
    this.value([]);
    return this.first;
  }

  private value(path: readonly (string | number)[]): void {
    this.space();
    if (this.json[this.at] === '{') this.object(path);
    else if (this.json[this.at] === '[') this.list(path);
    else if (this.json[this.at] === '"') this.text();
    else this.token(/(?:[-+.\dA-Za-z])+/y);
  }

  private object(path: readonly (string | number)[]): void {
    const seen: string[] = [];
    this.members('}', () => {
      this.space();
      const name = this.text();
      if (seen.includes(name)) this.first ??= { name, path: [...path, name] };
      seen.push(name);
      this.token(/\s*:/y);
      this.value([...path, name]);
    });
  }

  private list(path: readonly (string | number)[]): void {
    let index = 0;
    this.members(']', () => this.value([...path, index++]));
  }

  private members(end: string, read: () => void): void {
    this.at += 1;
    this.space();
    while (this.json[this.at] !== end) {
      read();
      this.token(/\s*,?\s*/y);
    }
    this.at += 1;
  }

  private text(): string {
    return JSON.parse(this.token(/"(?:[^"\\]|\\.)*"/y)) as string;
  }

  private space(): void {
    this.token(/\s*/y);
  }

  private token(form: RegExp): string {
    form.lastIndex = this.at;
    const token = form.exec(this.json)?.[0];
    if (token === undefined) throw new Error(`no token at ${this.at} of ${this.json}`);
    this.at += token.length;
    return token;
  }
}
