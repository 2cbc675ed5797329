import { noCrashPoints, type CrashPoints } from '@tillstream/payments';
import type { CrashSetting } from '../configuration/setting.kinds.js';

/** Kills or halts this process at the configured crash point, as a power cut or a stalled machine would. */
export function crashPoints(
  setting: CrashSetting | undefined,
  kill: (signal: 'SIGKILL' | 'SIGSTOP') => void = (signal) => process.kill(process.pid, signal),
): CrashPoints {
  if (!setting) return noCrashPoints;
  let times = 0;
  return {
    reached(point) {
      if (point !== setting.point) return;
      times += 1;
      if (times === setting.nth) kill(setting.signal);
    },
  };
}
