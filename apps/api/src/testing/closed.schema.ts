/** Keywords whose sub-schemas describe the same object as the schema that has the keyword. */
const BESIDE = new Set(['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'not']);

/**
 * The same schema, taken for complete: no object may have a field that it does not name. What is published leaves room
 * for new fields; what is tested has none.
 */
export function closed(schema: object): object {
  return rewritten(schema, true);
}

function rewritten(schema: object, closes: boolean): object {
  const copy = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, part(keyword, value as unknown)]),
  );
  if (!closes || 'additionalProperties' in schema) return copy;
  if ('allOf' in schema) return { ...copy, unevaluatedProperties: false };
  return 'properties' in schema ? { ...copy, additionalProperties: false } : copy;
}

function part(keyword: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (keyword === 'properties')
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, rewritten(inner as object, true)]),
    );
  if (keyword === 'items') return rewritten(value, true);
  if (BESIDE.has(keyword))
    return Array.isArray(value)
      ? value.map((one) => rewritten(one as object, false))
      : rewritten(value, false);
  return value;
}
