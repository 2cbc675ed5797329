/** A page of a list (`docs/spec/lists.md#page`). */
export interface ListPage<Item> {
  data: Item[];
  hasMore: boolean;
  /** Null on the last page. */
  nextCursor: string | null;
  /** With `includeTotal=true`. */
  total?: number;
  /** True if there are more than 10,000; `total` is then 10,000. */
  totalIsAtLeast?: boolean;
}

export const DEFAULT_PAGE_SIZE = 25;
export const MAX_PAGE_SIZE = 100;
