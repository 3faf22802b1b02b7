import type { Services } from '../context.ts';
import { feature, type Listening } from '../feature.ts';
import { COPSE_VERSION } from '../instance/version.ts';
import { measureRuntime } from '../metrics/runtime.ts';
import { exportTraces } from './export-traces.ts';
import { measureGit } from './git.ts';
import { metricsRoutes } from './routes.ts';
import { measureServices } from './services.ts';
import { writeSnapshots } from './snapshots.ts';

export const monitoring = feature({
  name: 'monitoring',
  routes: metricsRoutes,
  within: {
    'package.published': async ({ type }, { metrics }) => metrics.count('copse_packages_published_total', `type="${type}"`),
  },
  listen: measure,
});

type End = () => void | Promise<void>;

/** Measures and traces from now on, until the server ends. */
async function measure(services: Services): Promise<Listening> {
  const ends = [...measureServer(services), ...(await traceServer(services))];
  return {
    async close() {
      for (const end of ends) await end();
    },
  };
}

function measureServer(services: Services): End[] {
  if (!services.settings.instance.metricsEnabled) return [];
  measureServices(services, COPSE_VERSION);
  return [measureRuntime(services.metrics), measureGit(services.metrics), writeSnapshots(services)];
}

async function traceServer({ settings: { tracing }, log }: Services): Promise<End[]> {
  return tracing.endpoint ? [await exportTraces(tracing, tracing.endpoint, COPSE_VERSION, log)] : [];
}
