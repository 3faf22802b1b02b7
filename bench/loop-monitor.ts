import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

/*
 * `node --import ./bench/loop-monitor.ts src/main.ts serve`: how long the event loop of a server is held, and by what. SIGUSR2 begins a
 * measurement; the next one ends it and writes the figures into the file that `LOOP_REPORT` names: the delay of the event loop by the
 * clock, and the holds by the processor time of its thread, which does not depend on what else the machine does. With `LOOP_PROFILE=1`
 * the processor is sampled as well, and the functions are told that ran during the holds longer than `HOLD_MS`.
 */

const HOLD_MS = 25;
const TICK_MS = 5;
const LISTED = 25;

const delay = monitorEventLoopDelay({ resolution: TICK_MS });
const holds: { start: number; end: number; processorMs: number }[] = [];
const session = process.env.LOOP_PROFILE ? new Session() : undefined;
let isMeasuring = false;
let ticker: NodeJS.Timeout | undefined;

process.on('SIGUSR2', () => void (isMeasuring ? finish() : begin()));

async function begin(): Promise<void> {
  isMeasuring = true;
  holds.length = 0;
  if (session) {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 1000 });
    await session.post('Profiler.start');
  }
  let last = performance.now();
  let used = processorTime();
  ticker = setInterval(() => {
    const [at, usedNow] = [performance.now(), processorTime()];
    if (usedNow - used > HOLD_MS) holds.push({ start: last, end: at, processorMs: usedNow - used });
    last = at;
    used = usedNow;
  }, TICK_MS).unref();
  delay.reset();
  delay.enable();
}

/** Milliseconds that this thread has used the processor. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

async function finish(): Promise<void> {
  isMeasuring = false;
  delay.disable();
  clearInterval(ticker);
  const ms = (nanoseconds: number) => Math.round(nanoseconds / 1e5) / 10;
  const longest = Math.round(Math.max(0, ...holds.map(({ processorMs }) => processorMs)));
  const figures = { p50: ms(delay.percentile(50)), p99: ms(delay.percentile(99)), max: ms(delay.max), holds: holds.length, longest };
  writeFileSync(
    process.env.LOOP_REPORT ?? 'loop-report.json',
    JSON.stringify({ ...figures, busiest: session ? await busiest(session) : [] }),
  );
}

/** The stacks, innermost first, that took most of the time of the holds. */
async function busiest(profiler: Session): Promise<{ ms: number; stack: string }[]> {
  const { profile } = await profiler.post('Profiler.stop');
  profiler.disconnect();
  // The profile's clock is that of the system's start, as is that of `process.hrtime`.
  const offset = Number(process.hrtime.bigint()) / 1e3 - performance.now() * 1e3;
  const within = holds.map(({ start, end }) => ({ start: start * 1e3 + offset, end: end * 1e3 + offset }));
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id] as const)));
  const spent = new Map<string, number>();
  let at = profile.startTime;
  let hold = 0;
  (profile.samples ?? []).forEach((id, index) => {
    const took = profile.timeDeltas?.[index] ?? 0;
    at += took;
    while (within[hold] && (within[hold]?.end ?? 0) < at) hold++;
    if (at < (within[hold]?.start ?? Number.POSITIVE_INFINITY)) return;
    const stack: string[] = [];
    for (let node = nodes.get(id); node && stack.length < 8; node = nodes.get(parents.get(node.id) ?? -1)) {
      const { functionName, url, lineNumber } = node.callFrame;
      if (url.includes('/src/') || stack.length < 2)
        stack.push(`${functionName || '(anonymous)'} ${url.replace(/^.*\/(src|node_modules)\//, '')}:${lineNumber + 1}`);
    }
    const key = stack.join(' < ');
    spent.set(key, (spent.get(key) ?? 0) + took / 1e3);
  });
  const sorted = [...spent].sort(([, a], [, b]) => b - a).slice(0, LISTED);
  return sorted.map(([stack, ms]) => ({ ms: Math.round(ms), stack }));
}
