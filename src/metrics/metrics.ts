import { Histogram } from './histogram.ts';
import type { MetricName } from './names.ts';
import type { Sample } from './text.ts';

/** Values that are read on request: gauges, and counters that others maintain. */
export type MetricSource = () => readonly Sample[];

/** The metrics of this process. Labels are text such as `a="b",c="d"`, with few values. */
export class Metrics {
  readonly #counters = new Map<MetricName, Map<string, number>>();
  readonly #histograms = new Map<MetricName, Map<string, Histogram>>();
  readonly #sources = new Set<MetricSource>();

  /** Adds to a counter. */
  count(name: MetricName, labels = '', by = 1): void {
    let counts = this.#counters.get(name);
    if (!counts) {
      counts = new Map();
      this.#counters.set(name, counts);
    }
    counts.set(labels, (counts.get(labels) ?? 0) + by);
  }

  /** The histogram of these labels, for who observes often. */
  histogram(name: MetricName, labels = ''): Histogram {
    let all = this.#histograms.get(name);
    if (!all) {
      all = new Map();
      this.#histograms.set(name, all);
    }
    let histogram = all.get(labels);
    if (!histogram) {
      histogram = new Histogram();
      all.set(labels, histogram);
    }
    return histogram;
  }

  /** Adds a source for snapshots; returns a function that removes it. */
  addSource(source: MetricSource): () => void {
    this.#sources.add(source);
    return () => this.#sources.delete(source);
  }

  /** All current values. */
  snapshot(): Sample[] {
    const samples: Sample[] = [];
    for (const [name, counts] of this.#counters) {
      for (const [labels, value] of counts) samples.push({ name, labels, value });
    }
    for (const [name, histograms] of this.#histograms) {
      for (const [labels, histogram] of histograms) samples.push(...histogram.samples(name, labels));
    }
    for (const source of this.#sources) samples.push(...source());
    return samples;
  }
}
