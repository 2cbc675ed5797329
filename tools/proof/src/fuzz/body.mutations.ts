import type { RandomGenerator } from './random.generator.js';
import { resolved, type FuzzOperation, type Schema } from './api.operations.js';
import { hostileValue, jsonText, PROTOTYPE_NAMES, RawJson } from './hostile.values.js';

type Fields = Readonly<Record<string, unknown>>;

const KNOWN_FIELDS = 'amount paymentMethodId referenceId originalTransactionId name accountHolder'.split(' ');
const ALPHANUMERIC = 'ABCDEFGHabcdefgh0123456789';
const SHORTEST_AMOUNT = 5_000;

/** A body by the schema. Some rules span fields, so the caller must validate it. */
export function validBody(operation: FuzzOperation, random: RandomGenerator): Fields {
  const { body, examples, document } = operation;
  if (examples.length > 0 && random.is(0.6)) return random.pick(examples);
  return body ? objectOf(body, document, random, 0) : { amount: 1 + random.below(SHORTEST_AMOUNT) };
}

function objectOf(named: Schema, document: Schema, random: RandomGenerator, depth: number): Fields {
  const schema = resolved(named, document);
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  const alternatives = schema['oneOf'] as readonly { readonly required?: readonly string[] }[] | undefined;
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  const excluded = new Set(alternatives?.flatMap((one) => one.required ?? []));
  for (const name of (alternatives && random.pick(alternatives).required) ?? []) {
    required.add(name);
    excluded.delete(name);
  }
  const fields: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    if (excluded.has(name) || (!required.has(name) && !random.is(0.3))) continue;
    fields[name] = valueOf(property, document, random, depth + 1);
  }
  return fields;
}

function valueOf(named: Schema, document: Schema, random: RandomGenerator, depth: number): unknown {
  const schema = resolved(named, document);
  const { enum: values, examples, type, minimum, maximum, maxLength } = schema;
  if (Array.isArray(values) && values.length > 0) return random.pick(values as readonly unknown[]);
  if (Array.isArray(examples) && examples.length > 0 && random.is(0.7))
    return random.pick(examples as unknown[]);
  switch (type) {
    case 'object':
      return depth > 4 ? {} : objectOf(schema, document, random, depth);
    case 'array':
      return [valueOf((schema['items'] ?? {}) as Schema, document, random, depth + 1)];
    case 'integer': {
      const from = Number(minimum ?? 0);
      return from + random.below(Math.min(Number(maximum ?? SHORTEST_AMOUNT), SHORTEST_AMOUNT) - from + 1);
    }
    case 'boolean':
      return random.is(0.5);
    default:
      return random.text(ALPHANUMERIC, 1 + random.below(Math.min(Number(maxLength ?? 20), 20)));
  }
}

/** Returns a body with one or two mutations as text. The result may still be valid. */
export function mutateBody(base: Fields, operation: FuzzOperation, random: RandomGenerator): string {
  let fields = base;
  let text = jsonText(fields);
  for (let count = random.is(0.3) ? 2 : 1; count > 0; count--) {
    const mutation = random.pick([replaced, replaced, limited, limited, dropped, added, nested, swapped]);
    fields = mutation(fields, operation, random);
    text = jsonText(fields);
  }
  if (random.is(0.06)) {
    const name = nameIn(fields, random);
    text = jsonText(fields, { name, value: hostileValue(random) });
  }
  return text;
}

const nameIn = (fields: Fields, random: RandomGenerator): string =>
  random.pick([...Object.keys(fields), ...(Object.keys(fields).length === 0 ? KNOWN_FIELDS : [])]);

/** Changes a field of the body or of an object in it. */
function changed(
  fields: Fields,
  random: RandomGenerator,
  change: (fields: Fields, name: string) => Fields,
): Fields {
  const name = nameIn(fields, random);
  const inner = fields[name];
  const enters =
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) && !(inner instanceof RawJson);
  return enters && random.is(0.6)
    ? { ...fields, [name]: changed(inner as Fields, random, change) }
    : change(fields, name);
}

