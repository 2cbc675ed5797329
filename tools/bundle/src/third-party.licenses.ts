import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of the package that a module belongs to: behind the last `node_modules`, with the scope. */
const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;

/**
 * The licences of all third-party packages in a bundle, and the licence comments of their sources.
 *
 * @param modules absolute paths of the modules in the bundle
 * @param legalComments the comments that the bundler took out of the modules
 */
export async function thirdPartyLicenses(modules: readonly string[], legalComments: string): Promise<string> {
  const folders = new Set(modules.flatMap((module) => PACKAGE_FOLDER.exec(module)?.[0] ?? []));
  const texts = await Promise.all([...folders].sort().map(packageLicense));
  // Two copies of one version have the same text.
  const sections = [...new Set(texts)];
  if (legalComments.trim() !== '')
    sections.push(`Licence comments in their sources\n\n${legalComments.trim()}`);
  return ['Third-party packages in this bundle', ...sections].join(`\n\n${'-'.repeat(80)}\n\n`) + '\n';
}

async function packageLicense(folder: string): Promise<string> {
  const { name, version, license, licenses, author } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  ) as Readonly<Record<string, unknown>>;
  const files = (await readdir(folder)).filter((file) => LICENSE_FILE.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const holder = texts.length === 0 && author !== undefined ? `\nAuthor: ${personText(author)}` : '';
  const head = `${String(name)} ${String(version)}\nLicence: ${licenseName(license ?? licenses)}${holder}`;
  return [head, ...texts.map((text) => text.trim())].join('\n\n');
}

/** Old packages have an object or a list of objects instead of a name. */
function licenseName(license: unknown): string {
  if (Array.isArray(license)) return license.map(licenseName).join(' or ');
  if (typeof license === 'string') return license;
  const { type } = (license ?? {}) as { readonly type?: unknown };
  return typeof type === 'string' ? type : 'see below';
}

function personText(author: unknown): string {
  return typeof author === 'string' ? author : String((author as { readonly name?: unknown }).name);
}
