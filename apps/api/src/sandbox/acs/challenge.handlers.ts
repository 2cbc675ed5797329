import { FORMS } from '../../api.parts.js';
import { commandOf } from '../../use-case.js';

export class CompleteChallengeOf extends commandOf(FORMS, 'completeChallengeOf') {}