function replaced(fields: Fields, operation: FuzzOperation, random: RandomGenerator): Fields {
  const names = Object.keys(propertiesOf(operation));
  // May add a field that was left out.
  if (names.length > 0 && random.is(0.3)) return { ...fields, [random.pick(names)]: hostileValue(random) };
  return changed(fields, random, (inner, name) => ({ ...inner, [name]: hostileValue(random) }));
}

/** Values just outside the limits of the schema. */
function limited(fields: Fields, operation: FuzzOperation, random: RandomGenerator): Fields {
  const properties = propertiesOf(operation);
  const names = Object.keys(properties);
  if (names.length === 0) return added(fields, operation, random);
  const name = random.pick(names);
  const schema = resolved(properties[name] ?? {}, operation.document);
  const { minimum, maximum, maxLength, type, enum: values, properties: inner } = schema;
  if (inner) {
    const within = { ...operation, body: schema };
    const own = fields[name];
    const known = typeof own === 'object' && own !== null && !Array.isArray(own) ? (own as Fields) : {};
    return { ...fields, [name]: limited(known, within, random) };
  }
  const beside: unknown[] = [null, '', [fields[name] ?? 'x'], { [name]: fields[name] ?? 1 }];
  if (minimum !== undefined) beside.push(Number(minimum) - 1, new RawJson(`${Number(minimum)}.0`));
  if (maximum !== undefined) beside.push(Number(maximum) + 1, String(maximum), Number(maximum) + 0.5);
  if (maxLength !== undefined) {
    const most = Number(maxLength);
    beside.push('a'.repeat(most + 1), '𝒳'.repeat(most + 1), '💳'.repeat(most));
    beside.push(`${'a'.repeat(most - 1)}\u0000`);
  }
  if (type === 'boolean') beside.push('true', 0, 'false');
  if (type === 'array') beside.push(Array<string>(60).fill('USD'), ['USD', 'USD'], [null], 'USD');
  if (Array.isArray(values)) beside.push(String(values[0]).toLowerCase(), `${String(values[0])} `, values);
  return { ...fields, [name]: random.pick(beside) };
}

function dropped(fields: Fields, _operation: FuzzOperation, random: RandomGenerator): Fields {
  if (Object.keys(fields).length === 0) return added(fields, _operation, random);
  return changed(fields, random, (inner, name) => {
    const { [name]: _gone, ...rest } = inner;
    return rest;
  });
}

function added(fields: Fields, _operation: FuzzOperation, random: RandomGenerator): Fields {
  const name = random.pick([...PROTOTYPE_NAMES, 'Amount', 'amount ', 'cardNumber', 'x'.repeat(5_000), '💳']);
  // An object literal would set the prototype instead of a field.
  return changed(fields, random, (inner) =>
    Object.fromEntries([...Object.entries(inner), [name, random.pick([1, 'a', {}, hostileValue(random)])]]),
  );
}

function nested(fields: Fields, _operation: FuzzOperation, random: RandomGenerator): Fields {
  const name = nameIn(fields, random);
  const value = fields[name];
  return { ...fields, [name]: random.pick([[value], { [name]: value }, { value }, fields]) };
}

/** Swaps two values: an id of one kind is where another is expected. */
function swapped(fields: Fields, operation: FuzzOperation, random: RandomGenerator): Fields {
  const names = Object.keys(fields);
  if (names.length < 2) return replaced(fields, operation, random);
  const [one, two] = [random.pick(names), random.pick(names)];
  return { ...fields, [one]: fields[two], [two]: fields[one] };
}

function propertiesOf({ body, document }: FuzzOperation): Readonly<Record<string, Schema>> {
  return ((body && resolved(body, document)['properties']) ?? {}) as Readonly<Record<string, Schema>>;
}
