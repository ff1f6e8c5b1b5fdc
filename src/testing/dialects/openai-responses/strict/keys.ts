/** Types of input items and the keys of those that Reins makes, from the typings of the official SDK 7.59; of others only the type is checked. */
export const itemKeys: { [type: string]: string[] | 'any' } = {
  message: ['type', 'role', 'content', 'id', 'status', 'phase'],
  reasoning: ['type', 'id', 'summary', 'content', 'encrypted_content', 'status'],
  function_call: ['type', 'id', 'call_id', 'name', 'arguments', 'status', 'namespace', 'async', 'caller'],
  function_call_output: ['type', 'id', 'call_id', 'output', 'status', 'caller', 'name', 'namespace'],
  custom_tool_call: ['type', 'id', 'call_id', 'name', 'input', 'status', 'namespace', 'async', 'caller'],
  custom_tool_call_output: ['type', 'id', 'call_id', 'output', 'status', 'caller'],
  item_reference: ['type', 'id'],
  compaction: 'any',
  compaction_trigger: 'any',
  web_search_call: 'any',
  file_search_call: 'any',
  computer_call: 'any',
  computer_call_output: 'any',
  image_generation_call: 'any',
  code_interpreter_call: 'any',
  local_shell_call: 'any',
  local_shell_call_output: 'any',
  shell_call: 'any',
  shell_call_output: 'any',
  apply_patch_call: 'any',
  apply_patch_call_output: 'any',
  mcp_list_tools: 'any',
  mcp_approval_request: 'any',
  mcp_approval_response: 'any',
  mcp_call: 'any',
  tool_search_call: 'any',
  tool_search_output: 'any',
  additional_tools: 'any',
  configuration_update: 'any',
  program: 'any',
  program_output: 'any',
};

/** Parts of content that a side may hold, and the keys of those that Reins makes. */
export const partKeys: { [side in 'user' | 'model']: { [type: string]: string[] | 'any' } } = {
  user: {
    input_text: ['type', 'text', 'prompt_cache_breakpoint'],
    input_image: ['type', 'image_url', 'file_id', 'detail', 'prompt_cache_breakpoint'],
    input_file: 'any',
  },
  model: {
    output_text: ['type', 'text', 'annotations', 'logprobs'],
    refusal: ['type', 'refusal'],
  },
};
