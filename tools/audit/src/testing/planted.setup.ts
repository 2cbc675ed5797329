import { afterAll, afterEach, beforeAll, beforeEach, expect, jest } from '@jest/globals';
import type { SettledItem } from '@tillstream/domain';
import { auditOf, copyOf, createShops, remove, type AuditedShops } from './audited.shops.js';
import { changeEvent, type StoredRow } from './planted.errors.js';

/* A copy of the shops for each test, in which it plants an error. */

export let shops: AuditedShops;
export let directory: string;

/** For the top of a spec. */
export function plantInCopies(): void {
  jest.setTimeout(180_000);
  beforeAll(async () => {
    shops = await createShops();
  });
  afterAll(() => remove(shops.directory));
  beforeEach(() => {
    directory = copyOf(shops.directory);
  });
  afterEach(() => remove(directory));
}

/** Runs some of the checks, which have to find a difference. Returns what is printed. */
export async function found(...checks: readonly string[]): Promise<string> {
  const { code, text, errors } = await auditOf([directory, ...checks.flatMap((check) => ['--check', check])]);
  expect([code, errors]).toEqual([1, []]);
  expect(text).toContain('DIFFERENCE');
  return text;
}

const items = ({ data }: StoredRow): SettledItem[] => data['items'] as SettledItem[];
const isOf = (id: string) => (item: { readonly operationId: string }) => item.operationId === id;

/** Changes the items of the page that has the first settlement of an operation. */
export function changePage(
  operationId: string,
  type: string,
  change: (all: SettledItem[], index: number) => void,
): string {
  let settlementId = '';
  changeEvent(directory, 'PageSettled', (row) => {
    const index = items(row).findIndex((item) => isOf(operationId)(item) && item.type === type);
    if (index < 0) return false;
    settlementId = String(row.data['settlementId']);
    change(items(row), index);
  });
  return settlementId;
}
