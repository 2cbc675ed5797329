/** Returns the path of the wrong field, such as `card.number`, empty for the value itself; undefined: the value is valid. */
export type Check = (value: unknown) => string | undefined;

const WRONG = '';

export const text =
  (lengthMax: number): Check =>
  (value) =>
    typeof value === 'string' && value.length > 0 && value.length <= lengthMax ? undefined : WRONG;

export const matching =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? undefined : WRONG;

export const integer =
  (min: number, max: number): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max ? undefined : WRONG;

export const boolean: Check = (value) => (typeof value === 'boolean' ? undefined : WRONG);

export const oneOfList =
  (values: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && values.includes(value) ? undefined : WRONG;

/** The compiler checks that every value of the union is listed. */
export const oneOfValues = <Value extends string>(values: Readonly<Record<Value, true>>): Check =>
  oneOfList(Object.keys(values));

export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null ? undefined : check(value);

/** A field whose name ends in `?` is optional. Unknown fields are wrong. */
export function shape(fields: Readonly<Record<string, Check>>): Check {
  const checks = new Map(Object.entries(fields).map(([name, check]) => [name.replace(/\?$/, ''), check]));
  const needed = Object.keys(fields).filter((name) => !name.endsWith('?'));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return WRONG;
    const missing = needed.find((name) => !Object.hasOwn(value, name));
    if (missing !== undefined) return missing;
    for (const [name, part] of Object.entries(value)) {
      const check = checks.get(name);
      // An unknown name may contain a card number, so it is not repeated.
      if (!check) return 'a field that is not known';
      const wrong = check(part);
      if (wrong !== undefined) return wrong === WRONG ? name : `${name}.${wrong}`;
    }
    return undefined;
  };
}

/** A list; the path of a wrong item is that of its wrong field. */
export const listOf =
  (check: Check, lengthMax: number): Check =>
  (value) => {
    if (!Array.isArray(value) || value.length > lengthMax) return WRONG;
    return value.map(check).find((wrong) => wrong !== undefined);
  };

/** One of several shapes; the value of the field `discriminator` selects it. */
export function oneOf(discriminator: string, shapes: Readonly<Record<string, Check>>): Check {
  return (value) => {
    if (typeof value !== 'object' || value === null) return WRONG;
    const kind = (value as Readonly<Record<string, unknown>>)[discriminator];
    const check = typeof kind === 'string' && Object.hasOwn(shapes, kind) ? shapes[kind] : undefined;
    return check ? check(value) : discriminator;
  };
}
