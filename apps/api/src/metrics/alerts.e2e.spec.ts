import { readFileSync, rmSync } from 'node:fs';
import { eventually } from '../testing/eventually.js';
import { freePort } from '../testing/free.port.js';
import { emptyDirectory, ServiceProcess } from '../testing/service.process.js';
import { startTestApi } from '../testing/test.api.js';

const docs = new URL('../../../../docs/', import.meta.url);
const rules = readFileSync(new URL('alerts.rules.yml', docs), 'utf8');
const dashboard = readFileSync(new URL('deploy/grafana/tillstream.json', docs), 'utf8');
/** What Prometheus itself knows of those it asks. */
const OF_PROMETHEUS = ['up', 'ALERTS'];
/** Families that the dashboard leaves out: details beside others that it has. */
const NOT_SHOWN = [
  'nodejs_active_resources',
  'nodejs_eventloop_lag_max_seconds',
  'nodejs_eventloop_lag_p50_seconds',
  'nodejs_external_memory_bytes',
];
/** Those of histograms are named by their parts. */
const PART = /_(bucket|count|sum)$/;

/** Names of metrics as expressions have them: before a brace or a bracket, or with one of our prefixes. */
function metricsOf(expressions: readonly string[]): string[] {
  const named = expressions.flatMap(
    (text) => text.match(/\b(?:(?:tillstream|nodejs|process)_\w+|\w+(?=\{))/g) ?? [],
  );
  return [...new Set(named)].sort();
}

/** The expressions, those on several lines too. */
function expressionsOf(text: string): string[] {
  return [...text.matchAll(/^ +expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/gm)].map(
    ([, block, line]) => block ?? line ?? '',
  );
}

/** The expressions of all panels and of the annotations. */
function queriesOf(text: string): string[] {
  return [...text.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(
    ([, json = '""']) => JSON.parse(json) as string,
  );
}

async function metricsOfService(): Promise<string> {
  const api = await startTestApi();
  const { text } = await api.get('/metrics', { key: null });
  await api.stop();
  return text;
}

/** Of the API, the dispatcher and the settlement projector. */
let metrics: string;
beforeAll(async () => {
  const ports = { WEBHOOK_DISPATCHER: await freePort(), SETTLEMENT_PROJECTOR: await freePort() };
  const settings = Object.entries(ports).flatMap(([name, port]) => [
    [name, 'beside'],
    [`${name}_PORT`, String(port)],
  ]);
  const service = await new ServiceProcess(
    emptyDirectory(),
    Object.fromEntries(settings) as Record<string, string>,
  ).started();
  const texts = [await metricsOfService()];
  for (const port of Object.values(ports)) {
    // It starts beside the API, and listens some time later.
    await eventually(async () => {
      const response = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => undefined);
      if (response) texts.push(await response.text());
      return response !== undefined;
    });
  }
  metrics = texts.join('\n');
  await service.stop();
  rmSync(service.dataDir, { recursive: true, force: true });
}, 90_000);

/** By name: `gauge`, `counter`, `histogram`. */
const families = (): ReadonlyMap<string, string> =>
  new Map([...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));

/** Names of metrics in expressions that no program has. */
function unknownIn(expressions: readonly string[]): string[] {
  const types = families();
  return metricsOf(expressions).filter((name) => {
    const isPart = PART.test(name) && types.get(name.replace(PART, '')) === 'histogram';
    return !OF_PROMETHEUS.includes(name) && !isPart && !types.has(name);
  });
}

describe('The dashboard', () => {
  it('names no metric that /metrics does not have', () => {
    expect(metricsOf(queriesOf(dashboard)).length).toBeGreaterThan(40);
    expect(unknownIn(queriesOf(dashboard))).toEqual([]);
  });

  it('shows every family of metrics', () => {
    const shown = new Set(metricsOf(queriesOf(dashboard)).map((name) => name.replace(PART, '')));
    const missing = [...families().keys()].filter((name) => !shown.has(name) && !NOT_SHOWN.includes(name));
    expect(missing).toEqual([]);
  });
});

describe('The alert rules', () => {
  it('name no metric that /metrics does not have', () => {
    const expressions = expressionsOf(rules);
    expect(expressions).toHaveLength(rules.match(/- alert:/g)?.length ?? 0);
    expect(metricsOf(expressions).length).toBeGreaterThan(20);
    expect(unknownIn(expressions)).toEqual([]);
  });

  it('that look whether a log line came find it counted from the start: a series that begins with 1 does not grow', () => {
    const events = [...rules.matchAll(/alerts_total\{event=~?"([^"]+)"\}/g)].flatMap(([, names = '']) =>
      names.split('|'),
    );
    expect(events.length).toBeGreaterThan(1);
    for (const event of events)
      expect(metrics).toMatch(
        new RegExp(`^tillstream_alerts_total\\{event="${event}",app="[a-z-]+"\\} 0$`, 'm'),
      );
    for (const change of ['failing', 'exhausted', 'recovered', 'disabled_gone', 'disabled_failing'])
      expect(metrics).toContain(`tillstream_webhook_endpoint_changes_total{change="${change}",`);
  });

  it('close what they open', () => {
    for (const expression of expressionsOf(rules)) {
      const open: string[] = [];
      const pairs: Record<string, string> = { ')': '(', ']': '[', '}': '{' };
      for (const sign of expression.replace(/"[^"]*"/g, '')) {
        if ('([{'.includes(sign)) open.push(sign);
        if (sign in pairs) expect([expression, open.pop()]).toEqual([expression, pairs[sign]]);
      }
      expect([expression, open]).toEqual([expression, []]);
    }
  });

  it('are each explained in docs/alerts.md, and no other is', () => {
    const explained = readFileSync(new URL('../../../../docs/alerts.md', import.meta.url), 'utf8');
    const rows = [...explained.matchAll(/^\| (`Tillstream.*?) \|/gm)].flatMap(
      ([, names = '']) => names.match(/\w+/g) ?? [],
    );
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    expect(rows.sort()).toEqual([...alerts].sort());
  });
});
