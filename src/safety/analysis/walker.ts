/** Goes through the tree of a line in the order in which a shell would run it. */
import type { CommandPart } from '../../core/index.ts';
import {
  TimeLimit,
  type Command,
  type Grammar,
  type Piece,
  type Statement,
  type Word as TreeWord,
} from '../grammar/index.ts';
import type { Word } from '../programs/index.ts';
import { assign } from './assign.ts';
import { expandToOne, expandWords } from './expand.ts';
import { inputOf, pipedInput } from './input.ts';
import { runCompound } from './compound.ts';
import { evaluate, lookInto } from './nested.ts';
import { addFindings, addPart, ask, cannotTell } from './parts.ts';
import type { Scope } from './scope.ts';
import { lookIntoAll, redirectionsOf, runSimple } from './simple.ts';
import { downloader, literal, TooMuch, within, type AnalyserOptions, type Context, type Work } from './work.ts';

/** Statements of one line, those of functions and loops as often as they are looked at. */
const stepsAtMost = 4_000;
/** Milliseconds for all of it, but for the first parsing. */
const longestWalk = 100;

type Chain = Extract<Command, { kind: 'chain' }>;
type Declaration = Extract<Command, { kind: 'declaration' }>;

export class Walker implements Work {
  readonly options: AnalyserOptions;
  readonly parts: CommandPart[] = [];
  readonly calling: Statement[] = [];
  readonly called = new Set<Statement>();
  readonly defined: Work['defined'] = [];
  readonly #grammar: Grammar;
  #steps = 0;
  /** That which runs now; parsing has a limit of its own. */
  #time = new TimeLimit(longestWalk);

  constructor(options: AnalyserOptions, grammar: Grammar) {
    this.options = options;
    this.#grammar = grammar;
  }

  step(): void {
    this.#steps += 1;
    if (this.#steps > stepsAtMost) throw new TooMuch(`it has more than ${stepsAtMost} steps`);
    if (this.#time.isOver()) throw new TooMuch(`it took more than ${longestWalk} milliseconds to take apart`);
  }

  async script(text: string, scope: Scope, context: Context): Promise<void> {
    const parsed = await this.#grammar.parse(text);
    // The parser may have been loaded for it.
    if (context.depth === 0) this.#time = new TimeLimit(longestWalk);
    if ('unclear' in parsed)
      throw new TooMuch(context.depth === 0 ? parsed.unclear : `in ${context.inside.join(' ')}: ${parsed.unclear}`);
    await this.statements(parsed, scope, context);
  }

  async statements(statements: readonly Statement[], scope: Scope, context: Context): Promise<void> {
    for (const statement of statements) {
      await this.statement(statement, scope, context);
      scope.settle();
    }
  }

  async statement(statement: Statement, scope: Scope, context: Context): Promise<void> {
    this.step();
    // What goes on in the background is a shell of its own.
    const own = statement.background === true ? scope.clone() : scope;
    const { command } = statement;
    if (command?.kind === 'simple') return runSimple(this, statement, command, own, context);
    if (command?.kind === 'declaration') return this.#declare(statement, command, own, context);
    const from = this.parts.length;
    const isFed = statement.redirections.some(({ target }) => target.pieces.some(isFedBody));
    if (!isFed) await this.#redirect(statement, own, context);
    if (command === undefined) return;
    const input = inputOf(statement.redirections, context.input, own, this.options.place);
    await this.#command(command, own, { ...context, input, ...(statement.text !== '' && { text: statement.text }) });
    // What `>(...)` gets is known by then.
    const feeds = own.origins.of(this.parts.slice(from));
    if (isFed) await this.#redirect(statement, own, { ...context, feeds });
  }

  async #command(command: Command, scope: Scope, context: Context): Promise<void> {
    switch (command.kind) {
      case 'chain':
        return command.operator === '|' || command.operator === '|&'
          ? this.#pipe(command, scope, context)
          : this.#list(command, scope, context);
      case 'group':
        return this.statements(command.body, scope, context);
      case 'subshell':
        return this.statements(command.body, scope.clone(), context);
      case 'function':
        scope.functions.set(command.name, command.body);
        this.defined.push({ name: command.name, body: command.body, context });
        return;
      case 'arithmetic':
        return evaluate(this, command.expression, scope, context);
      case 'test':
        await lookInto(this, command.words, scope, context);
        return evaluate(this, command.numeric, scope, context);
      case 'time':
        return command.statement === undefined ? undefined : this.statement(command.statement, scope, context);
      case 'coproc':
        return this.statement(command.statement, scope.clone(), within(context, 'coproc'));
      case 'if':
      case 'loop':
      case 'case':
        return runCompound(this, command, scope, context);
      case 'simple':
      case 'declaration':
        return;
    }
  }

  /** `&&` and `||`. */
  async #list({ operator, left, right }: Chain, scope: Scope, context: Context): Promise<void> {
    await this.statement(left, scope, context);
    if (isEither(left)) scope.settle();
    if (operator === '&&') {
      const failed = scope.clone();
      const { alternatives } = scope;
      scope.alternatives = [];
      await this.statement(right, scope, context);
      const others = isCertain(left) && alternatives.length === 0 ? [] : [...alternatives, failed];
      for (const each of others) scope.addAlternative(each);
      return;
    }
    const otherwise = this.#failed(left, scope);
    otherwise.hasEnded = false;
    await this.statement(right, otherwise, context);
    const { alternatives } = otherwise;
    scope.alternatives = [];
    if (otherwise.hasEnded) return;
    otherwise.alternatives = [];
    for (const each of [...alternatives, otherwise]) scope.addAlternative(each);
  }

