/** The fields of `from` with these names that are not undefined, in the order of the names. */
export function pick<From extends object, Name extends keyof From>(
  from: From,
  ...names: readonly Name[]
): Pick<From, Name> {
  const picked: Partial<Pick<From, Name>> = {};
  for (const name of names) if (from[name] !== undefined) picked[name] = from[name];
  return picked as Pick<From, Name>;
}
