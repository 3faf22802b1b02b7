import { testServer } from '../support/server.ts';

/** A server with the organization acme, its owner, and three who are not in it. */
export async function acmeServer() {
  const t = await testServer();
  const owner = await t.user('owner');
  const anna = await t.user('anna');
  const bert = await t.user('bert');
  const stranger = await t.user('stranger');
  await owner.must('POST', '/orgs', { username: 'acme' });

  const makeTeam = (name: string, fields: object = { permission: 'read', units: ['repo.code'] }) =>
    owner.must('POST', '/orgs/acme/teams', { name, ...fields });

  return { t, owner, anna, bert, stranger, makeTeam };
}
