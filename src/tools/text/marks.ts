/** Marks by which models tell turns, tools and data apart, where they stand in data: shown so that no model takes them for its own. */

/** Stands for the first character of such a mark. */
export const defused = '‹';

/**
 * Control tokens of chat templates (ChatML, Llama, Mistral, Gemma), tool calls and results as models write them, and what is
 * said in the name of a harness or of its user. Few on purpose: each is shown other than it is.
 */
const marks: readonly RegExp[] = [
  /[<＜](?=[|｜][a-z][\w ]{1,38}[|｜][>＞])/gi,
  /<(?=\/?(?:start_of_turn|end_of_turn)>)/gi,
  /<(?=<\/?SYS>>)/g,
  /\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])/g,
  /<(?=\/?(?:antml:)?(?:function_calls|function_results|tool_calls?|tool_results?|tool_response|tool_use|system-reminder)(?:\s[^<>\n]{0,200})?>)/gi,
  /[<＜](?=\s{0,20}\/?\s{0,20}user-message(?![\w-]))/gi,
  /<(?=\/?antml:\w{1,40}(?:\s[^<>\n]{0,200})?>)/gi,
];

export function defuseMarks(text: string): string {
  return marks.reduce((shown, mark) => shown.replace(mark, defused), text);
}

/** What a text that was copied from a result may have been before: each mark with the character that it begins with. */
export function withMarks(text: string): string {
  return text.replaceAll(new RegExp(`${defused}(?=\\/?[A-Z_]+\\])`, 'g'), '[').replaceAll(defused, '<');
}
