import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll } from '@jest/globals';
import { parse } from 'yaml';

/** The repository. */
export const TOP = new URL('../../../../', import.meta.url);
export const pathOf = (file: string): string => fileURLToPath(new URL(file, TOP));
export const read = (file: string): string => readFileSync(new URL(file, TOP), 'utf8');

export interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly ipv4_address: string }>>;
  readonly stop_grace_period?: string;
}

interface Network {
  readonly ipam: { readonly config: readonly { readonly subnet: string; readonly ip_range: string }[] };
}

export const compose = parse(read('docker-compose.yml'), { merge: true, uniqueKeys: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, Network>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};

export function service(name: string): Service {
  const found = compose.services[name];
  if (!found) throw new Error(`docker-compose.yml has no ${name}`);
  return found;
}

/** The services that start with these: themselves, and what they depend on. */
export function startedWith(names: readonly string[]): readonly string[] {
  const started = new Set<string>();
  const start = (name: string): void => {
    if (started.has(name)) return;
    started.add(name);
    for (const needed of Object.keys(service(name).depends_on ?? {})) start(needed);
  };
  for (const name of names) start(name);
  return [...started].sort();
}

/** The last stage of the Dockerfile, its instructions in lines. */
export const lastStage =
  read('Dockerfile')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line))
    .join('\n')
    .split(/^(?=FROM )/m)
    .at(-1) ?? '';

const imageEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  [...(/^ENV (.*)$/m.exec(lastStage)?.[1]?.matchAll(/(\w+)=(\S+)/g) ?? [])].map(
    ([, name = '', value = '']) => [name, value],
  ),
);

/** The variables of a service's process: those of the image and its own, with `${NAME:-default}` replaced. */
export function environmentOf(
  name: string,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const own = Object.entries(service(name).environment ?? {}).map(([variable, text]) => [
    variable,
    text.replace(
      /\$\{(\w+):-([^}]*)\}/g,
      (_, needed: string, otherwise: string) => given[needed] || otherwise,
    ),
  ]);
  return { ...imageEnvironment, ...(Object.fromEntries(own) as Record<string, string>) };
}

/** In a container only. */
export const AUTHORITY = '/authorities/ca.crt';
const folder = mkdtempSync(join(tmpdir(), 'tillstream-authority-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The settings with another authority's certificate in place of `AUTHORITY`: they are accepted only if it can be read. */
export function withReadableAuthority(
  environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const readable = join(folder, 'ca.crt');
  writeFileSync(readable, rootCertificates[0] ?? '');
  return Object.fromEntries(
    Object.entries(environment).map(([name, text]) => [name, text.replace(AUTHORITY, readable)]),
  );
}

/** New secrets, as docs/deploy/secrets.sh makes them. */
export function newSecrets(): Readonly<Record<string, string>> {
  const lines = execFileSync('sh', [pathOf('docs/deploy/secrets.sh')], { encoding: 'utf8' })
    .trim()
    .split('\n');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** `160s` as milliseconds. @throws Error for another unit */
export function milliseconds(duration: string | undefined): number {
  const [, seconds] = /^(\d+)s$/.exec(duration ?? '') ?? [];
  if (seconds === undefined) throw new Error(`${String(duration)} is no number of seconds`);
  return Number(seconds) * 1_000;
}
