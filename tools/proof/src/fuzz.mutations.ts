import type { Chance } from './fuzz.chance.js';
import { resolved, type FuzzOperation, type Schema } from './fuzz.operations.js';
import { hostileValue, jsonText, PROTOTYPE_NAMES, RawJson } from './fuzz.values.js';

type Fields = Readonly<Record<string, unknown>>;

const KNOWN_FIELDS = [
  'amount',
  'paymentMethodId',
  'referenceId',
  'originalTransactionId',
  'name',
  'accountHolder',
];
const ALPHANUMERIC = 'ABCDEFGHabcdefgh0123456789';
const SHORTEST_AMOUNT = 5_000;

/** Right by the description as far as it can be generated; some rules span fields, so it is tried before it is used. */
export function nearlyRight(operation: FuzzOperation, chance: Chance): Fields {
  const { body, examples, document } = operation;
  if (examples.length > 0 && chance.is(0.6)) return chance.pick(examples);
  return body ? objectOf(body, document, chance, 0) : { amount: 1 + chance.below(SHORTEST_AMOUNT) };
}

function objectOf(named: Schema, document: Schema, chance: Chance, depth: number): Fields {
  const schema = resolved(named, document);
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  const alternatives = schema['oneOf'] as readonly { readonly required?: readonly string[] }[] | undefined;
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  const excluded = new Set(alternatives?.flatMap((one) => one.required ?? []));
  for (const name of (alternatives && chance.pick(alternatives).required) ?? []) {
    required.add(name);
    excluded.delete(name);
  }
  const fields: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    if (excluded.has(name) || (!required.has(name) && !chance.is(0.3))) continue;
    fields[name] = valueOf(property, document, chance, depth + 1);
  }
  return fields;
}

function valueOf(named: Schema, document: Schema, chance: Chance, depth: number): unknown {
  const schema = resolved(named, document);
  const { enum: values, examples, type, minimum, maximum, maxLength } = schema;
  if (Array.isArray(values) && values.length > 0) return chance.pick(values as readonly unknown[]);
  if (Array.isArray(examples) && examples.length > 0 && chance.is(0.7))
    return chance.pick(examples as unknown[]);
  switch (type) {
    case 'object':
      return depth > 4 ? {} : objectOf(schema, document, chance, depth);
    case 'array':
      return [valueOf((schema['items'] ?? {}) as Schema, document, chance, depth + 1)];
    case 'integer': {
      const from = Number(minimum ?? 0);
      return from + chance.below(Math.min(Number(maximum ?? SHORTEST_AMOUNT), SHORTEST_AMOUNT) - from + 1);
    }
    case 'boolean':
      return chance.is(0.5);
    default:
      return chance.text(ALPHANUMERIC, 1 + chance.below(Math.min(Number(maxLength ?? 20), 20)));
  }
}

/** The text of a body with one or two things wrong in it; now and then it is right in spite of them. */
export function mutated(base: Fields, operation: FuzzOperation, chance: Chance): string {
  let fields = base;
  let text = jsonText(fields);
  for (let count = chance.is(0.3) ? 2 : 1; count > 0; count--) {
    const mutation = chance.pick([replaced, replaced, limited, limited, dropped, added, nested, swapped]);
    fields = mutation(fields, operation, chance);
    text = jsonText(fields);
  }
  if (chance.is(0.06)) {
    const name = nameIn(fields, chance);
    text = jsonText(fields, { name, value: hostileValue(chance) });
  }
  return text;
}

const nameIn = (fields: Fields, chance: Chance): string =>
  chance.pick([...Object.keys(fields), ...(Object.keys(fields).length === 0 ? KNOWN_FIELDS : [])]);

/** A member of the body, or of an object in it. */
function changed(fields: Fields, chance: Chance, change: (fields: Fields, name: string) => Fields): Fields {
  const name = nameIn(fields, chance);
  const inner = fields[name];
  const enters =
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) && !(inner instanceof RawJson);
  return enters && chance.is(0.6)
    ? { ...fields, [name]: changed(inner as Fields, chance, change) }
    : change(fields, name);
}

