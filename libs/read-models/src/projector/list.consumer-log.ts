import type { ConsumerLog } from '@tillstream/event-consumers';
import { reasonOf } from '../read-models.errors.js';
import type { ReadModelsLog } from '../read-models.types.js';
import type { ListConsumer } from './list.consumer.js';

/** Reports of the group whose consumers are these lists, by name. */
export function listConsumerLog(lists: ReadonlyMap<string, ListConsumer>, log: ReadModelsLog): ConsumerLog {
  return {
    halted: (name, reason) => {
      const recorded = lists.get(name)?.recordHalt(reason);
      recorded?.catch((error: unknown) => log.failed('projector-failed', { reason: reasonOf(error) }));
    },
    failing: (name, reason) => {
      if (lists.has(name)) log.failed('projection-failed', { projection: name, reason });
      else log.failed('projector-failed', { reason });
    },
    // The list itself logs both, also after a halt in another process.
    recovered: () => undefined,
    wasReset: () => undefined,
  };
}
