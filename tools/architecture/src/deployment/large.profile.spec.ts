import { readConfig } from '@tillstream/platform';
import {
  AUTHORITY,
  compose,
  environmentOf,
  milliseconds,
  newSecrets,
  read,
  service,
  withReadableAuthority,
} from './compose.file.testing.js';

const APPS = ['api', 'settlement-projector', 'webhook-dispatcher'];
const NODES = ['eventstoredb-1', 'eventstoredb-2', 'eventstoredb-3'];
const secrets = newSecrets();
const configOf = (name: string, given = secrets) =>
  readConfig(withReadableAuthority(environmentOf(name, given)));
const processes = APPS.flatMap((app) => [`${app}-1`, `${app}-2`]);
const proxy = read('docs/deploy/haproxy.cfg');
const directive = (name: string): string[] =>
  [...proxy.matchAll(new RegExp(`^ *${name} (.*)$`, 'gm'))].map(([, value = '']) => value);

describe('The large profile', () => {
  it('has two of each app, both with the same settings', () => {
    for (const app of APPS) expect(service(`${app}-2`)).toEqual(service(`${app}-1`));
  });

  it.each(processes)('gives %s settings that it accepts: everything shared, and with TLS', (name) => {
    const environment = environmentOf(name, secrets);
    expect(configOf(name)).toMatchObject({
      sharedStore: 'postgres',
      eventStore: 'eventstoredb',
      sandbox: 'network',
      database: { tls: 'verify' },
    });
    expect(environment['DATABASE_CA_FILE']).toBe(AUTHORITY);
    const nodes = NODES.map((node) => `${node}:2113`).join(',');
    expect(environment['EVENTSTOREDB_URL']).toBe(
      `esdb://admin:${secrets['EVENTSTORE_PASSWORD']}@${nodes}?tls=true&tlsCAFile=${AUTHORITY}`,
    );
  });

  it('gives all processes the same stores and keys', () => {
    const shared = /^(?:EVENT|DATABASE|SHARED|IDEMPOTENCY|VAULT|SANDBOX)/;
    const settings = processes.map((name) =>
      Object.entries(environmentOf(name, secrets)).filter(([variable]) => shared.test(variable)),
    );
    for (const one of settings) expect(one).toEqual(settings[0]);
  });

  it('does not start without its secrets, and says which are missing', () => {
    const without = (name: string) => () => configOf('api-1', { ...secrets, [name]: '' });
    expect(without('EVENTSTORE_PASSWORD')).toThrow(/^EVENTSTOREDB_URL .*user:password/);
    expect(without('IDEMPOTENCY_ANSWER_KEY')).toThrow(/^IDEMPOTENCY_ANSWER_KEY is missing/);
    expect(without('VAULT_MASTER_KEY')).toThrow(/^VAULT_MASTER_KEY .* are missing/);
    expect(newSecrets()).not.toEqual(secrets);
  });

  it('has three nodes that know one another by the names of their certificates', () => {
    for (const node of NODES) {
      const { environment = {} } = service(node);
      const others = NODES.filter((other) => other !== node).map((other) => `${other}:2113`);
      expect(environment).toMatchObject({
        EVENTSTORE_CLUSTER_SIZE: '3',
        EVENTSTORE_NODE_HOST_ADVERTISE_AS: node,
        EVENTSTORE_REPLICATION_HOST_ADVERTISE_AS: node,
        EVENTSTORE_GOSSIP_SEED: others.join(','),
        EVENTSTORE_CERTIFICATE_FILE: `/certificates/${node}.crt`,
        EVENTSTORE_CERTIFICATE_PRIVATE_KEY_FILE: `/certificates/${node}.key`,
      });
      expect(environment['EVENTSTORE_INSECURE']).toBeUndefined();
    }
  });

  it('lets PostgreSQL take the connections of all processes, over the network only with TLS and a password', () => {
    const { connections } = configOf('api-1').database;
    const { command = [] } = service('postgres');
    const most = command.find((argument) => argument.startsWith('max_connections='))?.split('=')[1];
    // One more of each process for the sandbox's clock, and three that PostgreSQL keeps for superusers.
    expect(Number(most)).toBeGreaterThanOrEqual(processes.length * (connections + 1) + 3);
    expect(command).toEqual(expect.arrayContaining(['ssl=on', 'hba_file=/pg_hba.conf']));
    const rules = read('docs/deploy/pg_hba.conf')
      .split('\n')
      .filter((line) => /^\w/.test(line));
    expect(rules.filter((rule) => !rule.startsWith('local'))).toEqual(['hostssl all all all scram-sha-256']);
  });
});

describe('The proxy', () => {
  const servers = [...proxy.matchAll(/^ *server (\S+) (\S+) (.*)$/gm)].map(([, ...parts]) => parts.join(' '));

  it('knows both instances of the API, for requests and for hosted forms', () => {
    expect(servers).toEqual([
      'api-1 api-1:3000 check',
      'api-2 api-2:3000 check',
      'api-1 api-1:3000 track api/api-1',
      'api-2 api-2:3000 track api/api-2',
    ]);
    expect(Object.keys(service('proxy').depends_on ?? {})).toEqual(
      expect.arrayContaining(['api-1', 'api-2']),
    );
  });

  it('sends a request again only if its connection could not be opened', () => {
    expect(directive('retry-on')).toEqual(['conn-failure']);
    expect(directive('http-reuse')).toEqual(['never']);
    expect(proxy).toMatch(/^ *option http-server-close$/m);
  });

  it('asks whether an instance is ready, and notices a stop while the instance still takes requests', () => {
    expect(directive('http-check send')).toEqual([expect.stringContaining('uri /health/ready')]);
    const [, interval, falls] = /inter (\d+)s fall (\d+)/.exec(proxy) ?? [];
    const { stopDelay, timings } = configOf('api-1');
    expect(stopDelay).toBeGreaterThan((Number(falls) + 1) * Number(interval) * 1_000);
    const { stop_grace_period: grace } = service('api-1');
    expect(milliseconds(grace)).toBeGreaterThan(stopDelay + timings.terminalDeadline);
  });

  it('waits for a terminal on both sides', () => {
    const { timings } = configOf('api-1');
    for (const side of ['client', 'server']) {
      const [limit] = directive(`timeout ${side}`);
      expect(milliseconds(limit)).toBeGreaterThan(timings.terminalDeadline + timings.sendWithin);
    }
  });

  it('is the one proxy whose X-Forwarded-For the API believes, at an address that no other container gets', () => {
    const { trustedProxies } = configOf('api-1');
    const { networks } = service('proxy') as { networks: { proxied: { ipv4_address: string } } };
    expect(trustedProxies).toEqual([networks.proxied.ipv4_address]);
    expect(compose.networks['proxied']?.ipam.config).toEqual([
      { subnet: '10.214.33.0/24', ip_range: '10.214.33.128/25' },
    ]);
    expect(service('api-1').networks).toEqual(['default', 'proxied']);
    expect(proxy).toMatch(/^ *option forwardfor$/m);
  });

  it('logs no path, since that of a hosted form is a credential', () => {
    const [format = ''] = directive('log-format');
    expect(format).not.toMatch(/%(?:r|HP|HPO|HU|HQ|\[)/);
    expect(proxy).not.toMatch(/^ *option httplog/m);
  });
});
