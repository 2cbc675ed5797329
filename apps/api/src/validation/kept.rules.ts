import { getMetadataStorage } from 'class-validator';

/**
 * Makes class-validator keep the rules of each DTO class. Its storage searches all DTO classes of the program for base
 * classes again in each validation (docs/adr/0030-speed-measures-that-stay.md). Decorators add the rules when the class is
 * defined, so they are complete at its first validation.
 */
export function keepRules(storage = getMetadataStorage()): void {
  const find = storage.getTargetValidationMetadatas.bind(storage);
  const kept = new WeakMap<object, ReturnType<typeof find>>();
  storage.getTargetValidationMetadatas = (...query) => {
    const [dto, schema, always, strictGroups, groups] = query;
    if (schema || always || strictGroups || groups) return find(...query);
    let rules = kept.get(dto);
    if (rules === undefined) kept.set(dto, (rules = find(...query)));
    return rules;
  };
}
