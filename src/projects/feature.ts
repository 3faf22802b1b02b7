import { feature } from '../feature.ts';
import { leaveProjectsOfOwner } from './on-transfer.ts';

export const projects = feature({
  name: 'projects',
  within: { 'repository.transferred': leaveProjectsOfOwner },
});
