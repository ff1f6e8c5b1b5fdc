/** SHA-256 of the programs in native/, written by scripts/build-native.mjs. */
export const nativePins: { readonly [program: string]: string } = {
  'arm64/confine': 'b5a33319470dbf6d9d4a595b1327bf7d8a112236a05fe0977beeef57107d4f3b',
  'arm64/egress-relay': 'cc6a9e9ffb192f304434b950e039a70d6bba4bc7c94c72692323835c1af6d598',
  'x64/confine': 'b33a70202b97d1a10760734bc90a7cf76fb30e8043645c90ff4076a7002f4e1f',
  'x64/egress-relay': '390e683079cc61c176b5f3059c6a5e90ecfbd6f7a48adb5449227ef65ba78776',
};
