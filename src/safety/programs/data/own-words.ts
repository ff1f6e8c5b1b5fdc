/** Programs of which only is known what they tell of themselves: their version and their help. Whatever else they do can’t be told. */
import type { Programs } from '../table.ts';
import { acts, list } from './kinds.ts';

const only = (helps: string, programs: string): Programs =>
  list(programs, acts(['cannot-tell'], 'does more than is known of it', { helps }));

/**
 * None of them looks at the project before it tells its version. Not here are those that do: they run the copy of themselves that the
 * project has (webpack, nx), its settings (mvn, pylint) or its own program (rails).
 */
export const ownWords: Programs = {
  ...only(
    '--version --help',
    'cabal stack mix guix nix-store opam sbcl racket guile crystal nim thrift flatc buf protoc ccache sccache swig ' +
      'latex pdflatex xelatex lualatex tex bibtex typst asciidoctor inkscape gs vale codespell typos aspell ' +
      'zoxide starship fzf act stern kubectx kubens tilt mongod pg_dump pg_restore createdb postgres redis-server nomad solc forge cast anvil ' +
      'semgrep snyk syft grype trivy tree-sitter jj tig lazygit cvs age sops jless pngquant optipng qpdf convert magick mogrify sox ' +
      'dart firebase vue htmlq miller mlr csvkit xsv qsv skopeo crane oras ollama',
  ),
  ...only(
    '-V --version --help',
    'memcached wasm-pack wasm-bindgen wasmtime cross cargo-nextest sd choose procs dust bottom btm hexyl',
  ),
  ...only('-v -V -h', 'nginx haproxy httpd apache2'),
  ...only(
    'version --version --help',
    'consul vault k3d kustomize hugo cosign caddy v fossil gitleaks skaffold rabbitmqctl fly kubeadm velero',
  ),
  ...only('-version --version --help', 'ocaml swig kotlinc plantuml'),
  ...only(
    '-version -h -help --help -hide_banner -formats -codecs -encoders -decoders -filters -protocols -pix_fmts -devices -buildconf',
    'ffmpeg ffplay',
  ),
  ...only('-V -v --version', 'dot neato p4 lua5.1 lua5.2 lua5.3 lua5.4'),
};
