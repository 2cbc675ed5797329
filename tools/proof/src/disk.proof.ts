import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { newDirectory, removeDirectory } from './directories.js';
import { Trial } from './disk.trial.js';
import { examine } from './examination.js';
import { roundsOf, type Findings, type Proof, type ProofOptions } from './proof.js';
import { freePort, newSite } from './site.js';
import { SmallDisk } from './small.disk.js';

const MEBIBYTES = 24;
/** Longer than the acquirer's slow answer takes. */
const DEADLINES = { PROCESSOR_DEADLINE_MS: '8000', TERMINAL_DEADLINE_MS: '8000' };
/** All of this disk is less than a service asks for: here it must find out by the writes themselves. */
const ANY_ROOM = { MIN_FREE_DISK_MB: '0' };

export const disk: Proof = {
  name: 'disk',
  claim:
    'on a full or read-only disk nothing is charged unwritten or acknowledged, and all is resolved later (rounds)',
  async run(options: ProofOptions): Promise<Findings> {
    const small = SmallDisk.mount(MEBIBYTES);
    if (!small) return { figures: { skipped: 'this user may not mount a file system' }, complaints: [] };
    const acquirer = newDirectory('acquirer');
    // The acquirer is somebody else, with a disk of its own: it charges while ours is full.
    symlinkSync(join(acquirer, 'sandbox.db'), join(small.folder, 'sandbox.db'));
    const site = newSite({ terminals: 4, environment: { ...DEADLINES, ...ANY_ROOM }, dataDir: small.folder });
    const trial = new Trial(site, small, await freePort());
    try {
      await trial.restart();
      const rounds = roundsOf(options, 4, 1);
      for (let round = 0; round < rounds; round++) {
        await trial.fullBeforeTheSend();
        await trial.fullBeforeTheOutcome(round % 2 === 1);
        options.say(`round ${round + 1} of ${rounds}: ${trial.complaints.length} complaints`);
      }
      await trial.readOnly();
      await trial.end();
      const { complaints, ...figures } = await examine(site, trial.asked);
      return { complaints: [...trial.complaints, ...complaints], figures: { ...trial.figures, ...figures } };
    } finally {
      await trial.end();
      small.unmount();
      removeDirectory(acquirer);
    }
  },
};
