import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export function reportOf<Report>(program: string, ...args: string[]): Promise<Report> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL(`../../dist/${program}`, import.meta.url)), args);
    child.once('message', (report: Report) => resolve(report));
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
  });
}
