import { createConfig, lintFromString, type NormalizedProblem } from '@redocly/openapi-core';
import { describedApi } from '../testing/described.api.js';
import { openApiDocument, type Readers } from './document.js';

const ORIGIN = 'https://pay.tillstream.test';
const READERS: readonly Readers[] = ['Merchants', 'Operators'];

/**
 * Rules of Redocly that are not ours, with the reason.
 * `info-license`: the document describes a running service. The licence of its code, Apache-2.0, is in LICENSE.
 * `operation-4xx-response`: a request for health or metrics has no client error; every other operation has some.
 * The rules of examples must not look for fields beside those of `if`, `then` and the like: the schemas of bodies state
 * themselves that they take no other field.
 */
const NOT_OUR_RULES = ['info-license', 'operation-4xx-response'];

it.each(READERS)('is valid OpenAPI 3.1 and breaks no rule of the linter, for %s', async (readers) => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      ...Object.fromEntries(NOT_OUR_RULES.map((rule) => [rule, 'off'])),
      'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
      'no-invalid-schema-examples': { severity: 'error', allowAdditionalProperties: true },
      'no-invalid-parameter-examples': { severity: 'error', allowAdditionalProperties: true },
    },
  });
  const source = JSON.stringify(openApiDocument(readers, await describedApi(), ORIGIN));
  const problems = await lintFromString({ source, config });
  const said = ({ ruleId, message, location }: NormalizedProblem): string =>
    `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`;
  expect(problems.map(said)).toEqual([]);
});

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
}

it.each(READERS)('describes every field, for %s', async (readers) => {
  const { components } = openApiDocument(readers, await describedApi(), ORIGIN);
  const fields = Object.entries(components['schemas'] as Readonly<Record<string, Schema>>).flatMap(
    ([schema, { properties = {} }]) =>
      Object.entries(properties).map(([name, field]) => ({ field: `${schema}.${name}`, ...field })),
  );
  expect(fields.length).toBeGreaterThan(100);
  expect(fields.filter(({ description = '' }) => description === '').map(({ field }) => field)).toEqual([]);
});
