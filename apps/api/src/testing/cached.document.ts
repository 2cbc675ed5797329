import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument, type Readers } from '../openapi/document.js';
import type { OpenApiDocument } from '../openapi/published.document.js';
import { describedApi } from './described.api.js';

/** Everything that a document is made from. */
const SOURCES = ['apps/api/src', 'libs', 'package-lock.json'];
const root = fileURLToPath(new URL('../../../../', import.meta.url));
let fingerprint: string | undefined;

/**
 * The description of the API, as `openApiDocument` makes it from the sources. Making it takes a tenth of the time of a
 * usual spec, so specs share a file of it, until a source changes.
 */
export async function cachedDocument(readers: Readers): Promise<OpenApiDocument> {
  fingerprint ??= fingerprintOf(SOURCES.flatMap((source) => filesIn(join(root, source))));
  const file = join(tmpdir(), `tillstream-openapi-${readers}-${fingerprint}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument;
  const text = JSON.stringify(openApiDocument(readers, await describedApi(), 'http://localhost'));
  // Other workers see the whole file or none.
  const written = `${file}.${process.pid}`;
  writeFileSync(written, text);
  renameSync(written, file);
  return JSON.parse(text) as OpenApiDocument;
}

function filesIn(path: string): readonly string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== 'dist' && name !== 'node_modules')
    .flatMap((entry) => (entry.isDirectory() ? filesIn(join(path, entry.name)) : [join(path, entry.name)]))
    .filter((file) => !file.endsWith('.spec.ts'));
}

function fingerprintOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
