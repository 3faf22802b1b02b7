import type { Services } from '../context.ts';
import { feature, type Listening } from '../feature.ts';
import { COPSE_VERSION } from '../instance/version.ts';
import { measureRuntime } from '../metrics/runtime.ts';
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

/** Measures from now on, until the server ends. */
async function measure(services: Services): Promise<Listening | undefined> {
  if (!services.settings.instance.metricsEnabled) return undefined;
  measureServices(services, COPSE_VERSION);
  const ends = [measureRuntime(services.metrics), measureGit(services.metrics)];
  const endWriting = writeSnapshots(services);
  return {
    async close() {
      for (const end of ends) end();
      await endWriting();
    },
  };
}
