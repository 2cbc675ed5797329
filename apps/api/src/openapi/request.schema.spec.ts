import { field } from '../validation/field.rule.js';
import { RequestSchema } from './request.schema.js';

it('A rule of each field says its type', () => {
  class Untyped {
    @field({ allowed: 'anything', fits: () => true }) name?: string;
  }
  expect(() => RequestSchema('Untyped', 'A thing.')(Untyped)).toThrow(
    'Untyped.name: none of its rules says its type',
  );
});
