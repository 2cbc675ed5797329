import { ConsumerGroup, LeadingTask } from '@tillstream/event-consumers';
import type { EventStore } from '@tillstream/event-store';
import { PostgresLeases } from '@tillstream/postgres-driver';
import {
  isOutdated,
  LIST_MAINTENANCE,
  ListProjector,
  PROJECTIONS,
  PROJECTOR_LEASE,
  type OutdatedList,
  type ReadModelsLog,
} from '@tillstream/read-models';
import { LEASES } from '../control/control.tables.js';
import { cleanUpGenerations } from '../control/generation.build.js';
import { liveOf, type ListControl } from '../control/list.control.js';
import type { OpenGenerations } from '../control/open.generations.js';
import { PostgresList } from './postgres.list.js';
import { rebuild } from './rebuild.js';

export interface ProjectorParts {
  readonly store: EventStore;
  readonly control: ListControl;
  readonly open: OpenGenerations;
  readonly log: ReadModelsLog;
  /** Events handled without a turn of the event loop. */
  readonly pageSize: number;
}

/** The projector of lists in PostgreSQL: one process of all machines leads at a time. */
export function createProjector({ store, control, open, log, pageSize }: ProjectorParts): ListProjector {
  const rebuildParts = { store, control, databases: open.databases, pageSize };
  return new ListProjector({
    ...{ store, log, pageSize },
    group: ({ consumers, maintain, log: groupLog }) =>
      new ConsumerGroup({
        ...{ store, consumers, lease: PROJECTOR_LEASE, log: groupLog },
        leases: new PostgresLeases(control.database, LEASES),
        tasks: [new LeadingTask({ ...LIST_MAINTENANCE, run: maintain }, groupLog)],
      }),
    listOf: (name) => new PostgresList(name, control, open),
    rebuild: (projection, running) => rebuild(rebuildParts, projection, running),
    outdated: () => outdated(control),
    cleanUp: () => cleanUpGenerations(control),
    now: () => performance.now(),
  });
}

async function outdated(control: ListControl): Promise<readonly OutdatedList[]> {
  const generations = await control.generations();
  return PROJECTIONS.flatMap((projection) => {
    const live = liveOf(generations, projection);
    return live && isOutdated(live, control.source) ? [{ projection, rowsVersion: live.rowsVersion }] : [];
  });
}
