import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The workspace in memory; tests make one by hand. */
export interface Workspace {
  readonly packages: readonly Package[];
  /** The root's development tools, which specs and tools may use. */
  readonly rootTools: readonly string[];
  /** Folders of the projects that the root's tsconfig.json builds. */
  readonly builtProjects: readonly string[];
}

export type Kind = 'libs' | 'apps' | 'tools' | 'examples';

export interface Package {
  readonly name: string;
  readonly kind: Kind;
  /** From the root, such as `libs/domain`. */
  readonly folder: string;
  /** Declared entry points, such as `.` and `./testing`. */
  readonly entries: readonly string[];
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
  /** Folders that its tsconfig.json references. */
  readonly references: readonly string[];
  /** Nx's tags of the project. */
  readonly tags: readonly string[];
  /** Nx's targets of the project. */
  readonly targets: readonly string[];
  readonly files: readonly SourceText[];
}

export interface SourceText {
  /** From the root, such as `libs/domain/src/index.ts`. */
  readonly path: string;
  readonly text: string;
}

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly nx?: { readonly tags?: readonly string[]; readonly targets?: Readonly<Record<string, object>> };
}

interface ProjectFile {
  readonly references?: readonly { readonly path: string }[];
}

const KINDS: readonly Kind[] = ['libs', 'apps', 'tools', 'examples'];

export function readWorkspace(root: string): Workspace {
  const folders = KINDS.flatMap((kind) =>
    readdirSync(join(root, kind)).map((name) => ({ kind, folder: `${kind}/${name}` })),
  ).filter(({ folder }) => existsSync(join(root, folder, 'package.json')));
  return {
    packages: folders.map(({ kind, folder }) => readPackage(root, kind, folder)),
    rootTools: Object.keys(readJson<Manifest>(join(root, 'package.json')).devDependencies ?? {}),
    builtProjects: referencesIn(join(root, 'tsconfig.json'), ''),
  };
}

function readPackage(root: string, kind: Kind, folder: string): Package {
  const manifest = readJson<Manifest>(join(root, folder, 'package.json'));
  return {
    name: manifest.name,
    kind,
    folder,
    entries: Object.keys(manifest.exports ?? {}),
    dependencies: Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
    devDependencies: Object.keys(manifest.devDependencies ?? {}),
    references: referencesIn(join(root, folder, 'tsconfig.json'), folder),
    tags: manifest.nx?.tags ?? [],
    targets: Object.keys(manifest.nx?.targets ?? {}),
    files: sourcePaths(root, `${folder}/src`).map((path) => ({
      path,
      text: readFileSync(join(root, path), 'utf8'),
    })),
  };
}

function referencesIn(file: string, folder: string): string[] {
  return (readJson<ProjectFile>(file).references ?? []).map(({ path }) => join(folder, path));
}

function sourcePaths(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.[cm]?tsx?$/.test(path))
    .map((path) => `${folder}/${path}`)
    .sort();
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}
