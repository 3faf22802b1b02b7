/** The refs that the server keeps for pull requests. */
export const PULL_REFS = 'refs/pull/';

/** Harmless errors of old programs in objects: names of git's fsck messages. */
export const HARMLESS_FAULTS: readonly string[] = [
  'badTimezone',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'missingEmail',
  'badDate',
  'badName',
  'badEmail',
  'missingNameBeforeEmail',
  'zeroPaddedDate',
  'zeroPaddedFilemode',
  'badFilemode',
  'badTagName',
  'missingTaggerEntry',
  'multipleAuthors',
  'extraHeaderEntry',
];

/**
 * git's configuration for receiving a push, whatever the repository's own configuration says:
 * - it accepts any move of a ref; the checks before the push decide
 * - it supports push options
 * - objects that would harm users who fetch them are refused; harmless errors of old programs are not
 * - the server's refs of pull requests can neither be seen nor moved
 * - the server starts maintenance
 * - for the check that nothing is missing, `true` lists the refs of the repository beside the quarantine: git has its refs already, and would
 *   list them again in another process
 */
export const RECEIVE_CONFIG: readonly string[] = [
  'receive.denyDeletes=false',
  'receive.denyNonFastForwards=false',
  'receive.denyCurrentBranch=ignore',
  'receive.denyDeleteCurrent=ignore',
  'receive.advertisePushOptions=true',
  'receive.autogc=false',
  'receive.updateServerInfo=false',
  'receive.hideRefs=refs/pull',
  'receive.fsckObjects=true',
  'core.alternateRefsCommand=true',
  ...HARMLESS_FAULTS.map((fault) => `receive.fsck.${fault}=ignore`),
].flatMap((setting) => ['-c', setting]);
