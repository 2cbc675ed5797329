import { foldMonthEnds, monthEndCodec, type MonthEndEvent, type MonthEndsState } from '@tillstream/domain';
import type { Ports } from '../parts.js';
import { StreamRepository, type LoadedStream } from '../stream-repository/repositories.js';

export type LoadedMonthEnds = LoadedStream<MonthEndsState>;
export type MonthEndRepository = StreamRepository<MonthEndsState, MonthEndEvent, never>;

export function createMonthEndRepository(ports: Pick<Ports, 'store' | 'clock'>): MonthEndRepository {
  return new StreamRepository(ports, { codec: monthEndCodec, fold: foldMonthEnds });
}
