import type { Catalogue } from '../en/catalogue.ts';
import { account } from './account.ts';
import { actions } from './actions.ts';
import { activity } from './activity.ts';
import { admin } from './admin.ts';
import { blame } from './blame.ts';
import { code } from './code.ts';
import { commits } from './commits.ts';
import { common } from './common.ts';
import { composer } from './composer.ts';
import { control } from './control.ts';
import { diff } from './diff.ts';
import { edit } from './edit.ts';
import { firstRun } from './firstRun.ts';
import { front } from './front.ts';
import { graph } from './graph.ts';
import { history } from './history.ts';
import { hookEvents } from './hookEvents.ts';
import { invitations } from './invitations.ts';
import { issues } from './issues.ts';
import { jobTokens } from './jobTokens.ts';
import { live } from './live.ts';
import { manage } from './manage.ts';
import { merging } from './merging.ts';
import { migration } from './migration.ts';
import { notices } from './notices.ts';
import { owners } from './owners.ts';
import { packageRules } from './packageRules.ts';
import { packages } from './packages.ts';
import { palette } from './palette.ts';
import { people } from './people.ts';
import { problems } from './problems.ts';
import { projects } from './projects.ts';
import { publicAccess } from './publicAccess.ts';
import { pulls } from './pulls.ts';
import { refs } from './refs.ts';
import { refusals } from './refusals.ts';
import { release } from './release.ts';
import { repository } from './repository.ts';
import { reviewing } from './reviewing.ts';
import { search } from './search.ts';
import { security } from './security.ts';
import { settings } from './settings.ts';
import { source } from './source.ts';
import { timeline } from './timeline.ts';
import { wiki } from './wiki.ts';

/** All texts of the pages in German. */
export const de: Catalogue = {
  account,
  actions,
  activity,
  admin,
  blame,
  code,
  commits,
  common,
  composer,
  control,
  diff,
  edit,
  firstRun,
  front,
  graph,
  history,
  hookEvents,
  invitations,
  issues,
  jobTokens,
  live,
  manage,
  merging,
  migration,
  notices,
  owners,
  packages,
  packageRules,
  palette,
  people,
  problems,
  projects,
  publicAccess,
  pulls,
  refs,
  refusals,
  release,
  repository,
  reviewing,
  search,
  security,
  settings,
  source,
  timeline,
  wiki,
};
