/** Takes a command line apart whose exit code must be that of what it runs: plain words, joined by what lets no failure pass. */

/**
 * The words of each simple command: those that have a say in the exit code, and those that have none since they stand before a `;`. Settings
 * of the shell stand among these.
 */
export type CommandLine = { commands: string[][]; aside: string[][] } | { doubt: string };

const token =
  /[^\S\n]*(?:(\|\||&&|\|&|;;?|\||\n|&(?!>))|(\d*&?>{1,2}\|?(?:&\d+|&-|\s*[^\s|&;<>]+)|\d*<\s*[^\s|&;<>]+)|((?:'[^']*'|"(?:[^"\\`$]|\\.|\$(?![({\w]))*"|\\[^\n]|[^\s'"\\|&;<>`$(){}#]|\$(?![({\w'"])|(?<=\S)[#{}])+)|(\S))/gy;

const doubts: { readonly [operator: string]: string } = {
  '||': 'what follows || hides a failure',
  '|': 'a pipe hides its exit code',
  '|&': 'a pipe hides its exit code',
  '&': 'it goes on in the background',
};

/** `set -o pipefail` lets a pipe fail; then its first command is what counts. Of commands after each other the last says how it ended. */
export function commandsOf(line: string): CommandLine {
  const commands: string[][] = [];
  const aside: string[][] = [];
  let words: string[] = [];
  let isPiped = false;
  let pipesFail = false;
  const close = (): void => {
    if (isSetting(words)) {
      aside.push(words);
      pipesFail ||= words.includes('pipefail');
    } else if (words.length > 0 && !isPiped) commands.push(words);
    words = [];
  };
  token.lastIndex = 0;
  for (let match = token.exec(line); match !== null && match[0] !== ''; match = token.exec(line)) {
    const [, operator, , word, other] = match;
    if (other !== undefined) return { doubt: `\`${other}\` makes its exit code uncertain` };
    if (word !== undefined) words.push(unquoted(word));
    if (operator === undefined) continue;
    close();
    if (operator === '|' && pipesFail) isPiped = true;
    else if (doubts[operator] !== undefined) return { doubt: doubts[operator] };
    else isPiped = false;
    // What came before has no say in the exit code.
    if (operator !== ';' && operator !== '\n') continue;
    aside.push(...commands.filter((each) => !isFolderChange(each)));
    commands.splice(0, commands.length, ...commands.filter(isFolderChange));
  }
  close();
  return { commands, aside };
}

const isSetting = ([program]: readonly string[]): boolean => program === 'set';
const isFolderChange = ([program]: readonly string[]): boolean => program === 'cd';

function unquoted(word: string): string {
  return word.replaceAll(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g,
    (_, single: string, double: string, escaped: string) => {
      return single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped;
    },
  );
}
