import { bankAnswers } from './bank-answers/bank-answers.proof.js';
import { batchClose } from './batch-close/batch-close.proof.js';
import { crashPoints } from './crash-points/crash-points.proof.js';
import { disk } from './disk/disk.proof.js';
import { forms } from './forms/forms.proof.js';
import { fuzz } from './fuzz/fuzz.proof.js';
import { idempotency } from './idempotency/idempotency.proof.js';
import { keyRotation } from './key-rotation/key-rotation.proof.js';
import { neighbors } from './neighbors/neighbors.proof.js';
import { networkSandbox } from './network-sandbox/network-sandbox.proof.js';
import type { Proof } from './proof.types.js';
import { races } from './races/races.proof.js';
import { randomKills } from './random-kills/random-kills.proof.js';
import { readYourWrites } from './read-your-writes/read-your-writes.proof.js';
import { readyUnderLoad } from './ready-under-load/ready-under-load.proof.js';
import { rebuild } from './rebuild/rebuild.proof.js';
import { restoreDrill } from './restore-drill/restore-drill.proof.js';
import { secrets } from './secrets/secrets.proof.js';
import { settlements } from './settlements/settlements.proof.js';
import { severalMachines } from './several-machines/several-machines.proof.js';
import { stoppedProcess } from './stopped-process/stopped-process.proof.js';
import { storeFaults } from './store-faults/store-faults.proof.js';
import { twoVersions } from './two-versions/two-versions.proof.js';
import { webhooks } from './webhooks/webhooks.proof.js';

/** In the order of a run. */
export const PROOFS: readonly Proof[] = [
  crashPoints,
  forms,
  bankAnswers,
  randomKills,
  idempotency,
  races,
  twoVersions,
  stoppedProcess,
  storeFaults,
  disk,
  readYourWrites,
  readyUnderLoad,
  rebuild,
  restoreDrill,
  secrets,
  keyRotation,
  batchClose,
  settlements,
  neighbors,
  networkSandbox,
  webhooks,
  severalMachines,
  fuzz,
];
