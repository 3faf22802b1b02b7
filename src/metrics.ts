/** Served requests, by method and kind of status, and counters of features. */
export class RequestMetrics {
  readonly #requests = new Map<string, { count: number; seconds: number }>();
  readonly #counters = new Map<string, Map<string, number>>();

  /**
   * Adds one to a counter of a feature.
   * @param name as Prometheus has it, ends with `_total`
   * @param labels `a="b",c="d"`; of few values
   */
  count(name: string, labels: string): void {
    const counts = this.#counters.get(name) ?? new Map<string, number>();
    this.#counters.set(name, counts.set(labels, (counts.get(labels) ?? 0) + 1));
  }

  /** Counts a served request. */
  observe(method: string, status: number, milliseconds: number): void {
    const labels = `method="${method}",status="${Math.floor(status / 100)}xx"`;
    let row = this.#requests.get(labels);
    if (!row) {
      row = { count: 0, seconds: 0 };
      this.#requests.set(labels, row);
    }
    row.count++;
    row.seconds += milliseconds / 1000;
  }

  /** The counters in the text format of Prometheus. */
  format(): string {
    const lines = ['# TYPE copse_requests_total counter', '# TYPE copse_request_seconds_total counter'];
    for (const [labels, { count, seconds }] of this.#requests) {
      lines.push(`copse_requests_total{${labels}} ${count}`, `copse_request_seconds_total{${labels}} ${seconds.toFixed(3)}`);
    }
    for (const [name, counts] of this.#counters) {
      lines.push(`# TYPE ${name} counter`, ...[...counts].map(([labels, count]) => `${name}{${labels}} ${count}`));
    }
    return lines.join('\n');
  }
}
