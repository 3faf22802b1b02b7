/** Texts of the permissions of job tokens. */
export const jobTokens = {
  enable: 'Workflows of this repository run',
  notOffered: 'Automation is off on this instance.',
  title: 'Tokens of jobs',
  ownerHint: 'For all repositories that have no settings of their own. Changes hold at once, also for jobs that run.',
  override: 'Settings of its own instead of those of the owner',
  overrideHint: 'Without it the repository follows its owner, whose settings are shown here.',
  mode: 'Where a workflow has no “permissions”',
  modeHint: 'What a workflow asks for in “permissions” comes in place of this.',
  modes: { permissive: 'Read and write', restricted: 'Read only' },
  modeHints: {
    permissive: 'The token of a job writes to all units of its repository.',
    restricted: 'The token of a job reads code, releases and packages of its repository.',
  },
  maximum: 'Maximum',
  maximumHint:
    'No token gets more, whatever its workflow says. Jobs for pull requests from forks only read code, releases and packages in any case.',
  limit: 'Limit tokens by unit',
  limitHint: 'Without it the levels below do not count.',
  shared: 'Access to other repositories',
  sharedHint:
    'Jobs of all repositories of this owner read these repositories, also private ones. Jobs for pull requests from forks do not.',
  noShared: 'Jobs read their own repository, and what everybody may.',
  repository: 'Repository',
  share: 'Let jobs read it',
  owners: 'Collaborative owners',
  ownersHint: 'Private repositories of these users and organizations use the actions and workflows of this repository: their jobs read it.',
  noOwners: 'Nobody else uses the actions of this repository.',
  owner: 'User or organization',
  addOwner: 'Add',
};
