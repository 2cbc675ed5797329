import { existsSync } from 'node:fs';
import { compose, lastStage, read, service, startedWith, TOP } from './compose.file.testing.js';

const services = Object.entries(compose.services);
const stages = read('Dockerfile')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line))
  .join('\n')
  .split(/^(?=FROM )/m);
/** The third part of a version is missing in PostgreSQL's since 10. */
const exact = /^[\w./-]+:(?:\d+\.\d+\.\d+|1[0-9]\.\d+)[\w.-]*$/;

it('the container starts the API as npm start does', () => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: { readonly start: string } };
  const command = JSON.parse(/^CMD (.*)$/m.exec(lastStage)?.[1] ?? '[]') as readonly string[];
  expect(scripts.start).toMatch(new RegExp(` exec ${command.join(' ')}$`));
});

describe('docker-compose.yml', () => {
  it('starts the small services by itself, and the large ones with their profile only', () => {
    const ofProfile = (profile: string | undefined) =>
      services.filter(([, { profiles }]) => profiles?.[0] === profile).map(([name]) => name);
    expect(ofProfile(undefined).sort()).toEqual(
      ['api', 'eventstoredb', 'sandbox', 'settlement-projector', 'webhook-dispatcher'].sort(),
    );
    expect(startedWith(['proxy'])).toEqual([...ofProfile('large'), 'sandbox'].sort());
    // A service without a profile that needs one with a profile could not start by itself.
    expect(startedWith(ofProfile(undefined))).toEqual(ofProfile(undefined).sort());
  });

  it.each(services)(
    'names every image of %s with its exact version, or builds it here',
    (_, { image, build }) => {
      if (build === undefined) expect(image).toMatch(exact);
      else expect(existsSync(new URL(`${build}/Dockerfile`, TOP))).toBe(true);
    },
  );

  it('sets nothing that the service does not read', () => {
    const settings = [...read('.env.example').matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name);
    const ours = services.flatMap(([, { build, environment = {} }]) =>
      build ? Object.keys(environment) : [],
    );
    expect(ours.length).toBeGreaterThan(0);
    expect(settings).toEqual(expect.arrayContaining(ours));
  });

  it.each(services)('keeps data of %s that must outlive a container in declared volumes', (_, one) => {
    const { volumes = [], environment = {} } = one;
    const isStateless =
      environment['SHARED_STORE'] === 'postgres' || one.image?.startsWith('haproxy') === true;
    const named = volumes
      .map((volume) => volume.split(':')[0] ?? '')
      .filter((place) => !place.startsWith('.'));
    if (!isStateless) expect(named.length).toBeGreaterThan(0);
    for (const volume of named) expect(Object.keys(compose.volumes)).toContain(volume);
  });

  it('mounts files of this repository that exist, for reading only', () => {
    const files = services.flatMap(([, { volumes = [] }]) =>
      volumes.filter((volume) => volume.startsWith('.')),
    );
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      const [place = '', , mode] = file.split(':');
      expect([file, existsSync(new URL(place, TOP)), mode]).toEqual([file, true, 'ro']);
    }
  });

  it('starts a service after the services that it needs are healthy, or have ended', () => {
    for (const [, { depends_on: needed = {} }] of services) {
      for (const [name, { condition }] of Object.entries(needed)) {
        if (name === 'certificates') expect(condition).toBe('service_completed_successfully');
        else {
          expect([name, condition]).toEqual([name, 'service_healthy']);
          // The API has the check of the image.
          const hasCheck = service(name).healthcheck !== undefined || service(name).command === undefined;
          expect([name, hasCheck]).toEqual([name, true]);
        }
      }
    }
  });

  it('runs programs that the image has, and asks for the health of the port that each listens on', () => {
    const programs = read('tools/bundle/src/programs.ts');
    const own = services.filter(([, { build, command }]) => build !== undefined && command !== undefined);
    expect(own.length).toBeGreaterThan(5);
    for (const [name, { command = [], environment = {}, healthcheck }] of own) {
      expect([name, programs.includes(`'${command[1]?.replace('/bundled', '')}'`)]).toEqual([name, true]);
      const [, port, path] = /127\.0\.0\.1:(\d+)(\/[\w/]+)'/.exec(healthcheck?.test.at(-1) ?? '') ?? [];
      const setting =
        environment['SETTLEMENT_PROJECTOR_PORT'] ?? environment['WEBHOOK_DISPATCHER_PORT'] ?? '3100';
      expect([name, port, path]).toEqual([name, setting, '/health/ready']);
    }
  });

  it('opens ports of this machine only to itself', () => {
    for (const [, { ports = [] }] of services)
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });
});

describe('The Dockerfile', () => {
  it('builds in one stage and runs in another, both on images of an exact version', () => {
    expect(stages).toHaveLength(2);
    for (const stage of stages) expect(/^FROM (\S+)/.exec(stage)?.[1]).toMatch(exact);
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
    expect(lastStage).toMatch(/^USER (?!root|0)\S+$/m);
    expect(lastStage.indexOf('USER')).toBeLessThan(lastStage.indexOf('\nCMD'));
    expect(lastStage).toMatch(/^HEALTHCHECK .*\/health\/ready/m);
  });

  it('copies no secret, no data and no compiled file into the image', () => {
    const ignored = read('.dockerignore').split('\n');
    expect(ignored).toEqual(
      expect.arrayContaining(['.env', '*.env', '.data', '.git', '**/node_modules', '**/dist']),
    );
  });
});
