import { PostgresLeases } from '@tillstream/postgres-driver';
import {
  isOutdated,
  PROJECTIONS,
  Projector,
  type OutdatedList,
  type ProjectorParts,
} from '@tillstream/read-models';
import { LEASES } from '../control/control.tables.js';
import { cleanUpGenerations } from '../control/generation.build.js';
import { liveOf, type ListControl } from '../control/list.control.js';
import type { OpenGenerations } from '../control/open.generations.js';
import { PostgresList } from './postgres.list.js';
import { rebuild } from './rebuild.js';

export interface PostgresProjectorOptions extends Pick<ProjectorParts, 'store' | 'log' | 'pageSize'> {
  readonly control: ListControl;
  readonly open: OpenGenerations;
}

/** The projector of a database. One process of all machines leads at a time. */
export function postgresProjector(options: PostgresProjectorOptions): Projector {
  const { store, log, pageSize, control, open } = options;
  const rebuildParts = { store, control, databases: open.databases, pageSize };
  return new Projector({
    ...{ store, log, pageSize },
    leases: new PostgresLeases(control.database, LEASES),
    now: () => performance.now(),
    generations: {
      list: (projection) => new PostgresList(projection, control, open),
      outdated: () => outdatedLists(control),
      rebuild: (projection, running) => rebuild(rebuildParts, projection, running),
      cleanUp: () => cleanUpGenerations(control),
    },
  });
}

async function outdatedLists(control: ListControl): Promise<OutdatedList[]> {
  const generations = await control.generations();
  return PROJECTIONS.flatMap((projection) => {
    const live = liveOf(generations, projection);
    return live && isOutdated(live, control.source) ? [{ projection, rowsVersion: live.rowsVersion }] : [];
  });
}
