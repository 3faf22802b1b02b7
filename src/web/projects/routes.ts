import { signedIn } from '../../access/requirements.ts';
import type { AnyRoute } from '../../http/route.ts';
import { composerBytes } from '../components/composer.ts';
import { boardPage } from './board-page.ts';
import { changeBoard } from './change.ts';
import { editProjectPage, newProjectPage, sendNewProject, sendProject } from './form-page.ts';
import { projectList } from './list-page.ts';
import { projectsPages, writesProjects } from './owner.ts';

const ID = '/:id(^[0-9]+$)';
const needs = [signedIn, writesProjects];

/** Boards of repositories, users and organizations. */
export const projectPages: readonly AnyRoute[] = [
  ...projectsPages({ path: '', get: projectList }),
  ...projectsPages({ path: '/new', needs, maxBytes: composerBytes, get: newProjectPage, post: sendNewProject }),
  ...projectsPages({ path: ID, semaphore: 'searches', get: async (visit, context) => boardPage(visit, context) }),
  ...projectsPages({ path: `${ID}/edit`, needs, maxBytes: composerBytes, get: editProjectPage, post: sendProject }),
  ...projectsPages({ path: `${ID}/change`, needs, post: changeBoard }),
];
