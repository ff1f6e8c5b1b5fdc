/** Programs that show what is in files of one kind, or what a machine is made of. */
import type { Program, Programs } from '../table.ts';
import { acts, list } from './kinds.ts';

const listing: Program = { anyOption: true, words: '...tree' };

const pdf: Program = { style: 'single', values: { text: '-f -l -enc -opw -upw' }, helps: '-v -h -help --help' };

export const inspection: Programs = {
  ...list('eza exa lsd', listing),
  ...list('xxhsum xxh32sum xxh64sum xxh128sum', {
    flags: '-c -q -w --check --quiet --status --strict --warn --tag --little-endian -H0 -H1 -H2 -H3',
    words: '...read',
  }),
  crc32: { words: '...read' },
  namei: { flags: '-l -m -n -o -v -x --long --modes --owners --nosymlinks --vertical --mountpoints', words: '...read' },
  lsb_release: {
    flags: '-a -c -d -i -r -s -v --all --codename --description --id --release --short',
    helps: '-h --help',
  },
  lshw: {
    style: 'single',
    flags: '-short -businfo -html -xml -json -quiet -numeric -sanitize',
    values: { text: '-class -C -disable -enable' },
  },
  dmidecode: { flags: '-q -u --quiet --no-sysfs', values: { text: '-s -t --string --type', read: '-d --from-dump' } },
  'nvidia-smi': {
    flags: '-L -q --list-gpus',
    values: { text: '-i -d --id --display --query-gpu --query-compute-apps --format' },
    commands: { topo: { flags: '-m --matrix' } },
    helps: '-h --help --version',
  },
  zpool: {
    commands: {
      status: { flags: '-L -P -v -x -t -i -s -D', words: '...text' },
      list: { flags: '-H -p -v', words: '...text' },
    },
    other: acts(['cannot-tell'], 'changes pools'),
    helps: '--version version',
  },
  zfs: {
    commands: {
      list: { flags: '-r -H -p', values: { text: '-d -o -s -S -t' }, words: '...text' },
      get: { flags: '-r -H -p', values: { text: '-d -o -s -t' }, words: '...text' },
    },
    other: acts(['cannot-tell'], 'changes file systems'),
    helps: '--version version',
  },
  ffprobe: {
    style: 'single',
    flags:
      '-hide_banner -show_format -show_streams -show_packets -show_frames -show_chapters -show_programs -show_error -show_data -show_versions ' +
      '-show_pixel_formats -show_log -count_frames -count_packets -pretty -unit -prefix -byte_binary_prefix -sexagesimal -private -noprivate -bitexact',
    values: {
      text: '-v -loglevel -print_format -of -output_format -show_entries -select_streams -read_intervals -analyzeduration -probesize',
      remote: '-i',
    },
    words: 'remote',
    helps: '-version -h -help --help -formats -codecs -encoders -decoders -protocols -filters',
  },
  mediainfo: {
    flags: '-f --Full',
    values: { text: '--Output --Inform' },
    words: '...remote',
    helps: '--Version --Help',
  },
  pdfinfo: {
    ...pdf,
    flags: '-meta -js -struct -struct-text -url -isodates -rawdates -dests -box -custom',
    words: 'read',
  },
  pdffonts: { ...pdf, flags: '-subst', words: 'read' },
  pdfimages: {
    ...acts(['write'], 'writes images', { words: 'read write' }),
    looks: { '-list': { ...pdf, flags: '-list -p', words: 'read' } },
  },
  pdftotext: {
    ...pdf,
    flags: '-layout -raw -htmlmeta -tsv -bbox -bbox-layout -nopgbrk -listenc -q -nodiag -cropbox',
    values: { text: '-f -l -r -x -y -W -H -fixed -colspacing -enc -eol -opw -upw' },
    logic: 'toOutput',
  },
  // One dash stands before its options and before the tags that it shows; `-TAG=x` sets one.
  exiftool: {
    ...acts(['cannot-tell'], 'may change files', { words: '...write', helps: '-ver' }),
    style: 'single',
    flags:
      '-j -json -G -G0 -G1 -g -g0 -g1 -s -s2 -s3 -S -n -a -u -U -r -q -l -t -T -X -e -fast -fast2 -sort -duplicates -common -binary -b ' +
      '-DateTimeOriginal -CreateDate -ModifyDate -FileModifyDate -FileType -FileSize -FileName -MIMEType -ImageSize -ImageWidth -ImageHeight ' +
      '-Make -Model -LensModel -Orientation -ISO -ExposureTime -FNumber -FocalLength -GPSLatitude -GPSLongitude -GPSPosition -Title -Author ' +
      '-Artist -Copyright -Keywords -Subject -Duration -AllDates',
    anyOption: false,
    values: { text: '-ext -x' },
    effects: [],
    words: '...tree',
  },
  jar: {
    commands: list('t tf tvf ft ftv -t -tf -tvf', { logic: 'binary' }),
    other: acts(['cannot-tell'], 'writes archives or runs code'),
    helps: '--version --help -h',
  },
  jo: { flags: '-a -p -n -e -B', words: '...text', helps: '-v -V -h' },
  svn: acts(['cannot-tell'], 'may use the network and programs that its settings name', {
    helps: '--version --quiet --help -h help',
  }),
  svnversion: { flags: '-n -c --no-newline --committed', words: 'read text' },
};
