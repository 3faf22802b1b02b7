/** Texts of the permissions of job tokens. */
export const jobTokens = {
  enable: 'Enable workflows in this repository',
  notOffered: 'Actions are disabled on this instance.',
  title: 'Job tokens',
  ownerHint: 'Applies to all repositories without settings of their own. Changes take effect immediately, also for running jobs.',
  override: 'Override the settings of the owner',
  overrideHint: 'If this is off, the repository uses the settings of its owner, which are shown here.',
  mode: 'Default for workflows without “permissions”',
  modeHint: 'The “permissions” of a workflow replace this default.',
  modes: { permissive: 'Read and write', restricted: 'Read only' },
  modeHints: {
    permissive: 'Job tokens can write to all units of the repository.',
    restricted: 'Job tokens can read code, releases and packages of the repository.',
  },
  maximum: 'Maximum',
  maximumHint:
    'No token gets more than this, whatever its workflow requests. Jobs for pull requests from forks can only read code, releases and packages.',
  limit: 'Limit tokens by unit',
  limitHint: 'If this is off, the levels below have no effect.',
  shared: 'Access to other repositories',
  sharedHint:
    'Jobs of all repositories of this owner can read these repositories, including private ones. Jobs for pull requests from forks cannot.',
  noShared: 'Jobs can read their own repository, and public ones.',
  repository: 'Repository',
  share: 'Allow jobs to read it',
  owners: 'Collaborative owners',
  ownersHint: 'Private repositories of these users and organizations use the actions and workflows of this repository: their jobs read it.',
  noOwners: 'Nobody else uses the actions of this repository.',
  owner: 'User or organization',
  addOwner: 'Add',
};
