/** Runs `work` on all items, at most `lanes` at a time. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (;;) {
      const index = next++;
      if (index >= items.length) return;
      results[index] = await work(items[index] as Item, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane));
  return results;
}

export const randomUpTo = (most: number): number => 1 + Math.floor(Math.random() * most);

export function pickOne<Item>(items: readonly [Item, ...Item[]]): Item {
  return items[Math.floor(Math.random() * items.length)] ?? items[0];
}
