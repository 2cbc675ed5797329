import { PROJECTIONS_CONTROL } from '../../api.parts.js';
import { commandOf, queryOf } from '../../use-case.js';

export class ListProjections extends queryOf(PROJECTIONS_CONTROL, 'list') {}
export class RebuildProjection extends commandOf(PROJECTIONS_CONTROL, 'startRebuild') {}
