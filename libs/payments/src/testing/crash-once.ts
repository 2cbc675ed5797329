import type { CrashPoint, CrashPoints } from '../ports/crash-points.port.js';

/** Thrown at a crash point: everything after it does not happen, as after a kill. */
export class Crashed extends Error {}

export class CrashOnce implements CrashPoints {
  private armed: CrashPoint | undefined;
  private meanwhile: (() => void) | undefined;
  crashAt(point: CrashPoint): void {
    this.armed = point;
  }
  /** Something happens right there, and the process goes on, as after a stop. */
  runAt(point: CrashPoint, meanwhile: () => void): void {
    this.armed = point;
    this.meanwhile = meanwhile;
  }
  reached(point: CrashPoint): void {
    if (point !== this.armed) return;
    this.armed = undefined;
    const { meanwhile } = this;
    this.meanwhile = undefined;
    if (!meanwhile) throw new Crashed(point);
    meanwhile();
  }
}
