import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}
const file = new URL('../../../../docs/alerts.rules.yml', import.meta.url);
const { groups } = parse(readFileSync(file, 'utf8'), { strict: true, uniqueKeys: true }) as {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

describe('docs/alerts.rules.yml', () => {
  it('has rules in the form of Prometheus: each has a name, an expression, a severity and a sentence', () => {
    expect(rules.length).toBeGreaterThan(20);
    for (const rule of rules) {
      expect(
        Object.keys(rule).filter((key) => !['alert', 'expr', 'for', 'labels', 'annotations'].includes(key)),
      ).toEqual([]);
      expect(rule.alert).toMatch(/^Tillstream[A-Z]\w+$/);
      expect(rule.expr).toMatch(/\S/);
      expect(rule.for ?? '1m').toMatch(/^\d+[smh]$/);
      expect(Object.keys(rule.labels)).toEqual(['severity']);
      expect(['critical', 'warning', 'info']).toContain(rule.labels.severity);
      expect(rule.annotations.summary).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('has no name twice', () => {
    const names = [...groups.map(({ name }) => name), ...rules.map(({ alert }) => alert)];
    expect(new Set(names).size).toBe(names.length);
  });
});
