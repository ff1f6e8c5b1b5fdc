/** `git`: its own options, aliases, settings on the command line, and repositories that make reads run programs. */
import { applyOptions, applyWords, placeWords } from '../apply.ts';
import { setsPush } from '../assignments.ts';
import type { GitFacts, Word } from '../invocation.ts';
import { gives, parseOptions } from '../options.ts';
import type { Report } from '../report.ts';
import type { Call } from './call.ts';

/** Parts of a format for which Git runs a program that checks signatures. */
const checksSignatures = /%[-+ ]?G|%\(\*?signature/;
/** Options by which Git merges anew to show what was merged, with the drivers that the repository names. */
const mergesAnew = /^--(?:remerge-diff|diff-merges(?:=r(?:emerge)?)?)$/;
/** Settings that change how things look and nothing else. */
const harmlessSetting =
  /^(color\.[\w.-]+|column\.[\w.]+|advice\.\w+|core\.(quotepath|abbrev|precomposeunicode|autocrlf|safecrlf|filemode|ignorecase|symlinks|longpaths|preloadindex|commentchar)|user\.(name|email)|log\.(date|decorate|abbrevcommit|follow|mailmap|showroot)|diff\.(renames|renamelimit|noprefix|mnemonicprefix|algorithm|context|interhunkcontext|wserrorhighlight|statgraphwidth|colormoved|submodule|suppressblankempty)|init\.defaultbranch|blame\.\w+|status\.\w+|grep\.(linenumber|patterntype|column|fullname|extendedregexp)|versionsort\.suffix|format\.pretty|i18n\.\w+|rerere\.enabled|push\.default|pull\.(rebase|ff)|merge\.(ff|conflictstyle|renames)|fetch\.prune|gc\.auto|maintenance\.auto|commit\.gpgsign|tag\.gpgsign|submodule\.recurse)$/i;
/** Settings that run something, with the values that make them run nothing. */
const silenced: { readonly [setting: string]: readonly string[] } = {
  'core.pager': ['cat', ''],
  'core.fsmonitor': ['false', ''],
  'core.hookspath': ['/dev/null'],
  'core.editor': ['true'],
  'diff.external': [''],
  'credential.helper': [''],
  'log.showsignature': ['false'],
};

/** Sub-commands that look at refs and objects by name, where filters, external diffs and the like have no part. */
const plain = new Set(
  (
    'rev-parse rev-list config version symbolic-ref for-each-ref show-ref remote branch ls-tree cat-file merge-base name-rev var count-objects worktree ' +
    'check-ignore check-ref-format check-attr tag'
  ).split(' '),
);

/** Of these those that read objects, which a partial clone may have to fetch first. */
const ofObjects = new Set('rev-list for-each-ref branch ls-tree cat-file merge-base name-rev tag'.split(' '));

export function git(call: Call): void {
  const { report, program, name, words } = call;
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  let forces = false;
  const aliases: GitCall['aliases'] = Object.create(null) as GitCall['aliases'];
  for (const { name: option, value } of parsed.options) {
    if (option === '-C' && value !== undefined) report.enter(value);
    if (option === '--config-env' && setsPush('GIT_CONFIG_KEY', value?.text ?? '')) forces = true;
    if (option !== '-c') continue;
    const [, alias, meant] = /^alias\.([^.=]+)=(.*)$/is.exec(value?.text ?? '') ?? [];
    if (alias !== undefined && meant !== undefined) aliases[alias] = meant;
    else if (overwrites(...settingIn(value?.text ?? ''))) forces = true;
    else checkSetting(report, value);
  }
  forces ||= report.invocation.assignments.some(({ name: variable, value }) =>
    setsPush(variable, value.text ?? value.prefix ?? ''),
  );
  if (forces) report.doubt('a setting makes a push overwrite what is there');
  runCommand({ ...call, aliases, forces }, parsed.words, 0);
}

function settingIn(text: string): [key: string, value: string] {
  const at = text.indexOf('=');
  return at === -1 ? [text, 'true'] : [text.slice(0, at), text.slice(at + 1)];
}

/** Settings under which a plain push overwrites what the remote has. */
function overwrites(key: string, value: string): boolean {
  if (!/^remote\..*\.(?:mirror|push)$/is.test(key)) return false;
  return key.toLowerCase().endsWith('mirror') ? !/^(?:false|no|off|0|)$/i.test(value) : /^[+:]/.test(value);
}

function checkSetting(report: Report, setting: Word | undefined): void {
  const [, key = '', value = 'true'] = /^([^=]+)(?:=(.*))?$/s.exec(setting?.text ?? setting?.prefix ?? '') ?? [];
  if (setting?.text != null && silenced[key.toLowerCase()]?.includes(value) === true) return;
  if (/^pager\.\w+$/.test(key) && value === 'false' && setting?.text != null) return;
  if (harmlessSetting.test(key) && !value.startsWith('!') && !checksSignatures.test(value)) return;
  report.doubt(`what git does with the setting ${setting?.source ?? ''} can’t be told`);
}

/** What the command line sets with `-c`: aliases, and that a push overwrites. */
type GitCall = Call & { aliases: { [name: string]: string }; forces: boolean };

function runCommand(call: GitCall, words: Word[], depth: number): void {
  const { report, program } = call;
  const [command, ...rest] = words;
  if (command === undefined) return;
  const name = command.isPattern === true ? null : command.text;
  if (name === null) return report.doubt(`which sub-command of git ${command.source} is can’t be told`);
  const folder = report.folder;
  const facts = folder === null ? undefined : report.place.git(folder);
  const commands = program.commands ?? {};
  if (!Object.hasOwn(commands, name)) return runAlias(call, facts, name, rest, depth);
  checkRepository(report, facts, name);
  if (call.forces && name === 'push') report.effect('destroy', 'git push overwrites what is there');
  for (const word of rest) {
    if (checksSignatures.test(word.text ?? '')) report.effect('execute', 'git checks signatures with another program');
    if (mergesAnew.test(word.text ?? '')) report.effect('execute', 'git merges with the drivers of the repository');
  }
  call.apply({ helps: program.commandHelps ?? '', ...commands[name] }, `git ${name}`, rest);
  // Without words it clears the folder that it is in.
  const isWhole = rest.every(({ text }) => text?.startsWith('-') === true);
  const clears = name === 'clean' && isWhole && report.findings.effects.includes('destroy');
  if (clears) report.path('destroy', { source: '.', text: '.' }, 'git clean', true);
}

/** What the repository's settings run counts, whatever the sub-command. */
function checkRepository(report: Report, facts: GitFacts | undefined, command: string): void {
  const isApart = plain.has(command) && !(facts?.fetches === true && ofObjects.has(command));
  if (isApart) return;
  if (facts === undefined) report.doubt('the repository that git works in can’t be told');
  else if (facts.runs !== undefined)
    report.doubt(`the settings of the repository may make git run something: ${facts.runs}`);
}

function runAlias(call: GitCall, facts: GitFacts | undefined, name: string, rest: Word[], depth: number): void {
  const { report } = call;
  const configured = facts !== undefined && Object.hasOwn(facts.aliases, name) ? facts.aliases[name] : undefined;
  const alias = call.aliases[name] ?? configured;
  if (alias === undefined || depth > 9) return report.doubt(`${name} is no known sub-command of git`);
  if (alias.startsWith('!')) {
    const words = rest.map(({ text }) => text);
    report.effect('execute', `the alias ${name} of git runs a command line`);
    const script = words.includes(null) ? null : [alias.slice(1), ...words.map((word) => quoted(word ?? ''))].join(' ');
    report.script(script, `git ${name}`, null);
    return;
  }
  const words = alias.match(/(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/gs) ?? [];
  const given = words.map((word): Word => {
    const text = word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs, (_, single, double, escaped) =>
      String(single ?? double ?? escaped),
    );
    return { source: text, text };
  });
  const parsed = parseOptions(call.program, 'git', given);
  if (parsed.options.length > 0) report.doubt(`what the alias ${name} of git does can’t be told`);
  // As a command of its own, too: a rule about it holds for its alias.
  if (depth === 0) report.run([{ source: 'git', text: 'git' }, ...parsed.words, ...rest], `git ${name}`);
  runCommand(call, [...parsed.words, ...rest], depth + 1);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Reading and writing a setting look the same but for the number of words. */
export function gitConfig({ report, program, name, words }: Call): void {
  const [first, ...rest] = words;
  const verb = first?.text ?? '';
  if (['list', 'get'].includes(verb))
    return applyWords(report, { ...program, words: '...text' }, name, parseOptions(program, name, rest));
  if (['set', 'unset', 'rename-section', 'remove-section', 'edit'].includes(verb)) {
    report.effect(verb === 'edit' ? 'execute' : 'write', 'git config changes the settings of Git');
    if (verb === 'set') checkWritten(report, name, rest);
    return;
  }
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  const reads = gives(parsed, '-l', '--list') || parsed.options.some(({ name: option }) => option.startsWith('--get'));
  placeWords(report, reads ? '...text' : 'text made text', name, parsed.words);
  if (!reads) checkWritten(report, name, words);
}

/** What a setting that is written makes Git do later counts as if it were done: nobody is asked then. */
function checkWritten(report: Report, name: string, words: readonly Word[]): void {
  const at = words.findIndex(({ text }) => /^(?:remote\..*\.(?:mirror|push)|alias\..+)$/is.test(text ?? ''));
  const [key, value] = words.slice(at);
  if (at === -1 || key?.text == null || value?.text == null) return;
  if (overwrites(key.text, value.text)) report.effect('destroy', `${name} makes every push overwrite what is there`);
  const [, alias] = /^alias\.(.+)$/is.exec(key.text) ?? [];
  if (alias === undefined) return;
  const as = `git ${alias}`;
  if (value.text.startsWith('!')) report.script(value.text.slice(1), as);
  else report.run([literal('git'), ...value.text.split(/\s+/).map(literal)], as);
}

function literal(text: string): Word {
  return { source: text, text };
}

/** `+x` and `:x` overwrite and delete what is there, as `--force` and `--delete` do. */
export function gitPush({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyWords(report, program, name, parsed);
  for (const word of parsed.words.slice(1)) {
    if (word.text === null || word.isPattern === true)
      report.doubt(`what git push does to ${word.source} can’t be told`);
    const start = word.text ?? word.prefix ?? '';
    if (start.startsWith('+')) report.effect('destroy', `git push overwrites ${word.source}`);
    if (/^\+?:./.test(start)) report.effect('destroy', `git push deletes ${word.source}`);
  }
}

/** One word is a command line of a shell, several are a command. */
export function gitForeach({ report, program, name, words }: Call): void {
  const parsed: { words: Word[] } = parseOptions(program, name, words);
  const [only] = parsed.words;
  if (parsed.words.length === 1 && only !== undefined) report.script(only.text, name, null);
  else report.run(parsed.words, name, null);
}

/** A branch and a file look alike: unless it makes a branch, what isn't committed may be overwritten. */
export function gitCheckout({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyWords(report, program, name, parsed);
  const isNew = gives(parsed, '-b', '--orphan', '-d', '--detach');
  if (!isNew || words.some(({ text }) => text === '--'))
    report.effect('destroy', `${name} may overwrite what isn’t committed`);
}
