// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { zip } from '../support/archives.ts';
import { registry } from '../support/registry.ts';
import { type Credential, makeFolder, privateOwner, runProgram, withoutClient } from './program.ts';

// Plug-ins come from the central repository, through the configuration of the machine.
it('mvn deploys artifacts and resolves them, and is refused', { skip: withoutClient('mvn') }, async () => {
  const t = await testServer();
  const { owner, refused, hidden } = await privateOwner(t, 'alice');
  const url = `${t.url}api/packages/alice/maven`;
  const settings = ({ name, password }: Credential) =>
    `<settings><servers><server><id>alice</id><username>${name}</username><password>${password}</password></server></servers></settings>`;
  let folders = 0;
  const mvn = async (who: Credential, ...args: string[]) => {
    const cwd = await makeFolder(t, `mvn-${++folders}`, {
      'settings.xml': settings(who),
      'tool.jar': zip({ 'tool.txt': 'tool' }),
      'pom.xml': project(url),
    });
    const { HOME = '' } = process.env;
    // Maven blocks plain HTTP of other hosts by a mirror of this name.
    const open = ['-Dmaven.wagon.http.ssl.insecure=true', '-gs', 'settings.xml', '-s', 'settings.xml', '-B', '-ntp'];
    return await runProgram('mvn', [...open, ...args], { cwd, env: { HOME, MAVEN_OPTS: `-Dmaven.repo.local=${repository}` } });
  };
  const repository = `${t.folder}/repository`;
  const deploy = (who: Credential, version: string) =>
    mvn(
      who,
      'deploy:deploy-file',
      '-Dfile=tool.jar',
      '-DgroupId=com.acme',
      '-DartifactId=tool',
      `-Dversion=${version}`,
      `-Durl=${url}`,
      '-DrepositoryId=alice',
    );
  for (const [who, credential] of Object.entries(refused)) await assert.rejects(deploy(credential, '1.0'), /401|[Uu]nauthorized/, who);
  await deploy(owner, '1.0');
  await assert.rejects(deploy(owner, '1.0'), /409|[Cc]onflict/);
  for (const _ of [1, 2]) await deploy(owner, '1.1-SNAPSHOT');
  const resolve = (who: Credential, version: string) =>
    mvn(who, 'dependency:get', '-U', `-Dartifact=com.acme:tool:${version}`, `-DremoteRepositories=alice::default::${url}`);
  const { rm } = await import('node:fs/promises');
  await rm(`${repository}/com/acme`, { recursive: true, force: true });
  for (const [who, credential] of Object.entries(hidden)) await assert.rejects(resolve(credential, '1.0'), /401|[Uu]nauthorized/, who);
  await rm(`${repository}/com/acme`, { recursive: true, force: true });
  for (const version of ['1.0', '1.1-SNAPSHOT']) await resolve(owner, version);
});

// Debian's gradle can publish over HTTPS alone.
it('gradle resolves artifacts, and is refused', { skip: withoutClient('gradle') }, async () => {
  const t = await testServer();
  const { owner, hidden } = await privateOwner(t, 'alice');
  const url = `${t.url}api/packages/alice/maven`;
  let folders = 0;
  const gradle = async ({ name, password }: Credential, script: string, ...tasks: string[]) => {
    const at = `repositories { maven { url '${url}'; credentials { username '${name}'; password '${password}' } } }`;
    const cwd = await makeFolder(t, `gradle-${++folders}`, {
      'build.gradle': script.replace('REPOSITORY', at),
      'settings.gradle': "rootProject.name = 'tool'\n",
    });
    return await runProgram('gradle', ['--no-daemon', '--console=plain', ...tasks], { cwd });
  };
  const pom =
    '<project><modelVersion>4.0.0</modelVersion><groupId>com.acme</groupId><artifactId>tool</artifactId><version>1.0</version></project>';
  const use =
    "configurations { tools }\nREPOSITORY\ndependencies { tools 'com.acme:tool:1.0' }\ntask show { doLast { configurations.tools.files.each { println it.name } } }\n";
  for (const [file, content] of Object.entries({ 'tool-1.0.jar': zip({ 'tool.txt': 'tool' }), 'tool-1.0.pom': pom })) {
    assert.equal((await registry('alice').put(owner, `maven/com/acme/tool/1.0/${file}`, content)).status, 201);
  }
  for (const [who, credential] of Object.entries(hidden)) await assert.rejects(gradle(credential, use, 'show'), /401|[Uu]nauthorized/, who);
  assert.match(await gradle(owner, use, 'show'), /tool-1\.0\.jar/);
});

function project(url: string): string {
  const model =
    '<modelVersion>4.0.0</modelVersion><groupId>com.acme</groupId><artifactId>user</artifactId><version>1</version><packaging>pom</packaging>';
  return `<project>${model}<repositories><repository><id>alice</id><url>${url}</url></repository></repositories></project>`;
}
