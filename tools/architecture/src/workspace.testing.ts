import { checkWorkspace, type Package, type Violation, type Workspace } from './index.js';

/** Sources by path. Packages, manifests and references are derived from them unless given. */
export interface SampleWorkspace {
  readonly files: Readonly<Record<string, string>>;
  readonly packages?: Readonly<Record<string, Partial<Package>>>;
  readonly builtProjects?: readonly string[];
}

/** The packages of the samples; each declares exactly what the table allows. */
const SAMPLE_PACKAGES: Readonly<Record<string, Partial<Package>>> = {
  'libs/domain': {},
  'libs/contracts': {},
  'libs/event-store': {},
  'libs/event-store-testing': { dependencies: own('event-store') },
  'libs/event-store-sqlite': {
    dependencies: own('event-store'),
    devDependencies: own('event-store-testing'),
  },
  'libs/sandbox': { dependencies: own('domain', 'contracts') },
  'libs/processors': { dependencies: own('domain', 'sandbox'), entries: ['.', './testing'] },
  'libs/payments': { dependencies: own('domain', 'event-store', 'processors') },
  'libs/presentation': { dependencies: own('domain', 'contracts') },
  'apps/api': { dependencies: [...own('domain', 'payments', 'event-store'), '@nestjs/common'] },
  'apps/portal': { dependencies: own('domain') },
  'tools/verify': { dependencies: own('event-store', 'event-store-sqlite') },
};

const PURE = ['domain', 'contracts'];

export function violationsOf({ files, packages = {}, builtProjects }: SampleWorkspace): Violation[] {
  const rooms = { ...SAMPLE_PACKAGES, ...packages };
  const workspace: Workspace = {
    packages: Object.keys(rooms).map((folder) =>
      packageIn(folder, { ...SAMPLE_PACKAGES[folder], ...packages[folder] }, files),
    ),
    rootTools: ['typescript'],
    builtProjects: builtProjects ?? Object.keys(rooms),
  };
  return checkWorkspace(workspace);
}

/** Returns violations as `rule where`. */
export function brokenRules(sample: SampleWorkspace): string[] {
  return violationsOf(sample).map(({ rule, where }) => `${rule} ${where}`);
}

function packageIn(folder: string, given: Partial<Package>, files: SampleWorkspace['files']): Package {
  const [kind = '', name = ''] = folder.split('/');
  const { dependencies = [], devDependencies = [] } = given;
  return {
    name: `@tillstream/${name}`,
    kind: kind as Package['kind'],
    folder,
    entries: ['.'],
    dependencies,
    devDependencies,
    references: [...dependencies, ...devDependencies]
      .filter((one) => one.startsWith('@tillstream/'))
      .map((one) => `libs/${one.slice('@tillstream/'.length)}`),
    tags: [`type:${kind.slice(0, -1)}`, `scope:${name}`, ...(PURE.includes(name) ? ['pure'] : [])],
    targets: ['test', 'e2e'],
    ...given,
    files: Object.entries(files)
      .filter(([path]) => path.startsWith(`${folder}/`))
      .map(([path, text]) => ({ path, text })),
  };
}

function own(...names: readonly string[]): string[] {
  return names.map((name) => `@tillstream/${name}`);
}
