import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readConfig, readSandboxServiceConfig } from '@tillstream/platform';
import { parse, parseAllDocuments } from 'yaml';
import { lastStage, pathOf, read, withReadableAuthority } from './compose.file.testing.js';

const FOLDER = 'docs/deploy/kubernetes';
/** Of ports and of everything else in a manifest: what the tests look at. */
interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly envFrom: readonly Readonly<Record<string, { readonly name: string }>>[];
  readonly env?: readonly object[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly securityContext: object;
  readonly resources: { readonly requests: object; readonly limits: { readonly memory: string } };
  readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string; readonly port: string } };
}
interface Labels {
  readonly matchLabels: Readonly<Record<string, string>>;
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas: number;
    readonly minAvailable: number;
    readonly selector: Labels & Readonly<Record<string, string>>;
    readonly podSelector: Partial<Labels>;
    readonly ports: readonly { readonly port: number; readonly targetPort: string }[];
    readonly ingress: readonly { readonly ports: readonly { readonly port: number }[] }[];
    readonly rules: readonly { readonly http: { readonly paths: readonly { readonly path: string }[] } }[];
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly containers: readonly [Container];
        readonly volumes: readonly { readonly name: string }[];
        readonly securityContext: { readonly runAsNonRoot: boolean; readonly runAsUser: number };
        readonly terminationGracePeriodSeconds?: number;
      };
    };
  };
}

const kustomization = parse(read(`${FOLDER}/kustomization.yaml`)) as {
  readonly namespace: string;
  readonly resources: readonly string[];
  readonly configMapGenerator: readonly { readonly name: string; readonly envs: readonly string[] }[];
  readonly images: readonly { readonly name: string }[];
};
const documents = (file: string): Manifest[] =>
  parseAllDocuments(read(`${FOLDER}/${file}`), { uniqueKeys: true }).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  });
const manifests = kustomization.resources.flatMap(documents);
const ofKind = (kind: string): Manifest[] => manifests.filter((one) => one.kind === kind);
const deployments = ofKind('Deployment');
const containerOf = (deployment: Manifest): Container => deployment.spec.template.spec.containers[0];

const settings = Object.fromEntries(
  [...read(`${FOLDER}/settings.env`).matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]),
) as Record<string, string>;
const [secret] = documents('secret.example.yaml') as unknown as readonly [
  { readonly metadata: { readonly name: string }; readonly stringData: Readonly<Record<string, string>> },
];
/** With keys in place of the instructions how to make them. */
const environment = withReadableAuthority({
  ...settings,
  ...Object.fromEntries(
    Object.entries(secret.stringData).map(([name, text]) => [
      name,
      text
        .replace('THE-OUTPUT-OF-openssl-rand-base64-32', randomBytes(32).toString('base64'))
        .replace('THE-OUTPUT-OF-openssl-rand-hex-24', randomBytes(24).toString('hex')),
    ]),
  ),
} as Record<string, string>);

