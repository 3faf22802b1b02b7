import type { Terminal } from './words.ts';

/** Milliseconds between two lines. */
const STEP_MS = 1000;

/** Prints progress as a line with a bar, at most once a second. `isLast` prints in any case. */
export function progressBar(terminal: Terminal): (done: number, total: number, text: string, isLast?: boolean) => void {
  let printed = 0;
  return (done, total, text, isLast = false) => {
    if (performance.now() - printed < STEP_MS && !isLast) return;
    printed = performance.now();
    const percent = total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total));
    const bar = '#'.repeat(Math.floor(percent / 5)).padEnd(20, '.');
    terminal.out(`[${bar}] ${String(percent).padStart(3)}% ${text}\n`);
  };
}
