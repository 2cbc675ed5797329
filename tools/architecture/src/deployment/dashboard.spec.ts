import { read } from './compose.file.testing.js';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly {
    readonly expr: string;
    readonly refId: string;
    readonly datasource: object;
  }[];
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
}
const dashboard = JSON.parse(read('docs/deploy/grafana/tillstream.json')) as {
  readonly uid: string;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string }[] };
};
const panels = dashboard.panels.filter(({ type }) => type !== 'row');

describe('docs/deploy/grafana/tillstream.json', () => {
  it('has a row for each subject', () => {
    const rows = dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    expect(rows).toEqual([
      'At a glance',
      'Requests',
      'Payments and outcomes',
      'Unknown outcomes and the resolver',
      'Processors',
      'Stores',
      'Lists',
      'Webhooks',
      'Batches and settlements',
      'Processes',
    ]);
  });

  it('gives each panel an id and a title of its own in its row, a unit, and queries', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    for (const { title, type, targets = [], fieldConfig } of panels) {
      expect(title).toMatch(/^[A-Z]/);
      expect([title, targets.length > 0]).toEqual([title, true]);
      if (type !== 'table') expect([title, fieldConfig?.defaults.unit]).not.toContain(undefined);
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    }
  });

  it('lays no panel over another', () => {
    const taken = new Map<string, string>();
    for (const { title, gridPos } of dashboard.panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect([title, taken.get(`${x} ${y}`)]).toEqual([title, undefined]);
          taken.set(`${x} ${y}`, title);
        }
      }
    }
  });

  it('uses variables that it has, and its own source of data', () => {
    const known = [...dashboard.templating.list.map(({ name }) => name), '__rate_interval'];
    for (const { targets = [] } of panels) {
      for (const { expr, datasource } of targets) {
        for (const [, name = ''] of expr.matchAll(/\$\{?(\w+)/g)) expect(known).toContain(name);
        expect(datasource).toEqual({ type: 'prometheus', uid: '${datasource}' });
      }
    }
  });
});
