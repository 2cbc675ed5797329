import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DiskTrial } from './disk.trial.js';
import { roundCount, type Proof } from '../proof.types.js';
import { freePort, newDeployment, newDirectory, removeDirectory } from '../support/deployment.js';
import { SmallDisk } from './small.disk.js';

const MEBIBYTES = 24;
/** Longer than the acquirer's slow response takes. */
const DEADLINES = { PROCESSOR_DEADLINE_MS: '8000', TERMINAL_DEADLINE_MS: '8000' };
/**
 * The whole disk is smaller than the reserve of a service, so the service must learn from failed writes that it is
 * full.
 */
const NO_DISK_RESERVE = { MIN_FREE_DISK_MB: '0' };

export const disk: Proof = {
  name: 'disk',
  claim:
    'on a full or read-only disk no charge lacks a record or is acknowledged too early, and all are resolved later (rounds)',
  async run(options) {
    const small = SmallDisk.mount(MEBIBYTES);
    if (!small) return { figures: { skipped: 'this user may not mount a file system' }, complaints: [] };
    const acquirer = newDirectory('acquirer');
    // The acquirer has its own disk and charges while the service's disk is full.
    symlinkSync(join(acquirer, 'sandbox.db'), join(small.folder, 'sandbox.db'));
    const deployment = newDeployment(4, { ...DEADLINES, ...NO_DISK_RESERVE }, small.folder);
    const trial = new DiskTrial(deployment, small, await freePort());
    try {
      await trial.restart();
      const rounds = roundCount(options, 4, 1);
      for (let round = 0; round < rounds; round++) {
        await trial.fullBeforeTheSend();
        await trial.fullBeforeTheOutcome(round % 2 === 1);
        options.say(`round ${round + 1} of ${rounds}: ${trial.complaints.length} complaints`);
      }
      await trial.readOnly();
      await trial.end();
      const { complaints, figures } = await trial.audit();
      return { complaints, figures: { ...trial.figures, ...figures } };
    } finally {
      await trial.end();
      small.unmount();
      removeDirectory(acquirer);
    }
  },
};
