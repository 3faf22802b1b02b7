import type { Context } from '../../context.ts';
import { readXml } from '../archives/read-xml.ts';
import { childElements, childText } from '../archives/xml.ts';
import { invalid } from '../errors.ts';
import { webUrlOf, withoutEmpty } from '../protocol/values.ts';

/** The stored metadata of a version, of its POM: https://maven.apache.org/pom.html */
export interface MavenMetadata {
  readonly groupId?: string;
  readonly artifactId?: string;
  readonly name?: string;
  readonly description?: string;
  readonly url?: string;
  readonly licenses?: readonly string[];
  readonly dependencies?: readonly { readonly groupId: string; readonly artifactId: string; readonly version: string }[];
}

/** @throws PackageError 400 for an invalid POM, or one without a group */
export async function readPom(context: Pick<Context, 'workers'>, document: Buffer): Promise<MavenMetadata> {
  const { project } = await readXml(context, document);
  if (project === undefined) throw invalid('the POM has no project');
  const groupId = childText(project, 'groupId') || childText(childElements(project, 'parent')[0], 'groupId');
  if (groupId === '') throw invalid('the POM has no groupId');
  const [licenses] = childElements(project, 'licenses');
  const [dependencies] = childElements(project, 'dependencies');
  return withoutEmpty({
    groupId,
    artifactId: childText(project, 'artifactId'),
    name: childText(project, 'name'),
    description: childText(project, 'description'),
    url: webUrlOf(childText(project, 'url')),
    licenses: childElements(licenses, 'license')
      .map((license) => childText(license, 'name'))
      .filter((name) => name !== ''),
    dependencies: childElements(dependencies, 'dependency').map((dependency) => ({
      groupId: childText(dependency, 'groupId'),
      artifactId: childText(dependency, 'artifactId'),
      version: childText(dependency, 'version'),
    })),
  });
}
