import { signedIn } from '../../access/requirements.ts';
import type { AnyRoute } from '../../http/route.ts';
import { composerBytes } from '../components/composer.ts';
import { boardPage } from './board-page.ts';
import { changeBoard } from './change.ts';
import { editProjectPage, newProjectPage, sendNewProject, sendProject } from './form-page.ts';
import { projectList } from './list-page.ts';
import { placePages, writesProjects } from './place.ts';

const ID = '/:id(^[0-9]+$)';
const needs = [signedIn, writesProjects];

/** Boards of repositories, users and organizations. */
export const projectPages: readonly AnyRoute[] = [
  ...placePages({ path: '', get: projectList }),
  ...placePages({ path: '/new', needs, maxBytes: composerBytes, get: newProjectPage, post: sendNewProject }),
  ...placePages({ path: ID, semaphore: 'searches', get: async (visit, context) => boardPage(visit, context) }),
  ...placePages({ path: `${ID}/edit`, needs, maxBytes: composerBytes, get: editProjectPage, post: sendProject }),
  ...placePages({ path: `${ID}/change`, needs, post: changeBoard }),
];
