import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { canonicalJson, streamCategory, type JsonObject } from '@tillstream/event-store';
import type { WrittenEvent } from '../read-models.types.js';
import { PROJECTIONS, projectionParts, tableShape } from './projection.registry.js';
import { touchedRows } from './row.projection.js';
import { rowColumns } from './table.shape.js';

/* The lists are rebuilt only if `rowsVersion` or `layout` says that they changed. These tests notice a forgotten version. */

interface StoredEvent extends Pick<WrittenEvent, 'type' | 'data'> {
  readonly stream: string;
  readonly schemaVersion: number;
}

/** A fixed history of all lists. Never change a line: stored events do not change. Add lines for new events. */
const HISTORY = new URL('../fixtures/rows.history.jsonl', import.meta.url);

/** By list: the versions, and the fingerprints of what they stand for. */
const KNOWN: Readonly<Record<string, Fingerprints>> = {
  transactions: { rowsVersion: 4, rows: 'b5ad8f774bd54242', layout: 4, tables: '684067a34d1c0b27' },
  tokens: { rowsVersion: 1, rows: '65416ca07513aa8d', layout: 2, tables: '172d62837fbce0c2' },
  holders: { rowsVersion: 1, rows: 'dbc5741e9a1c2cb3', layout: 2, tables: 'cc0d71f39e52d08e' },
  payment_methods: { rowsVersion: 2, rows: '3e55ff305a244b58', layout: 2, tables: '37ec9f3017e49cfc' },
  merchants: { rowsVersion: 1, rows: '1b262e858a5b480a', layout: 2, tables: 'df6c8b4b51c0e394' },
  batches: { rowsVersion: 3, rows: '9c7c4688204088ff', layout: 3, tables: 'dc17c7ca61d3bbb7' },
  settlements: { rowsVersion: 1, rows: '7f54f5fab9c02319', layout: 1, tables: '0f1ad6af7fb9b10b' },
  settled_transactions: { rowsVersion: 1, rows: '372a881daf28f061', layout: 1, tables: '022d5a42f1b507eb' },
  fee_charges: { rowsVersion: 1, rows: 'b29dc5cb71df328f', layout: 1, tables: '26af9d1ca6c978df' },
};

interface Fingerprints {
  readonly rowsVersion: number;
  /** Of the rows that the fixed history gives. */
  readonly rows: string;
  readonly layout: number;
  /** Of the columns and indexes. */
  readonly tables: string;
}

describe.each(PROJECTIONS)('The list %s', (projection) => {
  const { rowsVersion, layout, ...tables } = tableShape(projection);
  const rows = rowsOfHistory(projection);
  const current = { rowsVersion, rows: fingerprint(rows), layout, tables: fingerprint(tables) };
  const known = KNOWN[projection];

  it('has another rowsVersion if equal events give other rows', () => {
    const isForgotten = known?.rowsVersion === rowsVersion && known.rows !== current.rows;
    expect(isForgotten ? adviceFor(`rowsVersion of ${projection}`, rowsVersion, 'its rows') : '').toBe('');
  });

  it('has another layout if its columns or indexes change', () => {
    const isForgotten = known?.layout === layout && known.tables !== current.tables;
    expect(isForgotten ? adviceFor(`layout of ${projection}`, layout, 'its tables') : '').toBe('');
  });

  it('has its versions and fingerprints in KNOWN of this file', () => {
    // After a version was raised, or lines were added to the history: copy the received value into KNOWN.
    expect(current).toEqual(known);
  });

  it('has rows with a value for each column', () => {
    expect(rows.length).toBeGreaterThan(2);
    const columns = rowColumns(tableShape(projection)).toSorted();
    for (const row of rows) expect(Object.keys(row).toSorted()).toEqual(columns);
  });
});

function adviceFor(version: string, value: number, changed: string): string {
  return `Raise ${version} to ${value + 1}: ${changed} changed. Then copy the value of the next failing test into KNOWN. If you only added lines to the history, only copy the value.`;
}

/** The rows after each event of the fixed history, so that every status of an operation is among them. */
function rowsOfHistory(projection: string) {
  const lines = readFileSync(HISTORY, 'utf8').trim().split('\n');
  const streams = new Map<string, { state: unknown; events: WrittenEvent[] }>();
  return lines.flatMap((line) => {
    const { stream, type, schemaVersion, data } = JSON.parse(line) as StoredEvent;
    const part = projectionParts(projection).get(streamCategory(stream));
    if (!part) return [];
    const known = streams.get(stream) ?? { state: part.source.initial, events: [] };
    const event = { type, data, revision: known.events.length };
    const metadata: JsonObject = { schemaVersion };
    const state = part.source.evolve(known.state, { ...event, metadata });
    streams.set(stream, { state, events: [...known.events, event] });
    return touchedRows(part.contribution, { stream, state, events: [...known.events, event] });
  });
}

function fingerprint(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 16);
}
