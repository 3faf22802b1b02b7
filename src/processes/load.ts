import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/** The load of a process between its last two heartbeats. */
export interface ProcessLoad {
  /** Of one core, so 1.5 is one and a half of them; the programs that it starts are not counted. */
  readonly cpu: number;
  /** The part of the time in which the thread that serves requests was busy, from 0 to 1. */
  readonly busy: number;
  /** Bytes of memory. */
  readonly memory: number;
}

/** Measures the load of this process from one call to the next. */
export class LoadMeter {
  #time = performance.now();
  #cpu = process.cpuUsage();
  #loop: EventLoopUtilization = performance.eventLoopUtilization();

  measure(): ProcessLoad {
    const [time, cpu, loop] = [performance.now(), process.cpuUsage(), performance.eventLoopUtilization()];
    const microseconds = cpu.user + cpu.system - this.#cpu.user - this.#cpu.system;
    const load = {
      cpu: rounded(microseconds / 1000 / Math.max(1, time - this.#time)),
      busy: rounded(performance.eventLoopUtilization(loop, this.#loop).utilization),
      memory: process.memoryUsage.rss(),
    };
    this.#time = time;
    this.#cpu = cpu;
    this.#loop = loop;
    return load;
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
