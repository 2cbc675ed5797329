export type ComponentKind =
  'schemas' | 'responses' | 'parameters' | 'headers' | 'securitySchemes' | 'requestBodies';

/** Stands in a document for a part that has a name of its own there. */
export interface Reference {
  readonly $ref: string;
  readonly description?: string;
}

interface Definition {
  readonly kind: ComponentKind;
  readonly name: string;
  readonly value: object;
}

/** What references stand for: a document gets those definitions that something in it points to. */
const DEFINITIONS = new WeakMap<object, Definition>();

/** Something that is written once in a document, and pointed to from everywhere. */
export function component(kind: ComponentKind, name: string, value: object): Reference {
  return referenceTo({ kind, name, value });
}

/** The same thing, described for the place where it stands. */
export function describedHere(reference: object, description: string): Reference {
  const definition = DEFINITIONS.get(reference);
  if (!definition) throw new Error('only a component can be described anew');
  return referenceTo(definition, description);
}

function referenceTo(definition: Definition, description?: string): Reference {
  const { kind, name } = definition;
  const reference = {
    $ref: `#/components/${kind}/${name}`,
    ...(description !== undefined && { description }),
  };
  DEFINITIONS.set(reference, definition);
  return reference;
}

export type Components = Partial<Record<ComponentKind, Record<string, unknown>>>;

/**
 * A copy of a part of a document as plain JSON, without what is undefined, and everything that it points to.
 *
 * @throws Error where two different things have one name.
 */
export function assembled(part: object): { readonly part: object; readonly components: Components } {
  const components: Components = {};
  const known = new Map<string, object>();
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== 'object' || value === null) return value;
    const definition = DEFINITIONS.get(value);
    if (definition) include(definition);
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    return Object.fromEntries(entries.map(([name, inner]) => [name, copy(inner)]));
  };
  const include = ({ kind, name, value }: Definition): void => {
    const path = `${kind}/${name}`;
    const before = known.get(path);
    if (before === value) return;
    if (before) throw new Error(`two different components have the name ${path}`);
    known.set(path, value);
    const ofKind = (components[kind] ??= {});
    // Its place is taken before what it points to is looked at.
    ofKind[name] = undefined;
    ofKind[name] = copy(value);
  };
  return { part: copy(part) as object, components };
}
