import { spawnSync } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type as osType } from 'node:os';
import { join } from 'node:path';
import { median, percentile } from './rounds.statistics.js';

/** Facts about the machine on which figures depend, as rows of a table. */
export type MachineFacts = readonly (readonly [name: string, value: string])[];

const FSYNCS = 300;
const PAGE_BYTES = 4096;

/** @param folder on the disk that the benchmarks write to */
export function machineFacts(folder: string): MachineFacts {
  const { middle, slow } = fsyncLatency(folder);
  const processors = cpus();
  return [
    ['CPU', `${processors[0]?.model.trim() ?? 'unknown'}, ${processors.length} cores`],
    ['Memory', `${(totalmem() / 1024 ** 3).toFixed(1)} GiB`],
    ['System', `${osName()}, ${osType()} ${release()}`],
    ['Node', process.version],
    ['fdatasync of 4 KiB', `${middle.toFixed(2)} ms median, ${slow.toFixed(2)} ms p90, in ${folder}`],
    ['Load average at the start', loadavg()[0]?.toFixed(2) ?? 'unknown'],
    ['Commit', commit()],
    ['Date', new Date().toISOString().slice(0, 16).replace('T', ' ') + ' UTC'],
  ];
}

function fsyncLatency(folder: string): { readonly middle: number; readonly slow: number } {
  const file = join(folder, 'fsync.probe');
  const descriptor = openSync(file, 'w');
  const times: number[] = [];
  try {
    for (let write = 0; write < FSYNCS; write++) {
      writeSync(descriptor, Buffer.alloc(PAGE_BYTES, write));
      const startedAt = performance.now();
      fdatasyncSync(descriptor);
      times.push(performance.now() - startedAt);
    }
  } finally {
    closeSync(descriptor);
    unlinkSync(file);
  }
  return { middle: median(times), slow: percentile(times, 0.9) };
}

function osName(): string {
  try {
    return /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? process.platform;
  } catch {
    return process.platform;
  }
}

function commit(): string {
  const git = (...args: string[]): string =>
    spawnSync('git', args, { encoding: 'utf8' }).stdout?.trim() ?? '';
  const hash = git('rev-parse', '--short=12', 'HEAD');
  if (hash === '') return 'unknown';
  return git('status', '--porcelain', '--', ':!docs/benchmarks.md') === '' ? hash : `${hash} with changes`;
}
