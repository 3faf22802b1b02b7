import type { Client } from '../support/client.ts';

/** Secrets, variables and runs of workflows of these places, all of them with this word in them. */
export async function automation(alice: Client, places: readonly string[], word: string) {
  const [secretname, variablename] = [`${word}_KEY`, `${word}_PLACE`];
  for (const place of places) {
    await alice.must('PUT', `${place}/actions/secrets/${secretname}`, { data: word, description: word });
    await alice.must('POST', `${place}/actions/variables/${variablename}`, { value: word, description: word });
  }
  const workflow = `name: ${word}\nrun-name: ${word}\non: workflow_dispatch\njobs:\n  ${word}:\n    runs-on: ${word}\n    steps: [{ run: ${word} }]\n`;
  const runs: string[] = [];
  for (const place of places.filter((one) => one.startsWith('/repos/'))) {
    const content = Buffer.from(workflow).toString('base64');
    await alice.must('POST', `${place}/contents/.gitea/workflows/${word}.yml`, { content, message: word });
    const { default_branch: ref } = await alice.must('GET', place);
    const started = `${place}/actions/workflows/${word}.yml/dispatches?return_run_details=true`;
    runs.push(String((await alice.must('POST', started, { ref })).workflow_run_id));
  }
  const ids = { runner_id: ['1'], job_id: runs, run: runs, artifact_id: ['1'] };
  return { secretname: [secretname], variablename: [variablename], workflow_id: [`${word}.yml`], ...ids };
}