describe('docs/deploy/kubernetes', () => {
  it('is complete: kustomization.yaml names every file', () => {
    const others = ['kustomization.yaml', 'secret.example.yaml', 'settings.env'];
    expect(readdirSync(pathOf(FOLDER)).sort()).toEqual([...kustomization.resources, ...others].sort());
    expect(kustomization.configMapGenerator).toEqual([{ name: 'settings', envs: ['settings.env'] }]);
    for (const { kind, metadata } of manifests) expect([kind, metadata.name]).not.toContain('');
  });

  it('has settings that the processes accept, and none that they do not read', () => {
    expect(readConfig(environment)).toMatchObject({ sharedStore: 'postgres', eventStore: 'eventstoredb' });
    readSandboxServiceConfig(environment);
    const known = [...read('.env.example').matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(known).toEqual(expect.arrayContaining(Object.keys(environment)));
  });

  it('has no secret in it', () => {
    expect(secret.stringData).not.toMatchObject(settings);
    for (const [name, text] of Object.entries(secret.stringData))
      expect([name, text]).toEqual([name, expect.stringMatching(/PASSWORD|^THE-OUTPUT-OF-openssl/)]);
  });

  it('runs two of each app, and one sandbox', () => {
    const replicas = deployments.map(({ metadata, spec }) => [metadata.name, spec.replicas]);
    expect(Object.fromEntries(replicas)).toEqual({
      api: 2,
      'settlement-projector': 2,
      'webhook-dispatcher': 2,
      sandbox: 1,
    });
    for (const budget of ofKind('PodDisruptionBudget')) {
      const kept = deployments.find(({ metadata }) => metadata.name === budget.metadata.name);
      expect(budget.spec.minAvailable).toBeLessThan(kept?.spec.replicas ?? 0);
      expect(budget.spec.selector.matchLabels).toEqual(kept?.spec.selector.matchLabels);
    }
    expect(ofKind('PodDisruptionBudget')).toHaveLength(3);
  });
});

describe.each(deployments.map((deployment) => [deployment.metadata.name, deployment] as const))(
  'The deployment of %s',
  (name, deployment) => {
    const { template, selector } = deployment.spec;
    const container = containerOf(deployment);
    const config = readConfig(environment);
    const ports: Readonly<Record<string, number>> = {
      api: config.port,
      'settlement-projector': config.settlementProjectorPort,
      'webhook-dispatcher': config.webhookDispatcherPort,
      sandbox: readSandboxServiceConfig(environment).port,
    };

    it('runs the program of that name from the image, with all settings and secrets', () => {
      expect(container.image).toBe(kustomization.images[0]?.name);
      const program = container.command?.[1] ?? 'apps/api/dist/bundled/main.js';
      expect(program).toBe(`apps/${name}/dist/bundled/main.js`);
      expect(read('tools/bundle/src/programs.ts')).toContain(`'${program.replace('/bundled', '')}'`);
      const secretRef = { name: secret.metadata.name };
      const ofSandbox = [
        { name: 'SANDBOX_SECRET', valueFrom: { secretKeyRef: { ...secretRef, key: 'SANDBOX_SECRET' } } },
      ];
      expect([container.envFrom, container.env]).toEqual(
        name === 'sandbox'
          ? [[{ configMapRef: { name: 'settings' } }], ofSandbox]
          : [[{ configMapRef: { name: 'settings' } }, { secretRef }], undefined],
      );
      expect(template.metadata.labels).toMatchObject(selector.matchLabels);
    });

    it('asks for its health at the port that it listens on', () => {
      expect(container.ports).toEqual([{ name: 'http', containerPort: ports[name] }]);
      const paths = {
        startupProbe: '/health/live',
        livenessProbe: '/health/live',
        readinessProbe: '/health/ready',
      };
      for (const [probe, path] of Object.entries(paths))
        expect(container[probe as 'readinessProbe']?.httpGet).toEqual({ path, port: 'http' });
    });

    it('can write to its data directory only, as a user without rights', () => {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(lastStage).toMatch(/^USER node$/m);
      expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
      const mounted = container.volumeMounts.map((mount) => mount.mountPath);
      const data = name === 'sandbox' ? settings['SANDBOX_DATA_DIR'] : settings['DATA_DIR'];
      expect(mounted.some((path) => data?.startsWith(`${path}/`))).toBe(true);
      expect(template.spec.volumes.map((volume) => volume.name).sort()).toEqual(
        container.volumeMounts.map((mount) => mount.name).sort(),
      );
      expect(container.resources.limits.memory).toMatch(/Gi$/);
    });
  },
);

describe('The API in Kubernetes', () => {
  it('has time to end what it does: the delay of its stop, and the longest call of a terminal', () => {
    const { stopDelay, timings } = readConfig(environment);
    const api = deployments.find(({ metadata }) => metadata.name === 'api');
    const graceMs = (api?.spec.template.spec.terminationGracePeriodSeconds ?? 0) * 1_000;
    expect(stopDelay).toBeGreaterThanOrEqual(10_000);
    expect(graceMs).toBeGreaterThan(stopDelay + timings.terminalDeadline + timings.sendWithin);
  });

  it('is reached by its service; operators, metrics and the simulator are not reached from outside', () => {
    const services = ofKind('Service').map(({ metadata, spec }) => [metadata.name, spec.ports[0]?.port]);
    expect(Object.fromEntries(services)).toEqual({ api: 3000, sandbox: 3100 });
    const paths = ofKind('Ingress').flatMap(({ spec }) => spec.rules.flatMap(({ http }) => http.paths));
    expect(paths.map(({ path }) => path)).toEqual([
      '/v1',
      '/pay',
      '/payment-form.js',
      '/docs',
      '/openapi.json',
    ]);
  });

  it('is never sent a request twice by the ingress, which waits for terminals', () => {
    const ingress = read(`${FOLDER}/ingress.yaml`);
    expect(ingress).toContain("nginx.ingress.kubernetes.io/proxy-next-upstream: 'off'");
    const [, seconds] = /proxy-read-timeout: '(\d+)'/.exec(ingress) ?? [];
    expect(Number(seconds) * 1_000).toBeGreaterThan(readConfig(environment).timings.terminalDeadline);
  });

  it('has network policies for pods and ports that there are', () => {
    const labels = deployments.map(({ spec }) => spec.template.metadata.labels);
    const ports = deployments.map((deployment) => containerOf(deployment).ports[0]?.containerPort);
    for (const { metadata, spec } of ofKind('NetworkPolicy')) {
      const selected = Object.entries(spec.podSelector.matchLabels ?? {});
      const some = labels.some((one) => selected.every(([key, value]) => one[key] === value));
      expect([metadata.name, some]).toEqual([metadata.name, true]);
      const named = (spec.ingress ?? []).flatMap((rule) => rule.ports.map(({ port }) => port));
      expect(ports).toEqual(expect.arrayContaining(named));
    }
  });
});
