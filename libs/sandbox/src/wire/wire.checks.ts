/** Where a value is not what it should be: a path such as `card.number`, empty for the value itself. */
export type Check = (value: unknown) => string | undefined;

const WRONG = '';

export const text =
  (longest: number): Check =>
  (value) =>
    typeof value === 'string' && value.length > 0 && value.length <= longest ? undefined : WRONG;

export const integer =
  (least: number, most: number): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most ? undefined : WRONG;

export const boolean: Check = (value) => (typeof value === 'boolean' ? undefined : WRONG);

/** Every value of a union, each once: the compiler sees to it that none is missing. */
export const oneOfValues = <Value extends string>(values: Readonly<Record<Value, true>>): Check => {
  const known = new Set(Object.keys(values));
  return (value) => (typeof value === 'string' && known.has(value) ? undefined : WRONG);
};

export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null ? undefined : check(value);

/** A name that ends in `?` may be left out. Fields that are not named are wrong. */
export function shape(fields: Readonly<Record<string, Check>>): Check {
  const checks = new Map(Object.entries(fields).map(([name, check]) => [name.replace(/\?$/, ''), check]));
  const needed = Object.keys(fields).filter((name) => !name.endsWith('?'));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return WRONG;
    const missing = needed.find((name) => !Object.hasOwn(value, name));
    if (missing !== undefined) return missing;
    for (const [name, part] of Object.entries(value)) {
      const check = checks.get(name);
      // A name that somebody made up may be anything, so it is not repeated.
      if (!check) return 'a field that is not known';
      const wrong = check(part);
      if (wrong !== undefined) return wrong === WRONG ? name : `${name}.${wrong}`;
    }
    return undefined;
  };
}

/** One of several shapes, told apart by what their field `by` holds. */
export function oneOf(by: string, shapes: Readonly<Record<string, Check>>): Check {
  return (value) => {
    if (typeof value !== 'object' || value === null) return WRONG;
    const kind = (value as Readonly<Record<string, unknown>>)[by];
    const check = typeof kind === 'string' && Object.hasOwn(shapes, kind) ? shapes[kind] : undefined;
    return check ? check(value) : by;
  };
}
