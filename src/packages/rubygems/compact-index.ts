import type { DescribedVersion } from '../registry/describe.ts';
import type { GemMetadata, GemRequirement } from './gemspec.ts';

/** The lines of the compact index: https://guides.rubygems.org/rubygems-org-compact-index-api/ */

/** A version in the file of its gem: `VERSION[-PLATFORM] DEPENDENCIES|REQUIREMENTS`. */
export function infoLine({ version: { version }, metadata, files }: DescribedVersion<GemMetadata>): string {
  const { platform, dependencies = [], requiredRuby, requiredRubygems } = metadata;
  const needed = dependencies.map(({ name, requirements }) => `${name}:${requirementsOf(requirements)}`).join(',');
  const conditions = [
    `checksum:${files[0]?.blob.sha256 ?? ''}`,
    ...(requiredRuby ? [`ruby:${requirementsOf(requiredRuby)}`] : []),
    ...(requiredRubygems ? [`rubygems:${requirementsOf(requiredRubygems)}`] : []),
  ];
  return `${version}${platform ? `-${platform}` : ''} ${needed}|${conditions.join(',')}`;
}

/** What the file of a gem begins with. */
export const INFO_HEAD = '---\n';

/** A version in the file of all gems. */
export function versionToken({ version: { version }, metadata: { platform } }: DescribedVersion<GemMetadata>): string {
  return platform ? `${version}_${platform}` : version;
}

function requirementsOf(requirements: readonly GemRequirement[]): string {
  if (requirements.length === 0) return '>= 0';
  return requirements.map(({ restriction, version }) => `${restriction} ${version}`).join('&');
}
