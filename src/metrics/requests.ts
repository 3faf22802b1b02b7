import type { Histogram } from './histogram.ts';
import type { Metrics } from './metrics.ts';
import { labelValue } from './text.ts';

/** The numbers of one route and method. */
interface RouteNumbers {
  readonly duration: Histogram;
  readonly labels: string;
  /** By the first digit of the status. */
  readonly counts: number[];
}

/** Counts requests. Their labels are patterns of routes and never paths, so there are few. */
export class RequestMetrics {
  readonly #metrics: Metrics;
  readonly #routes = new Map<string, Map<string, RouteNumbers>>();
  #inFlight = 0;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
    metrics.addSource(() => [
      { name: 'copse_requests_in_flight', labels: '', value: this.#inFlight },
      ...[...this.#routes.values()].flatMap((methods) =>
        [...methods.values()].flatMap(({ labels, counts }) =>
          counts.flatMap((value, kind) =>
            value > 0 ? [{ name: 'copse_requests_total' as const, labels: `${labels},status="${kind}xx"`, value }] : [],
          ),
        ),
      ),
    ]);
  }

  /** A request came. */
  begin(): void {
    this.#inFlight++;
  }

  /** Its response is sent, or its connection has ended. */
  end(): void {
    this.#inFlight--;
  }

  /** Counts a response. @param route the pattern; undefined if there is none */
  count(route: string | undefined, method: string, status: number, milliseconds: number): void {
    const { duration, counts } = this.#numbersOf(route ?? 'none', method);
    duration.observe(milliseconds / 1000);
    const kind = Math.floor(status / 100);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }

  #numbersOf(route: string, method: string): RouteNumbers {
    let methods = this.#routes.get(route);
    if (!methods) {
      methods = new Map();
      this.#routes.set(route, methods);
    }
    let numbers = methods.get(method);
    if (!numbers) {
      const labels = `route="${labelValue(route)}",method="${labelValue(method)}"`;
      numbers = { labels, counts: [0, 0, 0, 0, 0, 0], duration: this.#metrics.histogram('copse_request_duration_seconds', labels) };
      methods.set(method, numbers);
    }
    return numbers;
  }
}
