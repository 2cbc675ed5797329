import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { PageFiles } from '../http/page.files.js';
import type { PagePolicy } from '../http/page.headers.js';

/** This path is valid from `src/` and from `dist/`. The folder holds nothing but files of the page. */
const OURS = new PageFiles(new URL('../../assets/docs/', import.meta.url));
const SWAGGER_UI = new PageFiles(
  new URL('./', pathToFileURL(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))),
);
/** The only files of Swagger UI's package that are served. */
const SWAGGER_UI_FILES: readonly string[] = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** The folder that may have the file. The interactive reference works without the internet. */
export function referenceFiles(name: string): PageFiles {
  return SWAGGER_UI_FILES.includes(name) ? SWAGGER_UI : OURS;
}

/** Ours change with every version of the service: asking whether they did costs little. Swagger UI draws icons from `data:`. */
export function referencePolicy(name: string): PagePolicy {
  const caching = referenceFiles(name) === SWAGGER_UI ? 'daily' : 'revalidated';
  return { sources: { 'img-src': ['data:'] }, caching };
}
