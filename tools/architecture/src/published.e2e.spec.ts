import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const tool = (path: string): string => join(root, 'node_modules', path);

/** Each with the published packages that it depends on. */
const PUBLISHED: readonly (readonly [name: string, needed: readonly string[]])[] = [
  ['contracts', []],
  ['domain', []],
  ['event-store', []],
  ['event-store-testing', ['event-store']],
  ['payment-form', []],
  ['webhooks', ['contracts']],
];

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly nx: { readonly tags: readonly string[] };
}

/** Entries that need jest or the driver of EventStoreDB beside the package; a program to start; the script of a page. */
const NEEDS_MORE = /testing$|\/eventstoredb$|\/main$|\.js$/;

const COMPILER_OPTIONS = {
  module: 'NodeNext',
  target: 'ES2022',
  strict: true,
  exactOptionalPropertyTypes: true,
  // Types of a dependency are checked too: what a package forgot to ship shows here.
  skipLibCheck: false,
  types: ['node'],
  typeRoots: [tool('@types')],
};

/** The code blocks of a README by their language line. */
function blocks(readme: string, language: string): string[] {
  const found = readme.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'));
  return [...found].map(([, code = '']) => code);
}

/** What the comments of an example promise: `// → text`. */
function promised(example: string): string[] {
  return [...example.matchAll(/\/\/ → (.*)$/gm)].map(([, text = '']) => text);
}

/** A new folder, alone in its own, with the package and what it depends on, from what `npm pack` makes of them. */
function install(name: string, needed: readonly string[]): string {
  const folder = join(mkdtempSync(join(tmpdir(), `published-${name}-`)), 'alone');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  const packed = [name, ...needed].map((one) => {
    const options = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
    return `./${run(folder, 'npm', [...options, join(root, 'libs', one)]).trim()}`;
  });
  run(folder, 'npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...packed]);
  return folder;
}

/** The output of a program that was type-checked before. */
function compiled(folder: string, name: string, program: string): string {
  writeFileSync(join(folder, `${name}.ts`), program);
  const options = { compilerOptions: COMPILER_OPTIONS, files: [`${name}.ts`] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
  run(folder, process.execPath, [tool('@typescript/native/bin/tsc')]);
  return run(folder, process.execPath, [`${name}.js`]).trimEnd();
}

function run(folder: string, program: string, args: readonly string[], nodeOptions = ''): string {
  const env = { ...process.env, NODE_OPTIONS: nodeOptions };
  return execFileSync(program, args, { cwd: folder, encoding: 'utf8', env, stdio: 'pipe' });
}

it('Each package with the tag `published` is tested here', () => {
  const manifests = readdirSync(join(root, 'libs')).map(
    (lib) => JSON.parse(readFileSync(join(root, 'libs', lib, 'package.json'), 'utf8')) as Manifest,
  );
  const tagged = manifests.filter(({ nx }) => nx.tags.includes('published'));
  expect(tagged.map(({ name }) => name)).toEqual(PUBLISHED.map(([name]) => `@tillstream/${name}`));
});

describe.each(PUBLISHED)('The package %s, packed and installed alone,', (name, needed) => {
  let folder = '';
  const installed = (path: string): string => join(folder, 'node_modules/@tillstream', name, path);

  beforeAll(() => {
    folder = install(name, needed);
  });
  afterAll(() => rmSync(dirname(folder), { recursive: true, force: true }));

  it('runs the example of its README, which type-checks', () => {
    const [example = ''] = blocks(readFileSync(installed('README.md'), 'utf8'), 'ts');
    expect(promised(example)).not.toEqual([]);
    expect(compiled(folder, 'example', example).split('\n')).toEqual(promised(example));
  });

  it('has a licence, and no spec, no fixture and nothing of the build', () => {
    const files = readdirSync(installed('.'), { recursive: true, encoding: 'utf8' });
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    expect(files.filter((file) => /\.spec\.|fixtures[^/]*\/|\.tsbuildinfo$/.test(file))).toEqual([]);
  });

  const declared = () =>
    (JSON.parse(readFileSync(installed('package.json'), 'utf8')) as Pick<Manifest, 'exports'>).exports;

  it('has every entry that it declares', () => {
    const paths = Object.values(declared()).flatMap((entry) => Object.values(entry));
    expect(paths.filter((path) => !existsSync(installed(path)))).toEqual([]);
  });

  it('can be imported by each entry that needs nothing more, with its types', () => {
    const entries = Object.keys(declared()).map((entry) => `@tillstream/${name}${entry.slice(1)}`);
    const names = entries.filter((entry) => !NEEDS_MORE.test(entry));
    const lines = names.map((from, index) => `import * as entry${index} from '${from}';`);
    const all = names.map((_, index) => `entry${index}`).join(', ');
    const program = `${lines.join('\n')}\nconsole.log([${all}].filter((entry) => Object.keys(entry).length > 0).length);`;
    expect(compiled(folder, 'entries', program)).toBe(String(names.length));
  });

  it('installs nothing else', () => {
    const scopes = readdirSync(join(folder, 'node_modules')).filter((entry) => !entry.startsWith('.'));
    expect(scopes).toEqual(['@tillstream']);
    expect(readdirSync(join(folder, 'node_modules/@tillstream')).sort()).toEqual([name, ...needed].sort());
  });
});

it('The contract suite of event-store-testing runs as its README says', () => {
  const folder = install('event-store-testing', ['event-store']);
  try {
    const readme = join(folder, 'node_modules/@tillstream/event-store-testing/README.md');
    const [spec = ''] = blocks(readFileSync(readme, 'utf8'), 'ts jest');
    writeFileSync(join(folder, 'my-store.spec.js'), spec);
    const config = { testMatch: ['<rootDir>/*.spec.js'], transform: {} };
    const args = [tool('jest/bin/jest.js'), '--rootDir', folder, '--config', JSON.stringify(config)];
    const result = run(folder, process.execPath, [...args, '--json'], '--experimental-vm-modules');
    const { numPassedTests, numFailedTests } = JSON.parse(result) as Record<string, number>;
    expect(numFailedTests).toBe(0);
    expect(numPassedTests).toBeGreaterThan(30);
  } finally {
    rmSync(dirname(folder), { recursive: true, force: true });
  }
});

it('The examples of webhooks for frameworks and drivers type-check', () => {
  const folder = install('webhooks', ['contracts']);
  try {
    const readme = join(folder, 'node_modules/@tillstream/webhooks/README.md');
    const examples = blocks(readFileSync(readme, 'utf8'), 'ts \\w+');
    expect(examples.length).toBeGreaterThan(2);
    const files = examples.map((_example, index) => `example-${index}.ts`);
    files.forEach((file, index) => writeFileSync(join(folder, file), examples[index] ?? ''));
    // What the package does not install is found beside it, as in the user's program.
    symlinkSync(join(root, 'node_modules'), join(dirname(folder), 'node_modules'));
    const own = { skipLibCheck: true, experimentalDecorators: true, noEmit: true };
    const options = { compilerOptions: { ...COMPILER_OPTIONS, ...own }, files };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
    expect(run(folder, process.execPath, [tool('@typescript/native/bin/tsc')])).toBe('');
  } finally {
    rmSync(dirname(folder), { recursive: true, force: true });
  }
});
