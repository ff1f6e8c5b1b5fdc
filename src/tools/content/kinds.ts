/** What kind of file some bytes are, by how they begin; names say nothing. */

/** The images that every provider with eyes takes in at least one of the wires. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

const imageBeginnings: readonly [type: ImageType, begins: RegExp][] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
];

/** Which of the images that models take the bytes begin as; undefined for anything else. */
export function imageTypeOf(bytes: Buffer): ImageType | undefined {
  const start = bytes.toString('latin1', 0, 12);
  return imageBeginnings.find(([, begins]) => begins.test(start))?.[0];
}

/** Whether the bytes begin as a PDF; readers allow some other bytes before it, which counts only for a file of that name. */
export function isPdf(bytes: Buffer, name: string): boolean {
  const at = bytes.subarray(0, 1024).indexOf('%PDF-');
  return at === 0 || (at > 0 && /\.pdf$/i.test(name));
}

export interface BinaryKind {
  name: string;
  /** Commands that show what is in it, where there are usual ones. */
  commands: string;
}

const anyCommands = 'file, strings or xxd';
/** Bytes that are looked at: the mark of a tar archive stands at 257. */
const probe = 265;

const kinds: readonly [begins: RegExp, name: string, commands?: string][] = [
  [/^\x1f\x8b/, 'gzip data', 'zcat or tar -tzf'],
  [/^PK(?:\x03\x04|\x05\x06)/, 'a ZIP archive, or a document or package made of one', 'unzip -l or unzip -p'],
  [/^BZh/, 'bzip2 data', 'bzcat or tar -tjf'],
  [/^\xfd7zXZ\0/, 'xz data', 'xzcat or tar -tJf'],
  [/^\x28\xb5\x2f\xfd/, 'Zstandard data', 'zstdcat'],
  [/^7z\xbc\xaf\x27\x1c/, 'a 7-Zip archive', '7z l'],
  [/^Rar!\x1a\x07/, 'a RAR archive', 'unrar l'],
  [/^[^]{257}ustar/, 'a tar archive', 'tar -tf'],
  [/^\x7fELF/, 'an ELF program or library', 'file, nm, readelf or strings'],
  [
    /^(?:\xcf\xfa\xed\xfe|\xce\xfa\xed\xfe|\xfe\xed\xfa[\xce\xcf])/,
    'a Mach-O program or library',
    'file, nm or strings',
  ],
  [/^\xca\xfe\xba\xbe/, 'a Java class or a Mach-O program', 'file, javap or strings'],
  [/^MZ/, 'a Windows program or library', 'file or strings'],
  [/^\0asm/, 'a WebAssembly module', 'wasm-objdump or strings'],
  [/^SQLite format 3\0/, 'an SQLite database', 'sqlite3 FILE .schema'],
  [/^PAR1/, 'a Parquet table'],
  [/^bplist/, 'a binary property list', 'plutil -p'],
  [/^DIRC/, 'a Git index', 'git ls-files'],
  [/^PACK/, 'a Git pack', 'git verify-pack'],
  [/^BM[^]{4}\0\0\0\0/, 'a BMP image', 'file'],
  [/^(?:II\*\0|MM\0\*)/, 'a TIFF image', 'file'],
  [/^\0\0\x01\0/, 'an icon', 'file'],
  [/^[^]{4}ftyp(?:hei[cfx]|mif1|avi[fs])/, 'a HEIF or AVIF image', 'file'],
  [/^8BPS/, 'a Photoshop image', 'file'],
  [/^[^]{4}ftyp/, 'an MP4 or QuickTime film', 'ffprobe'],
  [/^\x1aE\xdf\xa3/, 'a Matroska or WebM film', 'ffprobe'],
  [/^RIFF[^]{4}AVI /, 'an AVI film', 'ffprobe'],
  [/^RIFF[^]{4}WAVE/, 'a WAV sound', 'ffprobe'],
  [/^(?:ID3|\xff[\xfb\xf3\xf2])/, 'an MP3 sound', 'ffprobe'],
  [/^OggS/, 'an Ogg sound or film', 'ffprobe'],
  [/^fLaC/, 'a FLAC sound', 'ffprobe'],
  [/^(?:wOFF|wOF2|OTTO|true|\0\x01\0\0\0)/, 'a font', 'file'],
  [/^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/, 'an old Office document', 'file or strings'],
];

/** What a binary file probably is; undefined where its beginning doesn't tell. */
export function binaryKindOf(bytes: Buffer): BinaryKind | undefined {
  const start = bytes.toString('latin1', 0, probe);
  const kind = kinds.find(([begins]) => begins.test(start));
  return kind === undefined ? undefined : { name: kind[1], commands: kind[2] ?? anyCommands };
}

/** Commands that show something of any binary file. */
export { anyCommands };
