/** Makes a repository of many files in several languages, each time the same: about 100 lines a file, which mention what others define. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Written {
  extension: string;
  /** Of a hundred files. */
  share: number;
  file: (number: number, others: readonly number[]) => string;
}

const verbs = ['read', 'write', 'parse', 'send', 'merge', 'find', 'store', 'check'];
const things = ['Order', 'Invoice', 'Session', 'Packet', 'Account', 'Report', 'Token', 'Route'];

const pick = <T>(list: readonly T[], number: number): T => list[number % list.length] as T;
const thing = (number: number): string => `${pick(things, number)}${number}`;
const verb = (number: number): string => `${pick(verbs, number)}${thing(number)}`;
const snake = (number: number): string => `${pick(verbs, number)}_${pick(things, number).toLowerCase()}_${number}`;
const times = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('');

const languages: readonly Written[] = [
  {
    extension: 'ts',
    share: 40,
    file: (
      number,
      others,
    ) => `${others.map((each) => `import { ${thing(each)}, ${verb(each)} } from './m${each}.ts';\n`).join('')}
/** What a ${pick(things, number)} holds. */
export interface ${thing(number)}Options {
  name: string;
  limit?: number;
}

export class ${thing(number)} {
  readonly #options: ${thing(number)}Options;
  constructor(options: ${thing(number)}Options) {
    this.#options = options;
  }
${times(
  6,
  (index) => `
  async step${index}(input: readonly string[], limit = ${index + 3}): Promise<number> {
    const kept = input.filter((each) => each.length > limit && each !== this.#options.name);
    for (const each of kept) {
      if (each.startsWith('a')) return ${verb(pick(others, index))}(each, limit);
    }
    return kept.length + (this.#options.limit ?? 0);
  }
`,
)}}

export function ${verb(number)}(text: string, limit: number): number {
  const other = new ${thing(pick(others, number))}({ name: text, limit });
  return text.length > limit ? limit : other.constructor.name.length;
}
`,
  },
  {
    extension: 'py',
    share: 25,
    file: (number, others) => `${others.map((each) => `from m${each} import ${thing(each)}, ${snake(each)}\n`).join('')}
LIMIT_${number} = ${number}


class ${thing(number)}:
    """Holds what a ${pick(things, number)} needs."""

    def __init__(self, name: str, limit: int = LIMIT_${number}) -> None:
        self.name = name
        self.limit = limit
${times(
  7,
  (index) => `
    def step_${index}(self, values: list[str], *, strict: bool = False) -> int:
        kept = [value for value in values if len(value) > self.limit]
        for value in kept:
            if strict and value.startswith("a"):
                return ${snake(pick(others, index))}(value, self.limit)
        return len(kept) + ${index}
`,
)}

def ${snake(number)}(text: str, limit: int) -> int:
    other = ${thing(pick(others, number))}(text)
    return limit if len(text) > limit else other.limit
`,
  },
  {
    extension: 'go',
    share: 15,
    file: (number, others) => `package m${number}

import "fmt"

type ${thing(number)} struct {
	Name  string
	Limit int
}
${times(
  7,
  (index) => `
func (t *${thing(number)}) Step${index}(values []string, strict bool) (int, error) {
	kept := 0
	for _, value := range values {
		if len(value) > t.Limit && strict {
			return ${pick(verbs, index)}${thing(pick(others, index))}(value, t.Limit), nil
		}
		kept++
	}
	return kept, fmt.Errorf("nothing of %s", t.Name)
}
`,
)}
func ${verb(number)}(text string, limit int) int {
	other := ${thing(pick(others, number))}{Name: text, Limit: limit}
	return len(other.Name)
}
`,
  },
  {
    extension: 'java',
    share: 10,
    file: (number, others) => `package org.example.m${number};

public class ${thing(number)} {
  private final String name;
  private final int limit;

  public ${thing(number)}(String name, int limit) {
    this.name = name;
    this.limit = limit;
  }
${times(
  7,
  (index) => `
  public int step${index}(java.util.List<String> values, boolean strict) {
    int kept = 0;
    for (String value : values) {
      if (strict && value.length() > limit) {
        return new ${thing(pick(others, index))}(value, limit).size();
      }
      kept += 1;
    }
    return kept;
  }
`,
)}
  public int size() {
    return name.length();
  }
}
`,
  },
  {
    extension: 'rs',
    share: 10,
    file: (
      number,
      others,
    ) => `${others.map((each) => `use crate::m${each}::{${thing(each)}, ${snake(each)}};\n`).join('')}
pub struct ${thing(number)} {
    pub name: String,
    pub limit: usize,
}

impl ${thing(number)} {
${times(
  6,
  (index) => `
    pub fn step_${index}(&self, values: &[String], strict: bool) -> Option<usize> {
        let mut kept = 0;
        for value in values.iter() {
            if strict && value.len() > self.limit {
                return Some(${snake(pick(others, index))}(value, self.limit));
            }
            kept += 1;
        }
        Some(kept)
    }
`,
)}}

pub fn ${snake(number)}(text: &str, limit: usize) -> usize {
    let other = ${thing(pick(others, number))} { name: text.to_string(), limit };
    other.name.len()
}
`,
  },
];

/** Gives the bytes of all its files. Files of one number modulo 100 are in one language, so that names meet within it. */
export function makeRepository(folder: string, count: number): number {
  let bytes = 0;
  const ofShare = languages.flatMap((language) => Array.from({ length: language.share }, () => language));
  for (let number = 0; number < count; number += 1) {
    const { extension, file } = pick(ofShare, number);
    // Some are mentioned by many, most by few.
    const others = [3, 7, 11, 40].map((step) => (Math.floor(number / 100 / step) * 100 + (number % 100)) % count);
    const path = join(folder, `area${Math.floor(number / 250)}`, `part${number % 10}`, `m${number}.${extension}`);
    const text = file(number, [...new Set(others)]);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    bytes += text.length;
  }
  return bytes;
}
