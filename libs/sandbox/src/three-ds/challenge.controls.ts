import type { Sandbox } from '../sandbox.js';
import type { Challenge } from './three-ds.simulator.js';

/** The page of the access control server (ACS), for a sandbox in this process or in its own. */
export interface ChallengeControls {
  /** Undefined: there is no such challenge. */
  find(challengeId: string): Promise<Challenge | undefined>;
  /** As `ThreeDsSimulator.answer`. */
  answer(challengeId: string, code: string): Promise<Challenge | undefined>;
}

/** For a sandbox in this process. */
export function challengeControls({ threeDs }: Pick<Sandbox, 'threeDs'>): ChallengeControls {
  return {
    find: async (challengeId) => threeDs.find(challengeId),
    answer: async (challengeId, code) => threeDs.answer(challengeId, code),
  };
}
