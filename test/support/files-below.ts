/** A folder as it lies on the disk, Git's data aside: each path (its bytes as Latin-1) with kind, mode and content. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

export function filesBelow(root: string): Map<string, string> {
  const found = new Map<string, string>();
  const look = (folder: Buffer, name: string): void => {
    for (const entry of readdirSync(folder, { encoding: 'buffer' })) {
      const text = entry.toString('latin1');
      if (text === '.git') continue;
      const path = Buffer.concat([folder, Buffer.from('/'), entry]);
      const inside = name === '' ? text : `${name}/${text}`;
      const status = lstatSync(path);
      const mode = (status.mode & 0o7777).toString(8);
      if (status.isSymbolicLink()) found.set(inside, `link ${readlinkSync(path)}`);
      else if (status.isDirectory()) {
        found.set(inside, `folder ${mode}`);
        look(path, inside);
      } else
        found.set(
          inside,
          status.isFile() ? `file ${mode} ${readFileSync(path).toString('latin1')}` : `special ${mode}`,
        );
    }
  };
  look(Buffer.from(root), '');
  return found;
}
