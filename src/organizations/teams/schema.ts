import { array, boolean, define, defineOption, inline, int64, map, nullable, oneOf, ref, string } from '../../http/schema.ts';
import { Organization } from '../schema.ts';

const UNITS_EXAMPLE = [
  'repo.code',
  'repo.issues',
  'repo.ext_issues',
  'repo.wiki',
  'repo.pulls',
  'repo.releases',
  'repo.projects',
  'repo.ext_wiki',
];
const UNITS_MAP_EXAMPLE = {
  'repo.code': 'read',
  'repo.ext_issues': 'none',
  'repo.ext_wiki': 'none',
  'repo.issues': 'write',
  'repo.projects': 'none',
  'repo.pulls': 'owner',
  'repo.releases': 'none',
  'repo.wiki': 'admin',
};

/** A team: its members, repositories and permissions. */
export const Team = define('Team', {
  id: int64({ description: 'The id of the team.' }),
  name: string({ description: 'The name of the team.' }),
  description: string({ description: 'What the team is for.' }),
  organization: nullable(ref(Organization)),
  includes_all_repositories: boolean({ description: 'The team has every repository of the organization.' }),
  permission: oneOf(['none', 'read', 'write', 'admin', 'owner'], {
    description: 'owner or admin where that holds for the whole of each repository; none where the units say.',
  }),
  units: array(string(), { description: 'The units that the team may use.', example: UNITS_EXAMPLE }),
  units_map: map(string(), { description: 'What the team may do, by unit.', example: UNITS_MAP_EXAMPLE }),
  can_create_org_repo: boolean({ description: 'Members may create repositories in the organization.' }),
});

const teamFields = {
  name: string({ maxLength: 255, rule: 'AlphaDashDot', description: 'The name of the team.' }),
  description: string({ maxLength: 255, description: 'What the team is for.' }),
  includes_all_repositories: boolean({ description: 'The team has every repository of the organization.' }),
  permission: string({ enum: ['read', 'write', 'admin'], description: 'admin for all of each repository; else the level of units.' }),
};

/** The fields of a new team. */
export const CreateTeamOption = defineOption(
  'CreateTeamOption',
  {
    ...teamFields,
    units: array(string(), {
      description: 'The units that the team may use, at the level of permission; units_map goes before.',
      example: [
        'repo.actions',
        'repo.code',
        'repo.issues',
        'repo.ext_issues',
        'repo.wiki',
        'repo.ext_wiki',
        'repo.pulls',
        'repo.releases',
        'repo.projects',
        'repo.ext_wiki',
      ],
    }),
    units_map: map(string(), {
      description: 'What the team may do, by unit: none, read, write or admin.',
      example:
        '{"repo.actions","repo.packages","repo.code":"read","repo.issues":"write","repo.ext_issues":"none","repo.wiki":"admin","repo.pulls":"owner","repo.releases":"none","repo.projects":"none","repo.ext_wiki":"none"}',
    }),
    can_create_org_repo: boolean({ description: 'Members may create repositories in the organization.' }),
  },
  { required: ['name'] },
);

/** The changes of a team; missing fields stay. */
export const EditTeamOption = defineOption(
  'EditTeamOption',
  {
    ...teamFields,
    units: array(string(), {
      description: 'The units that the team may use, at the level of permission; units_map goes before.',
      example: UNITS_EXAMPLE,
    }),
    units_map: map(string(), {
      description: 'What the team may do, by unit: none, read, write or admin.',
      example: UNITS_MAP_EXAMPLE,
    }),
    can_create_org_repo: boolean({ description: 'Members may create repositories in the organization.' }),
  },
  { described: ['name'] },
);

/** The response to a search for teams. */
export const TeamSearchResults = inline({ data: array(ref(Team)), ok: boolean() });