  /** How it is where what came before has failed. */
  #failed(left: Statement, scope: Scope): Scope {
    const isChange = left.command?.kind === 'simple' && left.command.words[0]?.source === 'cd';
    const [first, ...rest] =
      isChange && scope.alternatives.length > 0 ? scope.alternatives : [scope, ...scope.alternatives];
    const failed = (first ?? scope).clone();
    for (const each of rest) failed.merge(each);
    return failed;
  }

  /** Each program of a pipe has a shell of its own. */
  async #pipe({ left, right }: Chain, scope: Scope, context: Context): Promise<void> {
    const from = this.parts.length;
    await this.statement(left, scope.clone(), context);
    const of = scope.origins.of(this.parts.slice(from));
    const { input, program: last } = pipedInput(left, scope, this.options.place);
    const download = downloader(this, from) ?? context.download;
    const program = download ?? last;
    const { pipedFrom: _, ...outer } = context;
    await this.statement(right, scope.clone(), {
      ...outer,
      input: { ...input, of },
      ...(program !== null && { pipedFrom: program }),
      ...(download !== undefined && { download }),
    });
  }

  /** Redirections of what holds other commands. */
  async #redirect({ redirections, command }: Statement, scope: Scope, context: Context): Promise<void> {
    if (redirections.length === 0) return;
    await lookIntoAll(this, [], [], redirections, scope, context);
    const files = redirectionsOf(redirections, scope, this);
    if (files.length === 0) return;
    const text = files.map(({ operator, target }) => `${operator} ${target.source}`).join(' ');
    const invocation = {
      words: [],
      assignments: [],
      redirections: files,
      input: context.input,
      folder: scope.realFolder,
    };
    await addPart(this, {
      text,
      invocation,
      scope,
      context: { ...context, ...(command !== undefined && { inside: context.inside }) },
    });
  }

  /** `export`, `declare` and their like. */
  async #declare(statement: Statement, command: Declaration, scope: Scope, context: Context): Promise<void> {
    await lookIntoAll(this, command.words, command.assignments, statement.redirections, scope, {
      ...context,
      text: statement.text,
    });
    const { place } = this.options;
    const rest = expandWords(command.words, scope, place);
    const set = command.assignments.map(({ name, value }) => settingOf(name, value, scope, place));
    const words = [literal(command.program.source), ...rest, ...set];
    const redirections = redirectionsOf(statement.redirections, scope, this);
    const invocation = { words, assignments: [], redirections, input: context.input, folder: scope.realFolder };
    const call = { text: statement.text, invocation, scope, context };
    const options = rest.filter(({ text }) => text === null || /^[-+]/.test(text));
    // What sets something though it doesn't look so (`export "PATH=."`, `declare 'a[$(x)]'`), and what may turn out to.
    const hidden = rest.find(({ text }) => text === null || !/^([-+]|\w+$)/.test(text));
    if (!/^(?:export|readonly)$/.test(command.program.source)) {
      const names = [...rest.map(({ text }) => text ?? ''), ...command.assignments.map(({ name }) => name)];
      scope.hide(
        names.filter((name) => /^\w+$/.test(name)),
        options.some(({ text }) => text?.includes('g') === true),
      );
    }
    const isArray = options.some(({ text }) => /^-\w*[aA]/.test(text ?? ''));
    for (const { text } of isArray ? rest : [])
      if (text !== null && /^\w+$/.test(text)) scope.setVariable(text, { text: null, isArray });
    const expanded = set.find(
      ({ text }, at) =>
        command.assignments[at]?.elements === undefined &&
        (isArray || scope.variables.get(command.assignments[at]?.name ?? '')?.isArray === true) &&
        (text === null || /=\s*\(/.test(text)),
    );
    const strange = hidden ?? expanded ?? options.find(({ text }) => text === null || /[nif]/.test(text));
    const isShowing = command.program.source !== 'export' && options.some(({ text }) => /^-[pFf]+$/.test(text ?? ''));
    const found = ask(this, { ...call, invocation: { ...invocation, words: [] } });
    if (strange === undefined || isShowing) await addFindings(this, call, found);
    else {
      scope.doubt ??= `${command.program.source} ${strange.source} changes what names mean`;
      await addFindings(this, call, cannotTell(scope.doubt));
    }
    const isExported = command.program.source === 'export' || options.some(({ text }) => text?.includes('x') === true);
    await assign(this, command.assignments, scope, context, statement.text, isExported ? true : undefined);
    for (const { text } of isExported ? rest : []) {
      const value = text === null ? undefined : scope.variables.get(text);
      if (text !== null && value !== undefined) scope.setVariable(text, { ...value, isExported: true });
    }
  }
}

function isFedBody(piece: Piece): boolean {
  return piece.kind === 'substitution' && piece.as.startsWith('>');
}

/** An argument that sets a variable, as the command gets it. */
function settingOf(name: string, value: TreeWord | undefined, scope: Scope, place: AnalyserOptions['place']): Word {
  const text = value === undefined ? '' : expandToOne(value, scope, place).text;
  return { source: `${name}=${value?.source ?? ''}`, text: text === null ? null : `${name}=${text}` };
}

/** What it tells by its success is not that its last command has succeeded. */
function isEither({ command, negated }: Statement): boolean {
  return negated === true || (command?.kind === 'chain' && command.operator === '||');
}

/** It can't fail where it left no alternatives: changes of the folder to one that is there. */
function isCertain({ command, redirections }: Statement): boolean {
  if (redirections.length > 0) return false;
  if (command?.kind === 'simple') return command.words[0]?.source === 'cd';
  return command?.kind === 'chain' && command.operator === '&&' && isCertain(command.left) && isCertain(command.right);
}
