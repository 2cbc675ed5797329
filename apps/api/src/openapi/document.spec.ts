import { createConfig, lintFromString, type NormalizedProblem } from '@redocly/openapi-core';
import { DESCRIBED_PATHS, openApiDocument, type Readers } from './index.js';

const ORIGIN = 'https://pay.tillstream.test';
const READERS: readonly Readers[] = ['Merchants', 'Operators'];
const controllers = DESCRIBED_PATHS.map(({ controller }) => controller);

/**
 * Rules of Redocly that are not ours, with the reason.
 * `info-license`: the service is UNLICENSED, which no license object can say.
 * `operation-4xx-response`: whoever asks for health and metrics can make no mistake; every other operation has some.
 * The rules of examples must not look for fields beside those of `if`, `then` and the like: our bodies say themselves
 * that they are complete.
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
  const source = JSON.stringify(openApiDocument(readers, controllers, ORIGIN));
  const problems = await lintFromString({ source, config });
  const said = ({ ruleId, message, location }: NormalizedProblem): string =>
    `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`;
  expect(problems.map(said)).toEqual([]);
});
