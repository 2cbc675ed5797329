import { readFileSync, rmSync } from 'node:fs';
import { eventually } from '../testing/eventually.js';
import { freePort } from '../testing/free.port.js';
import { emptyDirectory, ServiceProcess } from '../testing/service.process.js';
import { startTestApi } from '../testing/test.api.js';

const rules = readFileSync(new URL('../../../../docs/alerts.rules.yml', import.meta.url), 'utf8');
/** What Prometheus itself knows of those it asks. */
const OF_PROMETHEUS = ['up'];
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

async function metricsOfService(): Promise<string> {
  const api = await startTestApi();
  const { text } = await api.get('/metrics', { key: null });
  await api.stop();
  return text;
}

/** Of the API and of the dispatcher. */
let metrics: string;
let metricsOfDispatcher: string;
beforeAll(async () => {
  const port = String(await freePort());
  const settings = { WEBHOOK_DISPATCHER: 'beside', WEBHOOK_DISPATCHER_PORT: port };
  const service = await new ServiceProcess(emptyDirectory(), settings).started();
  // It starts beside the API, and listens some time later.
  await eventually(async () => {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => undefined);
    metricsOfDispatcher = (await response?.text()) ?? '';
    return metricsOfDispatcher !== '';
  });
  await service.stop();
  metrics = `${await metricsOfService()}\n${metricsOfDispatcher}`;
  rmSync(service.dataDir, { recursive: true, force: true });
}, 90_000);

describe('The alert rules', () => {
  it('name no metric that /metrics does not have', () => {
    const types = new Map(
      [...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
    );
    const expressions = expressionsOf(rules);
    expect(expressions).toHaveLength(rules.match(/- alert:/g)?.length ?? 0);
    const wanted = metricsOf(expressions);
    expect(wanted.length).toBeGreaterThan(20);
    const missing = wanted.filter((name) => {
      const isPart = PART.test(name) && types.get(name.replace(PART, '')) === 'histogram';
      return !OF_PROMETHEUS.includes(name) && !isPart && !types.has(name);
    });
    expect(missing).toEqual([]);
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
      expect(metricsOfDispatcher).toContain(`tillstream_webhook_endpoint_changes_total{change="${change}",`);
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
