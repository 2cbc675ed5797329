import { ReadQueue } from './read.queue.js';

describe('ReadQueue: reads', () => {
  const alone = <T>(work: () => T): Promise<T> => new Promise((resolve) => resolve(work()));
  let transactions = 0;
  const inTransaction = <T>(work: () => T): T => {
    transactions += 1;
    return work();
  };
  beforeEach(() => (transactions = 0));

  it('that arrive in one turn share a transaction, and run in order', async () => {
    const queue = new ReadQueue(inTransaction, alone);
    const order: number[] = [];
    const reads = Array.from({ length: 60 }, (_, number) =>
      queue.run(() => {
        order.push(number);
        return number;
      }),
    );
    expect(order).toEqual([]);
    expect(await Promise.all(reads)).toEqual(order);
    expect([order.length, transactions]).toEqual([60, 1]);
  });

  it('that are slow let the event loop take its turns, and still run in order', async () => {
    const queue = new ReadQueue(inTransaction, alone);
    const order: string[] = [];
    const slow = (name: string) =>
      queue.run(() => {
        order.push(name);
        for (const deadline = performance.now() + 10; performance.now() < deadline;);
      });
    const reads = ['a', 'b'].map(slow);
    setImmediate(() => order.push('another'));
    reads.push(slow('c'));
    await Promise.all(reads);
    expect(order).toEqual(['a', 'another', 'b', 'c']);
  });

  it('that come alone need no transaction', async () => {
    expect(await new ReadQueue(inTransaction, alone).run(() => 7)).toBe(7);
    expect(transactions).toBe(0);
  });

  it('that failed are repeated alone, when they may see other rows', async () => {
    const queue = new ReadQueue(inTransaction, alone);
    let attempts = 0;
    const secondTime = queue.run(() => {
      if (++attempts === 1) throw new Error('the row has changed');
      return 'found';
    });
    const alwaysFailing = queue.run(() => {
      throw new Error('it is damaged');
    });
    const fine = queue.run(() => 'fine');
    expect(await Promise.allSettled([secondTime, alwaysFailing, fine])).toMatchObject([
      { value: 'found' },
      { reason: { message: 'it is damaged' } },
      { value: 'fine' },
    ]);
  });

  it('run one by one if no transaction can start', async () => {
    const broken = (): never => {
      throw new Error('disk I/O error');
    };
    const queue = new ReadQueue(broken, alone);
    expect(await Promise.all([queue.run(() => 1), queue.run(() => 2)])).toEqual([1, 2]);
  });

  it('run at once on a flush', async () => {
    const queue = new ReadQueue(inTransaction, alone);
    const results = [queue.run(() => 1), queue.run(() => 2)];
    queue.flush();
    expect(transactions).toBe(1);
    expect(await Promise.all(results)).toEqual([1, 2]);
  });
});
