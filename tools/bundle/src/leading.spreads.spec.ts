import { execFileSync } from 'node:child_process';
import { withoutLeadingSpreads } from './leading.spreads.js';
import { leadingSpreadsAreSlow } from './node.defects.js';

/** Whether objects made by one literal, often enough to be optimized, have a hidden class in common. */
function shareTheirShape(literal: string): boolean {
  const program = `
    const source = { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 };
    const made = (source) => ${literal};
    for (let round = 0; round < 1e5; round++) made(source);
    process.stdout.write(String(%HaveSameMap(made(source), made(source))));`;
  return (
    execFileSync(process.execPath, ['--allow-natives-syntax', '-e', program], { encoding: 'utf8' }) === 'true'
  );
}

describe('a literal that begins with a spread', () => {
  it('spreads nothing first, wherever it stands, and says the same', () => {
    const program = `(source => [{...source,x:{...source,y:2}},{...source},{z:1,...source}])({a:1})`;
    const changed = withoutLeadingSpreads(program);
    expect(changed).toBe(
      `(source => [{...null,...source,x:{...null,...source,y:2}},{...source},{z:1,...source}])({a:1})`,
    );
    expect(eval(changed)).toEqual(eval(program));
  });

  it('is left alone in texts, patterns and comments', () => {
    const program = 'const {...rest}=o,f=({...all})=>all,t="{...a,b}",u=`{...a,${rest},b}`;/* {...a,b} */';
    expect(withoutLeadingSpreads(program)).toBe(program);
  });

  it('makes objects of one shape on every Node, which V8 before 12 does only so', () => {
    const literal = '({...source,x:1})';
    expect(shareTheirShape(withoutLeadingSpreads(literal))).toBe(true);
    expect(shareTheirShape(literal)).toBe(!leadingSpreadsAreSlow());
  });

  it('is slow with the V8 of Node 20 only', () => {
    expect(
      ['11.3.244.8-node.38', '12.4.254.21-node.33', '13.6.233.17-node.37'].map(leadingSpreadsAreSlow),
    ).toEqual([true, false, false]);
  });
});