function replaced(fields: Fields, operation: FuzzOperation, chance: Chance): Fields {
  const names = Object.keys(propertiesOf(operation));
  // A field that was left out, at times.
  if (names.length > 0 && chance.is(0.3)) return { ...fields, [chance.pick(names)]: hostileValue(chance) };
  return changed(fields, chance, (inner, name) => ({ ...inner, [name]: hostileValue(chance) }));
}

/** Just beside what its schema allows. */
function limited(fields: Fields, operation: FuzzOperation, chance: Chance): Fields {
  const properties = propertiesOf(operation);
  const names = Object.keys(properties);
  if (names.length === 0) return added(fields, operation, chance);
  const name = chance.pick(names);
  const schema = resolved(properties[name] ?? {}, operation.document);
  const { minimum, maximum, maxLength, type, enum: values, properties: inner } = schema;
  if (inner) {
    const within = { ...operation, body: schema };
    const own = fields[name];
    const known = typeof own === 'object' && own !== null && !Array.isArray(own) ? (own as Fields) : {};
    return { ...fields, [name]: limited(known, within, chance) };
  }
  const beside: unknown[] = [null, '', [fields[name] ?? 'x'], { [name]: fields[name] ?? 1 }];
  if (minimum !== undefined) beside.push(Number(minimum) - 1, new RawJson(`${Number(minimum)}.0`));
  if (maximum !== undefined) beside.push(Number(maximum) + 1, String(maximum), Number(maximum) + 0.5);
  if (maxLength !== undefined) {
    const most = Number(maxLength);
    beside.push(
      'a'.repeat(most + 1),
      '𝒳'.repeat(most + 1),
      '💳'.repeat(most),
      `${'a'.repeat(most - 1)}\u0000`,
    );
  }
  if (type === 'boolean') beside.push('true', 0, 'false');
  if (type === 'array')
    beside.push(
      Array.from({ length: 60 }, () => 'USD'),
      ['USD', 'USD'],
      [null],
      'USD',
    );
  if (Array.isArray(values)) beside.push(String(values[0]).toLowerCase(), `${String(values[0])} `, values);
  return { ...fields, [name]: chance.pick(beside) };
}

function dropped(fields: Fields, _operation: FuzzOperation, chance: Chance): Fields {
  if (Object.keys(fields).length === 0) return added(fields, _operation, chance);
  return changed(fields, chance, (inner, name) => {
    const { [name]: _gone, ...rest } = inner;
    return rest;
  });
}

function added(fields: Fields, _operation: FuzzOperation, chance: Chance): Fields {
  const name = chance.pick([...PROTOTYPE_NAMES, 'Amount', 'amount ', 'cardNumber', 'x'.repeat(5_000), '💳']);
  // A literal would set the prototype, and not a member.
  return changed(fields, chance, (inner) =>
    Object.fromEntries([...Object.entries(inner), [name, chance.pick([1, 'a', {}, hostileValue(chance)])]]),
  );
}

function nested(fields: Fields, _operation: FuzzOperation, chance: Chance): Fields {
  const name = nameIn(fields, chance);
  return {
    ...fields,
    [name]: chance.pick([[fields[name]], { [name]: fields[name] }, { value: fields[name] }, fields]),
  };
}

/** Values change places: an id of one kind where another is meant. */
function swapped(fields: Fields, operation: FuzzOperation, chance: Chance): Fields {
  const names = Object.keys(fields);
  if (names.length < 2) return replaced(fields, operation, chance);
  const [one, two] = [chance.pick(names), chance.pick(names)];
  return { ...fields, [one]: fields[two], [two]: fields[one] };
}

function propertiesOf({ body, document }: FuzzOperation): Readonly<Record<string, Schema>> {
  return ((body && resolved(body, document)['properties']) ?? {}) as Readonly<Record<string, Schema>>;
}
