/** The rules of ATIF v1.7 that a trajectory can break, held against one. */
import assert from 'node:assert/strict';

interface Step {
  step_id: number;
  timestamp: string;
  source: string;
  message: string;
  tool_calls?: { tool_call_id: string; function_name: string; arguments: object }[];
  observation?: { results: { source_call_id: string; content: string }[] };
  metrics?: { [figure: string]: number };
  [field: string]: unknown;
}

export interface Atif {
  schema_version: string;
  trajectory_id: string;
  agent: { name: string; version: string; model_name?: string };
  steps: Step[];
  final_metrics: { [figure: string]: number };
}

const agentOnly = ['model_name', 'reasoning_content', 'tool_calls', 'observation', 'metrics', 'llm_call_count'];

export function assertAtif(text: string): Atif {
  const root = JSON.parse(text) as Atif;
  assert.equal(root.schema_version, 'ATIF-v1.7');
  assert.ok(root.trajectory_id !== '' && root.agent.name !== '' && root.agent.version !== '');
  const ids = new Set<string>();
  root.steps.forEach((step, index) => {
    assert.equal(step.step_id, index + 1, 'step ids begin at 1 and have no gaps');
    assert.match(step.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(['system', 'user', 'agent'].includes(step.source), step.source);
    assert.equal(typeof step.message, 'string');
    const illegal = step.source === 'agent' ? [] : agentOnly.filter((field) => field in step);
    assert.deepEqual(illegal, [], `fields of the agent in a step of the ${step.source}`);
    for (const { tool_call_id: id } of step.tool_calls ?? []) {
      assert.ok(!ids.has(id), `the call ${id} is there twice`);
      ids.add(id);
    }
    const own = (step.tool_calls ?? []).map((call) => call.tool_call_id);
    for (const result of step.observation?.results ?? []) assert.ok(own.includes(result.source_call_id));
  });
  const sum = (figure: string) => root.steps.reduce((total, { metrics }) => total + (metrics?.[figure] ?? 0), 0);
  for (const figure of ['prompt_tokens', 'completion_tokens', 'cached_tokens', 'cost_usd']) {
    const total = root.final_metrics[`total_${figure}`];
    if (total !== undefined) assert.equal(total, sum(figure), figure);
  }
  assert.equal(root.final_metrics['total_steps'], root.steps.length);
  return root;
}
