// What an archived repository refuses first: the body, what the path names, or that it is archived.
export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('demo');
  const path = `/repos/${alice.name}/demo`;
  await alice.must('POST', `${path}/branch_protections`, { rule_name: 'main' });
  const { id: rule } = await alice.must('POST', `${path}/tag_protections`, { name_pattern: 'v*', whitelist_usernames: [alice.name] });
  await alice.must('POST', `${path}/releases`, { tag_name: 'r1' });
  await alice.must('PATCH', path, { archived: true });
  for (const body of [{}, [], { rule_name: 5, name_pattern: 5, tag_name: 5, enable_push: 'x', ids: 'x' }, { tag_name: 'r2', rule_name: 'x', name_pattern: 'x', ids: [1] }, { tag_name: 'r1' }]) {
    await alice.post(`${path}/branch_protections`, body);
    await alice.post(`${path}/branch_protections/priority`, body);
    await alice.patch(`${path}/branch_protections/main`, body);
    await alice.patch(`${path}/branch_protections/none`, body);
    await alice.post(`${path}/tag_protections`, body);
    await alice.patch(`${path}/tag_protections/${rule}`, body);
    await alice.patch(`${path}/tag_protections/987654321`, body);
    // The reference fails with 500 for a release that it would make.
    if (body.tag_name !== 'r2') await alice.post(`${path}/releases`, body);
    await alice.patch(`${path}/releases/987654321`, body);
  }
}
