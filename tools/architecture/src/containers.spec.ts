import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

const top = new URL('../../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, top), 'utf8');

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: unknown;
}

const compose = parse(read('docker-compose.yml')) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const services = Object.entries(compose.services);
const instructions = read('Dockerfile')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line));
const stages = instructions.join('\n').split(/^(?=FROM )/m);
const last = stages.at(-1) ?? '';
const pinned = /^[\w./-]+:\d+\.\d+\.\d+[\w.-]*$/;

it('the container starts the API as npm start does', () => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: { readonly start: string } };
  const command = JSON.parse(/^CMD (.*)$/m.exec(last)?.[1] ?? '[]') as readonly string[];
  expect(scripts.start).toMatch(new RegExp(` exec ${command.join(' ')}$`));
});

describe('docker-compose.yml', () => {
  it.each(services)(
    'names every image of %s with its exact version, or builds it here',
    (_, { image, build }) => {
      if (build === undefined) expect(image).toMatch(pinned);
      else expect(existsSync(new URL(`${build}/Dockerfile`, top))).toBe(true);
    },
  );

  it('sets nothing that the service does not read', () => {
    const settings = [...read('.env.example').matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name);
    const ours = services.flatMap(([, { build, environment }]) => (build ? Object.keys(environment) : []));
    expect(ours.length).toBeGreaterThan(0);
    expect(settings).toEqual(expect.arrayContaining(ours));
  });

  it('keeps data that must outlive a container in declared volumes', () => {
    for (const [, { volumes = [] }] of services) {
      expect(volumes.length).toBeGreaterThan(0);
      for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
    }
  });

  it('starts a service after the services that it needs are healthy', () => {
    for (const [, { depends_on: needed = {} }] of services) {
      for (const [name, { condition }] of Object.entries(needed)) {
        expect(condition).toBe('service_healthy');
        expect(compose.services[name]?.healthcheck).toBeDefined();
      }
    }
  });
});

describe('The Dockerfile', () => {
  it('builds in one stage and runs in another, both on images of an exact version', () => {
    expect(stages).toHaveLength(2);
    for (const stage of stages) expect(/^FROM (\S+)/.exec(stage)?.[1]).toMatch(pinned);
  });

  it('runs on a Node that package.json allows, the same in both stages', () => {
    const versions = stages.map((stage) => /^FROM node:([\d.]+)/.exec(stage)?.[1] ?? '');
    expect(new Set(versions).size).toBe(1);
    const [major = 0, minor = 0] = (versions[0] ?? '').split('.').map(Number);
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    const [, least = '', leastMinor = '', below = ''] = /^>=(\d+)\.(\d+) <(\d+)$/.exec(engines.node) ?? [];
    expect(major > Number(least) || (major === Number(least) && minor >= Number(leastMinor))).toBe(true);
    expect(major).toBeLessThan(Number(below));
  });

  it('does not run as root, and says whether it is ready', () => {
    expect(last).toMatch(/^USER (?!root|0)\S+$/m);
    expect(last.indexOf('USER')).toBeLessThan(last.indexOf('\nCMD'));
    expect(last).toMatch(/^HEALTHCHECK .*\/health\/ready/m);
  });

  it('starts the same program as the start command of package.json', () => {
    const started = /^CMD (\[.*\])$/m.exec(last)?.[1] ?? '[]';
    const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
    expect(scripts.start).toContain((JSON.parse(started) as string[]).join(' '));
  });

  it('copies no secret, no data and no compiled file into the image', () => {
    const ignored = read('.dockerignore').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.env', '.data', '.git', '**/node_modules', '**/dist']));
  });
});
