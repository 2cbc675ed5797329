import { ReadQueue } from './read.queue.js';

describe('Reads that wait', () => {
  const alone = <T>(work: () => T): Promise<T> => new Promise((resolve) => resolve(work()));
  let transactions = 0;
  const reading = <T>(work: () => T): T => {
    transactions += 1;
    return work();
  };
  beforeEach(() => (transactions = 0));

  it('share a transaction where they come in one turn, in their order', async () => {
    const queue = new ReadQueue(reading, alone);
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

  it('leave the event loop its turns where they take long, and come in their order all the same', async () => {
    const queue = new ReadQueue(reading, alone);
    const order: string[] = [];
    const slow = (name: string) =>
      queue.run(() => {
        order.push(name);
        for (const until = performance.now() + 10; performance.now() < until;);
      });
    const reads = ['a', 'b'].map(slow);
    setImmediate(() => order.push('another'));
    reads.push(slow('c'));
    await Promise.all(reads);
    expect(order).toEqual(['a', 'another', 'b', 'c']);
  });

  it('need none for one alone', async () => {
    expect(await new ReadQueue(reading, alone).run(() => 7)).toBe(7);
    expect(transactions).toBe(0);
  });

  it('that failed are read again by themselves, where something else may be seen', async () => {
    const queue = new ReadQueue(reading, alone);
    let tries = 0;
    const secondTime = queue.run(() => {
      if (++tries === 1) throw new Error('the row was wrapped anew meanwhile');
      return 'found';
    });
    const never = queue.run(() => {
      throw new Error('it is damaged');
    });
    const fine = queue.run(() => 'fine');
    expect(await Promise.allSettled([secondTime, never, fine])).toMatchObject([
      { value: 'found' },
      { reason: { message: 'it is damaged' } },
      { value: 'fine' },
    ]);
  });

  it('are read one by one where a transaction can not be had', async () => {
    const broken = (): never => {
      throw new Error('disk I/O error');
    };
    const queue = new ReadQueue(broken, alone);
    expect(await Promise.all([queue.run(() => 1), queue.run(() => 2)])).toEqual([1, 2]);
  });

  it('are answered at once when it is over', async () => {
    const queue = new ReadQueue(reading, alone);
    const some = [queue.run(() => 1), queue.run(() => 2)];
    queue.flush();
    expect(transactions).toBe(1);
    expect(await Promise.all(some)).toEqual([1, 2]);
  });
});
