/** Languages that are run from their sources. */
import type { Language } from './language.ts';

const python: Language = {
  grammar: 'python',
  family: 'python',
  defining: {
    function_definition: { kind: 'function' },
    class_definition: { kind: 'class', holds: true },
    assignment: { kind: 'constant', name: ['left'], value: 'right', isTop: true },
  },
  through: ['module', 'block', 'decorated_definition', 'if_statement', 'try_statement', 'expression_statement'],
  lexis: 'hashes',
};

const ruby: Language = {
  grammar: 'ruby',
  family: 'ruby',
  defining: {
    class: { kind: 'class', holds: true },
    module: { kind: 'module', holds: true },
    method: { kind: 'method' },
    singleton_method: { kind: 'method' },
    assignment: { kind: 'constant', name: ['left'], value: 'right', isTop: true },
  },
  through: ['program', 'body_statement'],
  lexis: 'hashes',
};

const php: Language = {
  grammar: 'php',
  family: 'php',
  defining: {
    namespace_definition: { kind: 'module', holds: true },
    function_definition: { kind: 'function' },
    class_declaration: { kind: 'class', holds: true },
    trait_declaration: { kind: 'class', holds: true },
    interface_declaration: { kind: 'interface', holds: true },
    enum_declaration: { kind: 'enum', holds: true },
    method_declaration: { kind: 'method' },
  },
  through: ['program', 'declaration_list', 'enum_declaration_list', 'compound_statement'],
  lexis: 'both',
  hidden: /\bprivate\b/,
};

const bash: Language = {
  grammar: 'bash',
  family: 'bash',
  defining: { function_definition: { kind: 'function' } },
  through: ['program', 'if_statement'],
  lexis: 'hashes',
};

export const scripting = { python, ruby, php, bash };
