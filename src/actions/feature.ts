import { feature } from '../feature.ts';
import { artifacts } from './artifacts/part.ts';
import { jobs } from './jobs/part.ts';
import { joinParts } from './part.ts';
import { runners } from './runners/part.ts';
import { runs } from './runs/part.ts';
import { secrets } from './secrets/part.ts';
import { settings } from './settings/part.ts';
import { tasks } from './tasks/part.ts';
import { triggers } from './triggers/part.ts';
import { variables } from './variables/part.ts';
import { workflows } from './workflows/part.ts';

/** Automation: each folder has a `part.ts` with its routes, handlers and jobs. */
export const actions = feature({
  name: 'actions',
  ...joinParts([workflows, runs, jobs, triggers, secrets, settings, variables, runners, tasks, artifacts]),
});
