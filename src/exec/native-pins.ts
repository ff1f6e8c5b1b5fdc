/** SHA-256 of the programs in native/, written by scripts/build-native.mjs. */
export const nativePins: { readonly [program: string]: string } = {
  'arm64/confine': '11bca837303b1cfa6351557280bf913c989b3b633703788705219c7d463cf413',
  'arm64/egress-relay': 'cc6a9e9ffb192f304434b950e039a70d6bba4bc7c94c72692323835c1af6d598',
  'x64/confine': 'd4f19ab7f1655245ddd56491bd456b91363af062f3cedf1162077ce780de342f',
  'x64/egress-relay': '390e683079cc61c176b5f3059c6a5e90ecfbd6f7a48adb5449227ef65ba78776',
};
