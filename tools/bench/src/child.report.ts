import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs a built program of this folder. Resolves with the message that it sends. */
export function reportOf<Report>(program: string, ...args: string[]): Promise<Report> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL(`../dist/${program}`, import.meta.url)), args);
    child.once('message', (report: Report) => resolve(report));
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
  });
}
