// On SQLite alone: rights of former members are asked of both databases by others.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const owner = await t.user('owner');
const maker = await t.user('maker');
await owner.must('POST', '/orgs', { username: 'acme' });
const team = await owner.must('POST', '/orgs/acme/teams', {
  name: 'makers',
  permission: 'read',
  units: ['repo.code'],
  can_create_org_repo: true,
});
await owner.must('PUT', `/teams/${team.id}/members/maker`);
await maker.must('POST', '/orgs/acme/repos', { name: 'made' });

it('settings show that a collaborator who left the organization has no access', async () => {
  const browser = new Browser(t.url);
  await browser.signIn('owner', PASSWORD);
  const page = async () => (await browser.get('/acme/made/settings/collaboration')).text;
  assert.match(await page(), /<option value="admin" selected>/);
  assert.doesNotMatch(await page(), /<option value="none"/);
  await owner.must('DELETE', '/orgs/acme/members/maker');
  assert.match(await page(), /<option value="none" selected>No access<\/option>/);
  await owner.must('PUT', '/repos/acme/made/collaborators/maker', { permission: 'read' });
  assert.match(await page(), /<option value="read" selected>/);
});
