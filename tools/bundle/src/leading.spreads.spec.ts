import { execFileSync } from 'node:child_process';
import { leadingSpreadsAreSlow, withoutLeadingSpreads } from './leading.spreads.js';

/** Whether two objects of one literal, created often enough to be optimized, have the same hidden class. */
function shareHiddenClass(literal: string): boolean {
  const program = `
    const source = { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 };
    const create = (source) => ${literal};
    for (let round = 0; round < 1e5; round++) create(source);
    process.stdout.write(String(%HaveSameMap(create(source), create(source))));`;
  const options = { encoding: 'utf8' } as const;
  return execFileSync(process.execPath, ['--allow-natives-syntax', '-e', program], options) === 'true';
}

describe('withoutLeadingSpreads', () => {
  it('adds a spread of null before a leading spread, at any depth, and keeps the meaning', () => {
    const module = `(source => [{...source, x: {...source, y: 2}}, {...source}, {z: 1, ...source}])({a: 1})`;
    const changed = withoutLeadingSpreads(module);
    expect(changed).toBe(
      `(source => [{...null, ...source, x: {...null, ...source, y: 2}}, {...source}, {z: 1, ...source}])({a: 1})`,
    );
    expect(eval(changed)).toEqual(eval(module));
  });

  it('changes no pattern, text or comment', () => {
    const module =
      'const {...rest} = o, f = ({...all}) => all, t = "{...a,b}", u = `{...a,${rest},b}`; /* {...a,b} */';
    expect(withoutLeadingSpreads(module)).toBe(module);
  });

  it('gives the objects of a literal one hidden class, which V8 before 12 does not do by itself', () => {
    const literal = '({...source, x: 1})';
    expect(shareHiddenClass(withoutLeadingSpreads(literal))).toBe(true);
    expect(shareHiddenClass(literal)).toBe(!leadingSpreadsAreSlow());
  });

  it('is needed for the V8 of Node 20 only', () => {
    const versions = ['11.3.244.8-node.38', '12.4.254.21-node.33', '13.6.233.17-node.37'];
    expect(versions.map(leadingSpreadsAreSlow)).toEqual([true, false, false]);
  });
});
