import type { MetricName } from './names.ts';
import type { Sample } from './text.ts';

/** Upper bounds in seconds. */
const BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

/** Counts durations by their size. */
export class Histogram {
  readonly #counts = new Array<number>(BOUNDS.length + 1).fill(0);
  #sum = 0;

  observe(seconds: number): void {
    let at = 0;
    while (at < BOUNDS.length && seconds > (BOUNDS[at] as number)) at++;
    this.#counts[at] = (this.#counts[at] as number) + 1;
    this.#sum += seconds;
  }

  /** As Prometheus has them: each bucket counts all that is not larger. */
  samples(name: MetricName, labels: string): Sample[] {
    const samples: Sample[] = [];
    let count = 0;
    for (const [at, own] of this.#counts.entries()) {
      count += own;
      samples.push({ name, suffix: '_bucket', labels: `${labels && `${labels},`}le="${BOUNDS[at] ?? '+Inf'}"`, value: count });
    }
    samples.push({ name, suffix: '_sum', labels, value: this.#sum }, { name, suffix: '_count', labels, value: count });
    return samples;
  }
}
