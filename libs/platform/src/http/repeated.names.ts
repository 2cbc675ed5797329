/** A name that one object of a JSON text has twice. */
export interface RepeatedName {
  /** As JSON reads it: `"\u0061"` is `a`. */
  readonly name: string;
  /** From the outermost value to the second occurrence, `name` included; members of a list by their index, from 0. */
  readonly path: readonly (string | number)[];
}

/** An object or a list that is open at the position of the scan. */
interface Open {
  /** Undefined: a list. */
  readonly names: Set<string> | undefined;
  /** Where the scan is in it: the latest name, or the index. */
  place: string | number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const LIST_BEGINS = 0x5b;
const BACKSLASH = 0x5c;
const LIST_ENDS = 0x5d;
const OBJECT_BEGINS = 0x7b;
const OBJECT_ENDS = 0x7d;

/**
 * The first name in a JSON text that its object already has, in any depth; undefined where there is none. `JSON.parse` takes
 * the last of two equal names, other readers take the first: a proxy and this service would read two different amounts.
 *
 * One pass without recursion: time and memory grow linearly with the text, however deep it is nested.
 *
 * @param json a text that `JSON.parse` accepts; for any other text the result means nothing
 */
export function repeatedName(json: string): RepeatedName | undefined {
  const open: Open[] = [];
  let inside: Open | undefined;
  let nameComesNext = false;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfText(json, at);
        if (nameComesNext && inside?.names) {
          const name = textAt(json, at, end);
          inside.place = name;
          if (inside.names.has(name)) return { name, path: open.map(({ place }) => place) };
          inside.names.add(name);
          nameComesNext = false;
        }
        at = end;
        break;
      }
      case OBJECT_BEGINS:
        open.push((inside = { names: new Set(), place: '' }));
        nameComesNext = true;
        break;
      case LIST_BEGINS:
        open.push((inside = { names: undefined, place: 0 }));
        nameComesNext = false;
        break;
      case OBJECT_ENDS:
      case LIST_ENDS:
        open.pop();
        inside = open.at(-1);
        nameComesNext = false;
        break;
      case COMMA:
        if (typeof inside?.place === 'number') inside.place += 1;
        else nameComesNext = true;
    }
  }
  return undefined;
}

/** The position of the quote that ends the text which begins at `start`. */
function endOfText(json: string, start: number): number {
  let at = start + 1;
  for (let unit = json.charCodeAt(at); unit !== QUOTE && at < json.length; unit = json.charCodeAt(at)) {
    at += unit === BACKSLASH ? 2 : 1;
  }
  return at;
}

function textAt(json: string, start: number, end: number): string {
  const raw = json.slice(start + 1, end);
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
}
