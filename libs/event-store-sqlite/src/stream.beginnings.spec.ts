import fc from 'fast-check';
import type { RecordedEvent } from '@tillstream/event-store';
import { StreamBeginnings } from './stream.beginnings.js';

const events = (count: number): RecordedEvent[] =>
  Array.from({ length: count }, (_, revision) => ({ revision }) as unknown as RecordedEvent);

describe('Beginnings of streams', () => {
  it('are what was kept, and nothing of a stream that is not known', () => {
    const beginnings = new StreamBeginnings();
    const three = events(3);
    beginnings.keep('payment-1', three, 300);
    expect(beginnings.of('payment-1')).toBe(three);
    expect(beginnings.of('payment-2')).toEqual([]);
  });

  it('of a long stream are not kept, also where it grew long bit by bit', () => {
    const beginnings = new StreamBeginnings();
    beginnings.keep('batch-1', events(1), 65_000);
    expect(beginnings.of('batch-1')).toEqual([]);
    beginnings.keep('batch-1', events(1), 40_000);
    beginnings.keep('batch-1', events(2), 40_000);
    expect(beginnings.of('batch-1')).toEqual([]);
  });

  it('are four million characters at most, and those read lately', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(150), fc.integer({ min: 1, max: 64_000 })), { maxLength: 300 }),
        (reads) => {
          const beginnings = new StreamBeginnings();
          /** Newest last. */
          let model: { readonly stream: string; readonly size: number }[] = [];
          for (const [number, size] of reads) {
            const stream = `payment-${number}`;
            const known = model.find((one) => one.stream === stream);
            if (known) expect(beginnings.of(stream)).toHaveLength(1);
            else beginnings.keep(stream, events(1), size);
            model = [...model.filter((one) => one !== known), known ?? { stream, size }];
            while (model.reduce((sum, one) => sum + one.size, 0) > 4_000_000) model.shift();
          }
          const there = Array.from({ length: 151 }, (_, number) => `payment-${number}`).filter(
            (stream) => beginnings.of(stream).length > 0,
          );
          expect(new Set(there)).toEqual(new Set(model.map(({ stream }) => stream)));
        },
      ),
    );
  });
});
