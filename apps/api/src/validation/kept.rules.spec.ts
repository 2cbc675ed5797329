import { getMetadataStorage, IsInt, IsString, Max, validateSync } from 'class-validator';
import { keepRules } from './kept.rules.js';

class Base {
  @IsString() name: unknown = 'a';
  @Max(5, { groups: ['small'] }) amount: unknown = 1;
}
class Derived extends Base {
  @IsInt() count: unknown = 1;
}

describe('The kept rules of a DTO class', () => {
  const storage = getMetadataStorage();
  const original = storage.getTargetValidationMetadatas;
  afterEach(() => (storage.getTargetValidationMetadatas = original));

  const propertiesOf = (dto: new () => object, groups?: string[]): string[] =>
    storage
      .getTargetValidationMetadatas(dto, '', false, false, groups)
      .map(({ propertyName }) => propertyName);

  it('are those of the class and of its base classes, found once', () => {
    let searches = 0;
    storage.getTargetValidationMetadatas = function (...query) {
      searches += 1;
      return original.apply(this, query);
    };
    keepRules();
    for (let validation = 0; validation < 3; validation++)
      expect([propertiesOf(Base), propertiesOf(Derived)]).toEqual([
        ['name', 'amount'],
        ['count', 'name', 'amount'],
      ]);
    expect(searches).toBe(2);
  });

  it('find the same errors each time', () => {
    keepRules();
    const derived = Object.assign(new Derived(), { name: 1, count: 'x' });
    for (let validation = 0; validation < 3; validation++)
      expect(validateSync(derived).map(({ property }) => property)).toEqual(['count', 'name']);
  });

  it('do not replace a selection by groups', () => {
    keepRules();
    expect(propertiesOf(Base)).toEqual(['name', 'amount']);
    expect(propertiesOf(Base, ['small'])).toEqual(['amount']);
  });
});
