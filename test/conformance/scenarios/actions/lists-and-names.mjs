// Variables, secrets, workflows and empty lists of runs at every level: names, values, pages, wrong ones, who may.
export default async function (t) {
  const alice = await t.user('alice');
  const bob = await t.user('bob');
  const org = await t.org(alice, 'org');
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  await alice.must('PUT', `${repo}/collaborators/${bob.name}`, { permission: 'read' });
  for (const at of [repo, `/orgs/${org}`, '/user']) {
    const variables = `${at}/actions/variables`;
    const secrets = `${at}/actions/secrets`;
    for (const name of ['ONE', 'two', 'Mixed_Case', '1st', '_x', 'a-b', 'a b', 'GITHUB_X', 'GITEA_X', 'CI', 'ä']) {
      await alice.post(`${variables}/${encodeURIComponent(name)}`, { value: `value of ${name.slice(0, 10)}`, description: 'd' }, { label: `${variables}/${name.slice(0, 10)}` });
      await alice.put(`${secrets}/${encodeURIComponent(name)}`, { data: 'secret', description: 'd' }, { label: `${secrets}/${name.slice(0, 10)}` });
    }
    await alice.post(`${variables}/ONE`, { value: 'again' });
    await alice.post(`${variables}/EMPTY`, { value: '' });
    await alice.post(`${variables}/NONE`, {});
    await alice.post(`${variables}/LINES`, { value: 'a\nb\r\nc  ' });
    await alice.put(`${secrets}/ONE`, { data: 'again' });
    await alice.put(`${secrets}/EMPTY`, { data: '' });
    await alice.put(`${secrets}/NONE`, {});
    await alice.get(variables, { body: (list) => list.map(({ name, data, description }) => [name, data, description]) });
    await alice.get(variables.concat('?limit=1&page=2'));
    await alice.get(`${variables}/one`);
    await alice.get(`${variables}/LINES`);
    await alice.get(`${variables}/NOTHING`);
    await alice.put(`${variables}/ONE`, { value: 'new', name: 'RENAMED', description: '' });
    await alice.put(`${variables}/RENAMED`, { value: 'x', name: 'bad name' });
    await alice.put(`${variables}/RENAMED`, { value: '' });
    await alice.put(`${variables}/NOTHING`, { value: 'x' });
    await alice.get(variables, { body: (list) => list.map(({ name, data }) => [name, data]).sort() });
    await alice.delete(`${variables}/renamed`);
    await alice.delete(`${variables}/RENAMED`);
    if (at !== '/user') await alice.get(secrets, { body: (list) => list.map(({ name, description }) => [name, description]).sort() });
    if (at !== '/user') await alice.get(`${secrets}?limit=1`, { body: (list) => list.length });
    await alice.delete(`${secrets}/one`);
    await alice.delete(`${secrets}/ONE`);
    for (const who of [bob, t.anonymous]) {
      await who.post(`${variables}/HIS`, { value: 'x' });
      await who.get(`${variables}/LINES`);
      await who.put(`${secrets}/HIS`, { data: 'x' });
    }
    for (const list of ['runs', 'jobs', 'runners']) {
      await alice.get(`${at}/actions/${list}`);
      await alice.get(`${at}/actions/${list}?limit=1&page=2&status=success&event=push`);
    }
    await alice.get(`${at}/actions/runs?status=bogus`);
    await alice.get(`${at}/actions/jobs?status=bogus`);
    await alice.get(`${at}/actions/runners/999999999`);
    await alice.get(`${at}/actions/runners/x`);
    await alice.delete(`${at}/actions/runners/999999999`);
    await alice.post(`${at}/actions/runners/registration-token`, undefined, { body: ({ token }) => typeof token });
  }
  for (const path of ['runs/1', 'runs/x', 'runs/999999999/jobs', 'runs/999999999/artifacts', 'jobs/999999999', 'jobs/999999999/logs', 'artifacts', 'artifacts/999999999', 'artifacts/999999999/zip', 'tasks', 'tasks?limit=1', 'workflows', 'workflows/nothing.yml']) { await alice.get(`${repo}/actions/${path}`); await bob.get(`${repo}/actions/${path}`); }
  await alice.delete(`${repo}/actions/runs/999999999`);
  await alice.put(`${repo}/actions/workflows/nothing.yml/enable`);
  await alice.put(`${repo}/actions/workflows/nothing.yml/disable`);
  await alice.post(`${repo}/actions/workflows/nothing.yml/dispatches`, { ref: 'main' });
  await alice.push(`${alice.name}/demo`, { files: { '.gitea/workflows/a.yml': 'name: A\non:\n  workflow_dispatch:\n    inputs:\n      x:\n        required: true\n        type: choice\n        options: [a, b]\njobs:\n  one:\n    runs-on: nobody\n    steps:\n      - run: "true"\n', '.github/workflows/b.yaml': 'on: push\njobs:\n  two:\n    runs-on: nobody\n    steps:\n      - run: "true"\n' } });
  await alice.get(`${repo}/actions/workflows`, { until: ({ json }) => json?.total_count > 0, body: ({ total_count, workflows }) => ({ total_count, workflows: workflows.map(({ id, name, path, state, html_url, badge_url, url }) => ({ id, name, path, state, html_url, badge_url, url })) }) });
  await alice.get(`${repo}/actions/workflows/a.yml`, { body: ({ id, name, state }) => ({ id, name, state }) });
  for (const body of [{}, { ref: 'nothing' }, { ref: 'main' }, { ref: 'refs/heads/main', inputs: { x: 'a' } }, { ref: 'main', inputs: { x: 'c', y: '1' } }, { ref: 'main', inputs: 'x' }]) await alice.post(`${repo}/actions/workflows/a.yml/dispatches`, body);
  await alice.post(`${repo}/actions/workflows/b.yaml/dispatches`, { ref: 'main' });
  await bob.post(`${repo}/actions/workflows/a.yml/dispatches`, { ref: 'main' });
  await alice.put(`${repo}/actions/workflows/a.yml/disable`);
  await alice.put(`${repo}/actions/workflows/a.yml/disable`);
  await alice.post(`${repo}/actions/workflows/a.yml/dispatches`, { ref: 'main', inputs: { x: 'a' } });
  await alice.get(`${repo}/actions/workflows/a.yml`, { body: ({ state }) => state });
  await alice.put(`${repo}/actions/workflows/a.yml/enable`);
  await bob.put(`${repo}/actions/workflows/a.yml/enable`);
}
