import type { CrashPoint, CrashPoints } from '../ports/crash-points.port.js';

/** Thrown at a crash point. Nothing after it runs, as after a kill. */
export class Crashed extends Error {}

export class CrashOnce implements CrashPoints {
  private armed: CrashPoint | undefined;
  private action: (() => void) | undefined;
  crashAt(point: CrashPoint): void {
    this.armed = point;
  }
  /** Runs `action` at the crash point; then the process continues, as after a pause. */
  runAt(point: CrashPoint, action: () => void): void {
    this.armed = point;
    this.action = action;
  }
  reached(point: CrashPoint): void {
    if (point !== this.armed) return;
    this.armed = undefined;
    const { action } = this;
    this.action = undefined;
    if (!action) throw new Crashed(point);
    action();
  }
}
