/** Lines of session files as other harnesses write them, by hand: what a file of a real one rarely holds. */

export const jsonl = (lines: readonly (object | string)[]): string =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

const time = (second: number): string => new Date(Date.UTC(2026, 0, 2, 3, 4, second)).toISOString();

/** Two calls of one reply whose results hang on either, a compaction, a branch that was left, a sub-agent, a call that was cut off. */
export function claudeLines(): object[] {
  const about = { sessionId: 'foreign-1', version: '2.0.0', cwd: '/elsewhere', isSidechain: false };
  const line = (type: string, uuid: string, parentUuid: string | null, rest: object, second = 0) => {
    return { type, uuid, parentUuid, timestamp: time(second), ...about, ...rest };
  };
  const user = (content: unknown) => ({ message: { role: 'user', content } });
  const reply = (id: string, ...content: object[]) => ({ message: { id, role: 'assistant', model: 'm-1', content } });
  const result = (id: string, content: unknown) => user([{ type: 'tool_result', tool_use_id: id, content }]);
  const call = (id: string, name: string) => ({ type: 'tool_use', id, name, input: { path: `${id}.ts` } });
  return [
    { type: 'file-history-snapshot', messageId: 'x' },
    line('user', 'u1', null, user('mend it')),
    line('assistant', 'a1', 'u1', reply('m1', { type: 'thinking', thinking: 'hm', signature: 'sig' }), 1),
    line('assistant', 'a2', 'a1', reply('m1', call('t1', 'mcp__files__read')), 2),
    line(
      'user',
      'r1',
      'a2',
      result('t1', [
        { type: 'text', text: 'first' },
        { type: 'image', source: {} },
      ]),
      3,
    ),
    line('assistant', 'a3', 'a2', reply('m1', call('t2', 'Task')), 4),
    line('user', 's1', null, { ...user('sub-task'), isSidechain: true }, 4),
    line('user', 'r2', 'a3', result('t2', 'second'), 5),
    line('user', 'left', 'r2', user('no, wait'), 6),
    line('system', 'c1', null, { subtype: 'compact_boundary', logicalParentUuid: 'r2' }, 7),
    line('user', 'u2', 'c1', { ...user('What was done so far.'), isCompactSummary: true }, 8),
    line('user', 'u3', 'u2', user([{ type: 'text', text: 'and now?' }]), 9),
    line('assistant', 'a4', 'u3', reply('m2', { type: 'text', text: 'I go on.' }, call('t3', 'Bash')), 10),
  ];
}

export function codexLines(): object[] {
  const item = (payload: object, second: number) => ({ timestamp: time(second), type: 'response_item', payload });
  return [
    { timestamp: time(0), type: 'session_meta', payload: { id: 'foreign-2', cwd: '/elsewhere', cli_version: '0.1.0' } },
    { timestamp: time(0), type: 'turn_context', payload: { model: 'm-2' } },
    item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'mend it' }] }, 1),
    item({ type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c1' }, 2),
    item({ type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch', call_id: 'c2' }, 2),
    item({ type: 'function_call_output', call_id: 'c1', output: 'a.ts' }, 3),
    item({ type: 'custom_tool_call_output', call_id: 'c2', output: '{"output":"Done."}' }, 3),
    item({ type: 'function_call_output', call_id: 'c9', output: 'whose?' }, 3),
    { timestamp: time(4), type: 'compacted', payload: { message: 'What was done so far.' } },
    { timestamp: time(4), type: 'event_msg', payload: { type: 'agent_message', message: 'All done.' } },
    item({ type: 'function_call', name: 'shell', arguments: '{"command": [', call_id: 'c1' }, 5),
  ];
}

export function piLines(): object[] {
  const entry = (id: string, parentId: string | null, message: object) => {
    return { type: 'message', id, parentId, timestamp: time(1), message };
  };
  const assistant = (...content: object[]) => ({ role: 'assistant', api: 'openai-completions', model: 'm-3', content });
  return [
    { type: 'session', version: 3, id: 'foreign-3', timestamp: time(0), cwd: '/elsewhere' },
    entry('e1', null, { role: 'user', content: 'mend it' }),
    entry('e2', 'e1', assistant({ type: 'text', text: 'The other way.' })),
    entry('e3', 'e1', assistant({ type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'ls' } })),
    entry('e4', 'e3', {
      role: 'toolResult',
      toolCallId: 'c1',
      content: [{ type: 'text', text: 'a.ts' }],
      isError: true,
    }),
    { type: 'compaction', id: 'e5', parentId: 'e4', timestamp: time(2), summary: 'What was done so far.' },
    { type: 'custom', id: 'e6', parentId: 'e5', timestamp: time(2), data: {} },
    entry('e7', 'e6', { role: 'bashExecution', command: 'pwd', output: '/elsewhere' }),
    entry('e8', 'e7', assistant({ type: 'text', text: 'All done.' })),
  ];
}
