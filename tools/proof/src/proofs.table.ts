import { batchClose } from './batch-close.proof.js';
import { crashPoints } from './crash-points.proof.js';
import { disk } from './disk.proof.js';
import { fuzz } from './fuzz.proof.js';
import { idempotency } from './idempotency.proof.js';
import { keyRotation } from './key-rotation.proof.js';
import { networkSandbox } from './network-sandbox.proof.js';
import type { Proof } from './proof.js';
import { races } from './races.proof.js';
import { randomKills } from './random-kills.proof.js';
import { readYourWrites } from './read-your-writes.proof.js';
import { readyUnderLoad } from './ready-under-load.proof.js';
import { rebuild } from './rebuild.proof.js';
import { secrets } from './secrets.proof.js';
import { stoppedProcess } from './stopped-process.proof.js';
import { storeFaults } from './store-faults.proof.js';

/** In the order in which they run. */
export const PROOFS: readonly Proof[] = [
  crashPoints,
  randomKills,
  idempotency,
  races,
  stoppedProcess,
  storeFaults,
  disk,
  readYourWrites,
  readyUnderLoad,
  rebuild,
  secrets,
  keyRotation,
  batchClose,
  networkSandbox,
  fuzz,
];
