/** The refs that the server keeps for pull requests. */
export const PULL_REFS = 'refs/pull/';

/** Faults of old programs in objects, which harm nobody: names of git's fsck messages. */
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
 * What git keeps to when it receives a push, whatever the repository's own configuration says:
 * - it takes any move of a ref; the checks before the push decide
 * - it offers push options
 * - objects that would harm those who fetch them are refused; harmless faults of old programs are not
 * - the refs the server keeps for pull requests can be neither seen nor moved
 * - maintenance is started by the server
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
  ...HARMLESS_FAULTS.map((fault) => `receive.fsck.${fault}=ignore`),
].flatMap((setting) => ['-c', setting]);
